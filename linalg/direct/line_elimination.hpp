// Solves the systems of a box along its last axis, one for each amplitude of its layers
// (amplitudes.hpp):
//
//   (shift W + factor (lambda W + T)) y = f
//
// by elimination over the fixed tree of line_tree.hpp. On processes that share the layers nothing
// of the box moves: each of them eliminates its own blocks and merges them, and sends the two ends
// of what remains, 2 values of each line. Each process solves the top of the tree for a part of the
// lines, and sends the values at the ends back; then each fills in its own layers. Values have the
// same bits for any number of processes.
//
// Passes over the box: one that reads it, for the ends of the blocks, and one that reads and writes
// it. Factors of inner layers are calculated on the way: one division for each layer costs less
// than reading what it gives. Those of merges are kept: 5 values for each eigenvalue and each kind
// of nodes, of which equal cells have few. On the Host a chunk of lines is worked on in the cache
// of a thread, and one process passes over the box once (host_lines.hpp).
//
// A line that is singular, of the constant: its values are determined by layer 0, and then moved by
// what makes the residual the same per weight in all layers and the mean by weight 0.
//
// Memory: beside the factors 2 values for each block and line.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/direct/host_lines.hpp"
#include "linalg/direct/line_passes.hpp"
#include "linalg/direct/line_tree.hpp"
#include "linalg/direct/spectral_shift.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// Layers of a block: sums on GPUs take as many together, so that slabs end with a block. On the
// Host few, so that slabs can be cut evenly.
template <class Space>
inline constexpr int layers_of_block = std::is_same_v<Space, Host> ? 4 : 8;

// The blocks of all processes: those from first[p] on are of process p; at the end their number.
struct SharedBlocks {
  Communicator* processes;
  std::vector<int> first;
};

template <class Space, class T>
class LineElimination {
 public:
  // has_constant: whether the system is singular with the shift 0. `amplitudes`: how many there
  // are, and which belong together.
  LineElimination(const SeparableAxis& axis, bool has_constant, const Amplitudes<T>& amplitudes,
                  const SharedBlocks& blocks);

  // The amplitudes of the own layers become the solution. Collective.
  void solve(const Amplitudes<T>& amplitudes, const SpectralShift& by);

 private:
  void set_up_messages();
  void set_up_constant(const SeparableAxis& axis);
  void prepare(const Amplitudes<T>& amplitudes, const SpectralShift& by);
  void run_stages(bool back);
  void solve_top();
  void exchange(bool back);
  LineValues<T> ends() { return {ends_.data(), sides_, 0, view_.systems}; }
  bool is_shared() const { return processes_->size() > 1; }

  Communicator* processes_;
  int rank_, sides_, part_;  // part_: of the systems, that a process has of the top
  LineTree tree_;
  std::vector<int> first_block_;
  LineView view_;
  Buffer<LineLayer, Space> layers_;
  Buffer<LineOp, Space> ops_;
  Buffer<LineMerge, Space> merges_, top_;
  Buffer<int, Space> tasks_, own_ends_;
  Buffer<double, Space> factors_;
  SpectralShift prepared_{-1, -1};  // of the factors
  LineScratch<T> scratch_;          // where lines are worked on in chunks; otherwise ends_
  Buffer<T, Space> ends_, packed_, top_values_;
  std::vector<std::span<T>> sent_, received_;  // by process: of packed_, of top_values_
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
  Buffer<double, Space> constant_, z_;       // empty: never singular
  std::vector<std::size_t> constant_bytes_;  // by process
};

// Lines of a box on one process.
struct LineCount {
  std::size_t systems, sides;  // of each system
  bool is_real;
};
// Bytes that a LineElimination of them holds.
template <class Space>
std::size_t elimination_memory(const SeparableAxis& axis, bool has_constant, const LineCount& lines,
                               std::size_t value_size);

}  // namespace hodge::linalg
