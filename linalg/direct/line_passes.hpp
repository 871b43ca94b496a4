// The passes of an elimination along the lines of a box (line_elimination.hpp). Not guarded.
#pragma once

#include <cstddef>

#include "linalg/direct/amplitudes.hpp"
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
  int systems = 0;            // of all groups: system s of group g is number g + groups s
  double* factors = nullptr;  // by set, value of MergeFactors and system
  double shift = 0, factor = 1;
};

// Values at places of the chain of ends: by place, side and system. A process may have a range of
// the systems.
template <class T>
struct LineValues {
  T* values = nullptr;
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
// The merges of `tasks` tasks, the numbers of whose first merges begin at `task`, or back.
template <class Space, class T>
void run_merges(const LineView& view, const LineMerge* merges, const int* task, int tasks,
                bool back, const LineValues<T>& values);
// All of these merges, and back.
template <class Space, class T>
void run_top(const LineView& view, const LineMerge* merges, int count, const LineValues<T>& values);
// All layers of the own blocks from their ends. constant: null, or by layer of the axis the right
// side and the solution of system 0.
template <class Space, class T>
void fill_blocks(const LineView& view, const Amplitudes<T>& amplitudes, const LineValues<T>& ends,
                 double* constant);

// The ends of nodes for those who have a part of the systems, `part` systems each, one after the
// other; or back.
template <class Space, class T>
void pack_ends(const LineValues<T>& ends, const int* places, int count, int part, bool back,
               T* packed);

// Of a singular system: what fill_blocks() left in the amplitude of the constant solves for a right
// side without the sum F, which layer 0 has taken. x = y + F z - mean, with the means by weight.
template <class Space, class T>
void finish_constant(const LineView& view, const Amplitudes<T>& amplitudes, const double* constant,
                     const double* z);

}  // namespace hodge::linalg
