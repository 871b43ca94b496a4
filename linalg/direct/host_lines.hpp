// An elimination along the lines of a box (line_elimination.hpp) on the Host: a thread copies a
// chunk of lines into its cache, where the layers of a line no longer share few sets, works on it
// and copies it back. One process passes over the box once; where several share it, a pass for the
// ends of their nodes comes before, and is repeated in the second one.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "linalg/direct/line_passes.hpp"
#include "linalg/direct/line_tree.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

// Whether lines are worked on in chunks.
template <class Space, class T>
bool works_in_chunks(const Amplitudes<T>& amplitudes) {
  return std::is_same_v<Space, Host> && !amplitudes.is_spectrum && amplitudes.has_adjacent_lines();
}

// What all threads work in, for so many own layers of lines. A chunk has as many lines as fit into
// a cache, and enough for its rows to fill cache lines.
template <class T>
class LineScratch {
 public:
  LineScratch() = default;
  LineScratch(int layers, int lines);

  // Of a chunk, by layer; ends: one more, for the end that an axis of one layer lacks.
  struct Chunk {
    std::size_t width;
    T *values, *sums;  // sums: by end of own blocks, those of a singular line
    double *to_first, *to_next, *sum, *excess, *coupling;
  };
  Chunk of_thread(int thread);
  int threads() const { return threads_; }
  int lines() const { return static_cast<int>(width_); }  // of a chunk

 private:
  std::size_t layers_ = 0, width_ = 0;
  int threads_ = 0;
  std::vector<T> values_;
  std::vector<double> steps_;
};

// What the passes work on.
template <class T>
struct HostLines {
  const LineView& view;
  const LineTree& tree;
  const Amplitudes<T>& amplitudes;
  T* ends;  // rows of view.systems values, of the own nodes; null: one process
};

// The ends of the own nodes.
template <class T>
void reduce_lines(const HostLines<T>& lines, LineScratch<T>& scratch);
// All own layers, on several processes from the values at the ends of the own nodes.
template <class T>
void fill_lines(const HostLines<T>& lines, LineScratch<T>& scratch);

}  // namespace hodge::linalg
