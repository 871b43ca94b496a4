// Makes a stencil from a CSR matrix whose rows are cells of a grid.
#pragma once

#include "linalg/multigrid/stencil.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

// Copies the entries of a cell's row to the stencil, of one without couplings the diagonal alone.
// In a ring of two cells both neighbours are the same cell, and each gets half of the entry.
// Returns how many entries were copied.
template <int Dim, class V, class T>
HODGE_HD int take_row(const CsrView<V>& a, const int* row_of_cell, const StencilView<Dim, T>& to,
                      const Index<Dim>& c, T* row_sum) {
  const LevelShape<Dim>& shape = to.shape;
  const int p = shape.position(c), row = row_of_cell == nullptr ? p : row_of_cell[p];
  double upper[Dim] = {}, lower[Dim] = {}, diagonal = 0.0, sum = 0.0;
  int taken = 0;
  if (row >= 0) {
    int above[Dim], below[Dim];
    for (int d = 0; d < Dim; ++d) {
      const int u = shape.has_above(c, d) ? shape.above(c, d) : p;
      const int l = shape.has_below(c, d) ? shape.below(c, d) : p;
      above[d] = u == p ? -1 : row_of_cell == nullptr ? u : row_of_cell[u];
      below[d] = l == p ? -1 : row_of_cell == nullptr ? l : row_of_cell[l];
    }
    for (int k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      const int column = a.columns[k];
      const double value = static_cast<double>(a.values[k]);
      sum += value;
      bool known = column == row;
      if (known) diagonal = value;
      for (int d = 0; d < Dim && !known; ++d) {
        const bool is_above = column == above[d], is_below = column == below[d];
        known = is_above || is_below;
        if (!known) continue;
        const double share = is_above && is_below ? 0.5 * value : value;
        if (is_above) upper[d] = share;
        if (is_below) lower[d] = share;
      }
      taken += known ? 1 : 0;
    }
  }
  to.inverse[p] = diagonal != 0.0 ? static_cast<T>(1.0 / diagonal) : T(0);
  *row_sum = static_cast<T>(sum);
  for (int d = 0; d < Dim && to.uppers[d] != nullptr; ++d) {
    to.uppers[d][p] = static_cast<T>(upper[d]);
    if (to.lowers[d] != nullptr) to.lowers[d][p] = static_cast<T>(lower[d]);
  }
  return taken;
}

// row_sums of every cell are added up before the entries are rounded to T.
template <int Dim, class Space, class V, class T>
void take_rows(const CsrView<V>& a, const int* row_of_cell, const StencilView<Dim, T>& to,
               T* row_sums) {
  for_each<Space>(to.shape.box(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    take_row(a, row_of_cell, to, c, row_sums + to.shape.position(c));
  });
}

// The number of entries of A that couple cells that are not neighbours on the grid.
template <int Dim, class Space, class V, class T>
long long entries_beside_the_stencil(const CsrView<V>& a, const int* row_of_cell,
                                     const StencilView<Dim, T>& to, T* row_sums) {
  const auto [taken] = reduce_to_host<Space, 1>(
      to.shape.box(), {Reduction::sum}, [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = take_row(a, row_of_cell, to, c, row_sums + to.shape.position(c));
      });
  return a.nonzeros - static_cast<long long>(taken);
}

}  // namespace hodge::linalg::multigrid
