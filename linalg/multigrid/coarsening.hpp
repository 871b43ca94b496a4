// The coarser grid and its matrix.
//
// Cells are joined in pairs along the axes whose couplings are strong; the last one of an odd
// number stays alone. A coarse coupling is the sum of the fine ones through the face between two
// coarse cells, halved along an axis that was coarsened, since the distance has doubled. That is
// the finite volume matrix of the coarse grid where the coefficients are smooth, and half the
// Galerkin matrix of piecewise constant values. What a row has beside its couplings (time
// derivative, reaction) is summed; in cells at a side of the box it comes from the side and is
// halved too. Source: D. Braess, Computing 55, 1995 (the factor).
#pragma once

#include <algorithm>

#include "linalg/multigrid/stencil.hpp"
#include "linalg/parallel.hpp"

namespace hodge::linalg::multigrid {

// An axis whose mean coupling is below this part of the largest is left alone for now.
inline constexpr double weak_coupling = 0.3;

template <int Dim>
struct Coarsening {
  LevelShape<Dim> fine, coarse;
  bool joined[Dim];  // the axes that are coarsened

  HODGE_HD Index<Dim> parent(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) c[d] = joined[d] ? c[d] / 2 : c[d];
    return c;
  }
};

// A ring of less than 4 cells is not coarsened.
template <int Dim>
bool can_join(const LevelShape<Dim>& shape, int d) {
  return shape.extent[d] >= (shape.periodic[d] ? 4 : 2);
}

template <int Dim>
Coarsening<Dim> coarsening_of(const LevelShape<Dim>& fine, const double (&mean_coupling)[Dim]) {
  Coarsening<Dim> to{fine, fine, {}};
  double strongest = 0.0;
  for (int d = 0; d < Dim; ++d)
    if (can_join(fine, d)) strongest = std::max(strongest, mean_coupling[d]);
  for (int d = 0; d < Dim; ++d) {
    to.joined[d] = can_join(fine, d) && mean_coupling[d] >= weak_coupling * strongest;
    if (to.joined[d]) to.coarse.extent[d] = (fine.extent[d] + 1) / 2;
  }
  return to;
}

// The mean of |upper_d| over the cells, for each axis.
template <int Dim, class Space, class T>
void mean_couplings(const StencilView<Dim, T>& a, double (&mean)[Dim]) {
  Buffer<double, Space> sums(Dim);
  std::array<Reduction, Dim> kinds;
  kinds.fill(Reduction::sum);
  reduce<Space, Dim>(
      a.shape.box(), kinds,
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[Dim]) {
        const int p = a.shape.position(c);
        for (int d = 0; d < Dim; ++d) {
          const double v = static_cast<double>(a.uppers[d][p]);
          value[d] = v < 0.0 ? -v : v;
        }
      },
      sums.data());
  const auto host = sums.to_host();
  for (int d = 0; d < Dim; ++d) mean[d] = host[static_cast<std::size_t>(d)] / a.shape.cells();
}

// The coarse row of C out of those of its children.
template <int Dim, class T>
HODGE_HD void join_rows(const Coarsening<Dim>& to, const StencilView<Dim, T>& fine,
                        const T* fine_row_sums, const StencilView<Dim, T>& coarse,
                        T* coarse_row_sums, const Index<Dim>& C) {
  double upper[Dim] = {}, lower[Dim] = {}, row_sum = 0.0;
  for (int child = 0; child < 1 << Dim; ++child) {
    Index<Dim> c = C;
    bool exists = true;
    for (int d = 0; d < Dim; ++d) {
      const int second = (child >> d) & 1;
      c[d] = to.joined[d] ? 2 * C[d] + second : C[d];
      exists = exists && (to.joined[d] ? c[d] < to.fine.extent[d] : second == 0);
    }
    if (!exists) continue;
    const int p = to.fine.position(c);
    double own = static_cast<double>(fine_row_sums[p]);
    for (int d = 0; d < Dim; ++d) {
      const double scale = to.joined[d] ? 0.5 : 1.0;
      const bool at_side = !to.fine.periodic[d] && (c[d] == 0 || c[d] == to.fine.extent[d] - 1);
      if (at_side) own *= scale;
      const bool last = !to.joined[d] || c[d] % 2 == 1 || c[d] == to.fine.extent[d] - 1;
      const bool first = !to.joined[d] || c[d] % 2 == 0;
      if (last && to.fine.has_above(c, d))
        upper[d] += scale * static_cast<double>(fine.upper(d, p, to.fine.above(c, d)));
      if (first && to.fine.has_below(c, d))
        lower[d] += scale * static_cast<double>(fine.lower(d, p, to.fine.below(c, d)));
    }
    row_sum += own;
  }
  const int P = to.coarse.position(C);
  double diagonal = row_sum;
  for (int d = 0; d < Dim; ++d) {
    diagonal -= upper[d] + lower[d];
    coarse.uppers[d][P] = static_cast<T>(upper[d]);
    if (coarse.lowers[d] != nullptr) coarse.lowers[d][P] = static_cast<T>(lower[d]);
  }
  coarse.inverse[P] = diagonal != 0.0 ? static_cast<T>(1.0 / diagonal) : T(0);
  coarse_row_sums[P] = static_cast<T>(row_sum);
}

template <int Dim, class Space, class T>
void coarsen(const Coarsening<Dim>& to, const StencilView<Dim, T>& fine, const T* fine_row_sums,
             const StencilView<Dim, T>& coarse, T* coarse_row_sums) {
  for_each<Space>(to.coarse.box(), [=] HODGE_LAMBDA(const Index<Dim>& C) {
    join_rows(to, fine, fine_row_sums, coarse, coarse_row_sums, C);
  });
}

}  // namespace hodge::linalg::multigrid
