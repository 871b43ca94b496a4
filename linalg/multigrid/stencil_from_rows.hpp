// Makes a stencil from a CSR matrix whose rows are cells of a grid: of the rows of this process,
// where processes share them.
#pragma once

#include "linalg/multigrid/stencil.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

// The column of each cell; -1: none. All rows are here.
struct AllColumns {
  const int* row_of_cell = nullptr;  // null: the rows are the cells in order
  HODGE_HD int operator()(int p) const { return row_of_cell == nullptr ? p : row_of_cell[p]; }
};

// The layers below and above the own ones, as if the last axis were periodic.
struct LayersBeside {
  int below, above;
  LayersBeside(const Layers& own, int all)
      : below((own.begin + all - 1) % all), above(own.end % all) {}
};

// The same of rows of which this process has a part: those of its own layers.
struct PartColumns {
  const int* row_of_cell = nullptr;  // of the own cells; null: the rows are these cells in order
  int first = 0, end = 0;            // cells of the own layers
  int layer = 0;                     // cells of a layer
  int below = 0, above = 0;          // the first cells of the layers beside the own ones
  const int* of_others = nullptr;    // of the layer below, then of the layer above

  HODGE_HD int operator()(int p) const {
    if (p >= first && p < end) return row_of_cell == nullptr ? p - first : row_of_cell[p - first];
    const int in_below = p - below;
    return of_others[in_below >= 0 && in_below < layer ? in_below : layer + p - above];
  }
};

// Copies the entries of a cell's row to the stencil, of one without couplings the diagonal alone.
// In a ring of two cells both neighbours are the same cell, and each gets half of the entry.
// Returns how many entries were copied.
template <int Dim, class V, class Columns, class T>
HODGE_HD int take_row(const CsrView<V>& a, const Columns& column_of, const StencilView<Dim, T>& to,
                      const Index<Dim>& c, T* row_sum) {
  const LevelShape<Dim>& shape = to.shape;
  const int p = shape.position(c), row = column_of(p);
  double upper[Dim] = {}, lower[Dim] = {}, diagonal = 0.0, sum = 0.0;
  int taken = 0;
  if (row >= 0) {
    int above[Dim], below[Dim];
    for (int d = 0; d < Dim; ++d) {
      const int u = shape.has_above(c, d) ? shape.above(c, d) : p;
      const int l = shape.has_below(c, d) ? shape.below(c, d) : p;
      above[d] = u == p ? -1 : column_of(u);
      below[d] = l == p ? -1 : column_of(l);
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

// The rows of the cells in `layers`. row_sums of every cell are added up before the entries are
// rounded to T.
template <int Dim, class Space, class V, class Columns, class T>
void take_rows(const CsrView<V>& a, const Columns& column_of, const Layers& layers,
               const StencilView<Dim, T>& to, T* row_sums) {
  for_each<Space>(to.shape.box(layers), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    take_row(a, column_of, to, c, row_sums + to.shape.position(c));
  });
}

// Does the same, for all rows of A. The number of entries that couple cells that are not neighbours
// on the grid.
template <int Dim, class Space, class V, class Columns, class T>
long long entries_beside_the_stencil(const CsrView<V>& a, const Columns& column_of,
                                     const Layers& layers, const StencilView<Dim, T>& to,
                                     T* row_sums) {
  const auto [taken] = reduce_to_host<Space, 1>(
      to.shape.box(layers), {Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = take_row(a, column_of, to, c, row_sums + to.shape.position(c));
      });
  return a.nonzeros - static_cast<long long>(taken);
}

}  // namespace hodge::linalg::multigrid
