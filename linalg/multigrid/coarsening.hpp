// The coarser grid and its matrix.
//
// Thin cells are joined in pairs (choose_coarsening.hpp). On an even grid all cells are; of an odd
// number the last stays alone, or counts as half of a pair with its mirror image beside a side
// without a gradient. A coarse coupling is the sum of the fine couplings through the face between
// two coarse cells, times the distance of the fine cells over that of the coarse cells (1/2 between
// pairs, 2/3 between a pair and a cell alone). With smooth coefficients this is the finite
// volume matrix of the coarse grid, and half the Galerkin matrix of piecewise constant values. The
// rest of a row beside its couplings, its row sum (time derivative, reaction), is added up. In
// cells at a side of the box the row sum comes from the side and is halved in a pair. Source: D.
// Braess, Computing 55, 1995 (the factor).
#pragma once

#include "linalg/multigrid/stencil.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

// An AxisPlan (axis_plan.hpp) in the memory of the space. The pointers are null unless the plan is
// listed: then all cells are joined in pairs, or none.
struct AxisJoin {
  bool pairs = false;
  const int *first = nullptr, *parent = nullptr, *other = nullptr;
  const float *own = nullptr, *across = nullptr, *gather = nullptr, *scale = nullptr;
  HODGE_HD bool listed() const { return parent != nullptr; }
  HODGE_HD bool coarsens() const { return pairs || listed(); }
};

template <int Dim>
struct Coarsening {
  LevelShape<Dim> fine, coarse;
  AxisJoin axis[Dim];

  HODGE_HD int first_child(int d, int C) const {
    return axis[d].listed() ? axis[d].first[C] : (axis[d].pairs ? 2 * C : C);
  }
  HODGE_HD int children(int d, int C) const {
    if (axis[d].listed()) return axis[d].first[C + 1] - axis[d].first[C];
    return axis[d].pairs && 2 * C + 1 < fine.extent[d] ? 2 : 1;
  }
  // c := child `number` of C, whose bit d says which of two along axis d; false: C has it not.
  HODGE_HD bool child(const Index<Dim>& C, int number, Index<Dim>& c) const {
    bool exists = true;
    for (int d = 0; d < Dim; ++d) {
      const int second = (number >> d) & 1;
      c[d] = first_child(d, C[d]) + second;
      exists = exists && second < children(d, C[d]);
    }
    return exists;
  }
  // Whether the last cell along d stays alone while all others are joined in pairs. Beside a side
  // without a gradient it does not: it is half of a pair with its mirror image.
  HODGE_HD bool last_is_alone(int d) const {
    const bool mirrors = !fine.periodic[d] && fine.beyond[d][1] == 1.0;
    return axis[d].pairs && fine.extent[d] % 2 == 1 && !mirrors;
  }
  // Whether fine cells i and i + 1 lie on both sides of a face of that cell; a ring has two.
  HODGE_HD bool is_face_of_last(int d, int i) const {
    const int n = fine.extent[d];
    return last_is_alone(d) && (i == n - 2 || (i == n - 1 && fine.periodic[d]));
  }
  // The factor of the coupling through the upper face of i, and of the row sum of a cell at a side.
  HODGE_HD double face_scale(int d, int i) const {
    if (axis[d].listed()) return static_cast<double>(axis[d].scale[i]);
    return is_face_of_last(d, i) ? 2.0 / 3.0 : axis[d].pairs ? 0.5 : 1.0;
  }
  HODGE_HD double side_scale(int d, int C) const { return children(d, C) == 2 ? 0.5 : 1.0; }
};

// Computes the coarse row of C from the rows of its children, of a stencil or of one of a box
// (box_stencil.hpp).
template <int Dim, class Fine, class T>
HODGE_HD void join_rows(const Coarsening<Dim>& to, const Fine& fine, const T* fine_row_sums,
                        const StencilView<Dim, T>& coarse, T* coarse_row_sums,
                        const Index<Dim>& C) {
  double upper[Dim] = {}, lower[Dim] = {}, row_sum = 0.0;
  for (int child = 0; child < 1 << Dim; ++child) {
    Index<Dim> c = C;
    if (!to.child(C, child, c)) continue;
    const int p = to.fine.position(c);
    double own = static_cast<double>(fine_row_sums[p]);
    for (int d = 0; d < Dim; ++d) {
      const int first_child = to.first_child(d, C[d]), n = to.fine.extent[d];
      const bool at_side = !to.fine.periodic[d] && (c[d] == 0 || c[d] == n - 1);
      if (at_side) own *= to.side_scale(d, C[d]);
      const bool first = c[d] == first_child, last = c[d] == first_child + to.children(d, C[d]) - 1;
      if (last && to.fine.has_above(c, d))
        upper[d] += to.face_scale(d, c[d]) * static_cast<double>(fine.upper_of(c, d));
      if (first && to.fine.has_below(c, d))
        lower[d] += to.face_scale(d, c[d] > 0 ? c[d] - 1 : n - 1) *
                    static_cast<double>(fine.lower_of(c, d));
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

// The rows of the coarse cells in `layers`.
template <int Dim, class Space, class Fine, class T>
void coarsen(const Coarsening<Dim>& to, const Layers& layers, const Fine& fine,
             const T* fine_row_sums, const StencilView<Dim, T>& coarse, T* coarse_row_sums) {
  for_each<Space>(to.coarse.box(layers), [=] HODGE_LAMBDA(const Index<Dim>& C) {
    join_rows(to, fine, fine_row_sums, coarse, coarse_row_sums, C);
  });
}

}  // namespace hodge::linalg::multigrid
