// Solves the systems of a box along its last axis, one for each amplitude of its layers
// (amplitudes.hpp):
//
//   (shift W + factor (lambda W + T)) y = f
//
// by elimination over the fixed tree of line_tree.hpp. On processes that share the layers nothing
// of the box moves: each of them eliminates its own blocks and merges them, and sends the two ends
// of what remains, 2 values of each line. The rest of the tree is merged in rounds, each process
// for a part of the lines (line_rounds.hpp), and the values at the ends come back; then each fills
// in its own layers. Values have the same bits for any number of processes.
//
// Passes over the box: one that reads it, for the ends of the blocks, and one that reads and writes
// it. Factors of inner layers are calculated on the way: one division for each layer costs less
// than reading what it gives. Those of merges are kept: 5 values for each eigenvalue and each kind
// of nodes, of which equal cells have few. On the Host a chunk of lines is worked on in the cache
// of a thread, and one process passes over the box once (host_lines.hpp).
//
// A line that is singular, of the constant: its residual is the same per weight in all layers, and
// the mean by weight of its values is 0 (line_passes.hpp).
//
// Memory: beside the factors 2 values for each block and line.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "linalg/direct/host_lines.hpp"
#include "linalg/direct/line_passes.hpp"
#include "linalg/direct/line_rounds.hpp"
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
  void prepare(const Amplitudes<T>& amplitudes, const SpectralShift& by);
  void run_stages(bool back);
  LineValues<T> ends() { return {ends_.data(), nullptr, sides_, 0, view_.systems}; }
  std::vector<T*> own_rows();

  Communicator* processes_;
  int sides_;
  LineTree tree_;
  LineView view_;
  Buffer<LineLayer, Space> layers_;
  Buffer<LineOp, Space> ops_;
  Buffer<LineMerge, Space> merges_;
  Buffer<int, Space> tasks_;
  Buffer<double, Space> factors_, spread_;  // spread_: empty where the system is never singular
  SpectralShift prepared_{-1, -1};          // of the factors
  LineScratch<T> scratch_;                  // where lines are worked on in chunks
  Buffer<T, Space> ends_;  // of own blocks; where lines are worked on in chunks those of own nodes
  std::optional<LineRounds<Space, T>> rounds_;  // none for chunks on one process
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
