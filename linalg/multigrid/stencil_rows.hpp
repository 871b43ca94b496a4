// Multiplies the rows of a stencil with a vector and hands the sums to an operation:
//
//   for_each_row<Space>(a, layers, operation)
//
// calls operation.finish(p, operation.value(p), sum) for every cell p of these layers, which may
// reach beyond the ends of a periodic axis as of for_each_part(); sum adds up
// coupling * operation.value(neighbour) over the neighbours in Operation::part. finish() may write
// only what belongs to p, and nothing that value() of another cell reads. `a` is a StencilView or a
// BoxStencilView: only how a line or column of cells finds its couplings differs. Guarded
// (space.hpp).
#pragma once

#include "linalg/multigrid/box_stencil.hpp"
#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/stencil.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

enum class Neighbours { below, above, both };

template <Neighbours Part>
inline constexpr bool takes_below = Part != Neighbours::above;
template <Neighbours Part>
inline constexpr bool takes_above = Part != Neighbours::below;

// The distances in memory to a cell's two neighbours along one axis; 0 without a neighbour.
struct AcrossAxis {
  int below = 0, above = 0;
  bool has_below = false, has_above = false;
};

template <int Dim>
HODGE_HD AcrossAxis across_axis(const LevelShape<Dim>& shape, const Index<Dim>& c, int d) {
  const int p = shape.position(c);
  AcrossAxis across;
  across.has_below = shape.has_below(c, d);
  across.has_above = shape.has_above(c, d);
  if (across.has_below) across.below = shape.below(c, d) - p;
  if (across.has_above) across.above = shape.above(c, d) - p;
  return across;
}

}  // namespace hodge::linalg::multigrid

#ifdef __CUDACC__
#include "linalg/multigrid/stencil_columns.cuh"
#else
#include "linalg/multigrid/stencil_lines.hpp"
#endif
