// Transfers between a grid and its coarser one: z += P e, and its transpose r_coarse = P^T d.
//
// P interpolates linearly between the centres of coarse cells, axis by axis: on an even grid 3/4 of
// the parent and 1/4 of the coarse cell beyond the nearer side. The value beyond a side of the box
// is `beyond` times the parent's; a coarse cell without an unknown is replaced by the parent. A
// cell that was not joined takes the value of its parent. Layers are those that are computed, of
// the fine grid, perhaps beyond the ends of a periodic axis (for_each_part), and of the coarse one.
#pragma once

#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/transfer_cells.hpp"

#ifdef __CUDACC__
#include "linalg/multigrid/transfer_columns.cuh"
#else
#include "linalg/multigrid/transfer_lines.hpp"
#endif

namespace hodge::linalg::multigrid {

template <int Dim, class Space, class T>
void prolong_and_add(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                     const T* e, T* z) {
  if (!holes.any()) return prolong_without_holes<Space>(to, layers, e, z);
  for_each_part(layers, to.fine.extent[Dim - 1],
                [&](const Layers& part) { prolong_around_holes<Space>(to, holes, part, e, z); });
}

template <int Dim, class Space, class T>
void restrict_to_coarse(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                        const T* d, T* r) {
  if (holes.coarse == nullptr) return restrict_without_holes<Space>(to, layers, d, r);
  restrict_around_holes<Space>(to, holes, layers, d, r);
}

}  // namespace hodge::linalg::multigrid
