// The passes of an elimination along the lines of a box (line_elimination.hpp). Not guarded.
//
// A singular system K y = f, that of the constant, is solved with y_0 = 0, so that layer 0 takes
// the sum F of all f_k. With z = view.spread and Z = sum of z_k f_k the solution wanted, of the
// right side f - F w / sum(w) and without a mean, is x_k = y_k + (F (z_k - z_0) + Z) / factor. F
// and Z are summed over the same tree, as the two ends of one more system; on the way back every
// node gets those of the whole line.
#pragma once

#include <cstddef>

#include "linalg/base/macros.hpp"
#include "linalg/direct/amplitudes.hpp"
#include "linalg/direct/line_parts.hpp"
#include "linalg/direct/line_tree.hpp"

namespace hodge::linalg {

// What leads to a value 0 from the two ends of a chain of which all other layers have been
// eliminated, and the coupling of the two.
struct LineEnds {
  double first, last, between;
};

// What a merge multiplies with: the inverse of the two rows that it eliminates, and their couplings
// with the ends. At the root the inverse of its two rows, or what grounds a constant.
struct MergeFactors {
  double bb, bc, cc, left, right;
};
inline constexpr int values_of_factors = 5;

// Arrays are in the memory of the space.
struct LineView {
  const LineLayer* layers = nullptr;  // of the whole axis
  const LineOp* ops = nullptr;
  int op_count = 0;
  LayerBlocks blocks{};
  int first_block = 0, own_blocks = 0;
  int lines = 0;    // systems of all groups: system s of group g is number g + groups s
  int systems = 0;  // these, that of the sums behind them, and some that fill the last word
  double* factors = nullptr;  // by set, value of MergeFactors and system
  double shift = 0, factor = 1;
  // Of a singular system, by layer: z with K z = e_0 - w / sum(w), with the mean 0 by the weights
  // w. Null: it is not singular.
  const double* spread = nullptr;
};

// What the solution of a singular system has beyond y_k, in which layer 0 is 0.
HODGE_HD inline double beyond_layer_0(const LineView& view, double sum, double spread, int layer) {
  return (sum * (view.spread[layer] - view.spread[0]) + spread) / view.factor;
}

// The number of systems that hold so many lines and the sums.
constexpr int systems_with_sums(int lines) {
  return (lines + lines_at_once) / lines_at_once * lines_at_once;
}

// Values at places of the chain of ends: by place, side and system, of a range of the systems.
template <class T>
struct LineValues {
  T* values = nullptr;
  T* const* rows = nullptr;  // where the rows of places and sides stand apart; null: in `values`
  int sides = 1;
  int first = 0, systems = 0;
};

// The factors of all merges.
template <class Space, class T>
void calculate_factors(const LineView& view, const Amplitudes<T>& amplitudes);
// The ends of the own blocks, without the inner layers.
template <class Space, class T>
void reduce_blocks(const LineView& view, const Amplitudes<T>& amplitudes,
                   const LineValues<T>& ends);
// The merges of `tasks` tasks, the numbers of whose first merges begin at `task`: forward, back
// (the root as well), or both.
enum class MergePass { join, separate, both };
template <class Space, class T>
void run_merges(const LineView& view, const LineMerge* merges, const int* task, int tasks,
                MergePass pass, const LineValues<T>& values);
// All layers of the own blocks from their ends.
template <class Space, class T>
void fill_blocks(const LineView& view, const Amplitudes<T>& amplitudes, const LineValues<T>& ends);

}  // namespace hodge::linalg
