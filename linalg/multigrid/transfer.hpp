// Between a grid and its coarser one: z += P e and its transpose, r_coarse = P^T d.
//
// P interpolates linearly between the centres of coarse cells, axis by axis: between even pairs 3/4
// of the parent and 1/4 of the coarse cell beyond the nearer side. Beyond a side of the box that is
// `beyond` times the parent; in place of a coarse cell without an unknown it is the parent. For a
// cell that was not joined the parent alone counts.
#pragma once

#include "linalg/multigrid/coarsening.hpp"

namespace hodge::linalg::multigrid {

// The two coarse cells along one axis that a fine one lies between.
template <class T>
struct AxisWeights {
  int parent, other;  // other == parent: it has been counted there
  T own, across;
};

template <class T, int Dim>
HODGE_HD AxisWeights<T> axis_weights(const Coarsening<Dim>& to, int d, int i) {
  const AxisJoin& join = to.axis[d];
  if (!join.coarsens()) return {i, i, T(1), T(0)};
  if (join.listed())
    return {join.parent[i], join.other[i], static_cast<T>(join.own[i]),
            static_cast<T>(join.across[i])};
  const int parent = i / 2, other = i % 2 == 1 ? parent + 1 : parent - 1;
  const int n = to.coarse.extent[d];
  if (other >= 0 && other < n) return {parent, other, T(0.75), T(0.25)};
  if (to.coarse.periodic[d]) return {parent, other < 0 ? n - 1 : 0, T(0.75), T(0.25)};
  const double beyond = to.coarse.beyond[d][other < 0 ? 0 : 1];
  return {parent, parent, static_cast<T>(0.75 + 0.25 * beyond), T(0)};
}

// visit(C, weight) for the coarse cells that the value at c is made of.
template <int Dim, class T, class Visit>
HODGE_HD void for_each_weight(const Coarsening<Dim>& to, const T* coarse_inverse,
                              const Index<Dim>& c, Visit visit) {
  AxisWeights<T> axis[Dim];
  for (int d = 0; d < Dim; ++d) axis[d] = axis_weights<T>(to, d, c[d]);
  T folded = T(0);
  for (int corner = (1 << Dim) - 1; corner >= 0; --corner) {
    Index<Dim> C = c;
    T weight = T(1);
    for (int d = 0; d < Dim; ++d) {
      const bool across = ((corner >> d) & 1) != 0;
      C[d] = across ? axis[d].other : axis[d].parent;
      weight *= across ? axis[d].across : axis[d].own;
    }
    if (corner == 0) {
      visit(C, weight + folded);
    } else if (weight != T(0)) {
      if (coarse_inverse[to.coarse.position(C)] == T(0))
        folded += weight;
      else
        visit(C, weight);
    }
  }
}

template <int Dim, class Space, class T>
void prolong_and_add(const Coarsening<Dim>& to, const T* fine_inverse, const T* coarse_inverse,
                     const T* e, T* z) {
  for_each_guarded<Space>(to.fine.box(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const int p = to.fine.position(c);
    if (fine_inverse[p] == T(0)) return;
    T sum = T(0);
    for_each_weight(to, coarse_inverse, c, [&](const Index<Dim>& C, T weight) {
      sum += weight * e[to.coarse.position(C)];
    });
    z[p] += sum;
  });
}

// The fine cells that may have a part in C along one axis: `count` of them from `first` on.
template <int Dim>
HODGE_HD void sources(const Coarsening<Dim>& to, const Index<Dim>& C, Index<Dim>& first,
                      Index<Dim>& count) {
  for (int d = 0; d < Dim; ++d) {
    const bool joins = to.axis[d].coarsens();
    first[d] = to.first_child(d, C[d]) - (joins ? 1 : 0);
    count[d] = joins ? to.children(d, C[d]) + 2 : 1;
  }
}

// (P^T d)_C. A cell d = 0 where there is no unknown.
template <int Dim, class T>
HODGE_HD T restricted(const Coarsening<Dim>& to, const T* coarse_inverse, const T* d,
                      const Index<Dim>& C) {
  Index<Dim> first{}, count{};
  sources(to, C, first, count);
  T sum = T(0);
  const int points = Dim == 2 ? count[0] * count[1] : count[0] * count[1] * count[Dim - 1];
  for (int k = 0; k < points; ++k) {
    Index<Dim> c = first;
    bool exists = true;
    for (int e = 0, rest = k; e < Dim; rest /= count[e], ++e) {
      c[e] += rest % count[e];
      if (to.fine.periodic[e] && count[e] > 1)
        c[e] += c[e] < 0 ? to.fine.extent[e] : c[e] >= to.fine.extent[e] ? -to.fine.extent[e] : 0;
      exists = exists && c[e] >= 0 && c[e] < to.fine.extent[e];
    }
    if (!exists) continue;
    const T value = d[to.fine.position(c)];
    if (value == T(0)) continue;
    for_each_weight(to, coarse_inverse, c, [&](const Index<Dim>& to_cell, T weight) {
      sum += to_cell == C ? weight * value : T(0);
    });
  }
  return sum;
}

// Where every coarse cell has an unknown: the weights along the axes multiply.
template <int Dim, class T>
HODGE_HD T restricted_by_axes(const Coarsening<Dim>& to, const T* d, const Index<Dim>& C) {
  Index<Dim> first{}, count{};
  sources(to, C, first, count);
  int at[Dim][4];
  T weight[Dim][4];
  int position_factor = 1;
  for (int e = 0; e < Dim; ++e) {
    for (int k = 0; k < 4; ++k) {
      int i = first[e] + k;
      const int n = to.fine.extent[e];
      if (to.fine.periodic[e]) i += i < 0 ? n : i >= n ? -n : 0;
      const bool counts = i >= 0 && i < n && k < count[e];
      weight[e][k] = T(0);
      at[e][k] = 0;
      if (!counts) continue;
      at[e][k] = i * position_factor;
      if (to.axis[e].listed()) {
        weight[e][k] = static_cast<T>(to.axis[e].gather[4 * C[e] + k]);
        continue;
      }
      const AxisWeights<T> axis = axis_weights<T>(to, e, i);
      weight[e][k] =
          (axis.parent == C[e] ? axis.own : T(0)) + (axis.other == C[e] ? axis.across : T(0));
    }
    position_factor *= to.fine.extent[e];
  }
  T sum = T(0);
  for (int k2 = 0; k2 < (Dim == 3 ? 4 : 1); ++k2)
    for (int k1 = 0; k1 < 4; ++k1) {
      const T outer = weight[1][k1] * (Dim == 3 ? weight[Dim - 1][k2] : T(1));
      if (outer == T(0)) continue;
      const int base = at[1][k1] + (Dim == 3 ? at[Dim - 1][k2] : 0);
      T line = T(0);
      for (int k0 = 0; k0 < 4; ++k0) line += weight[0][k0] * d[base + at[0][k0]];
      sum += outer * line;
    }
  return sum;
}

// Whether a coarse cell that shares fine cells with C is without an unknown.
template <int Dim, class T>
HODGE_HD bool has_hole_around(const Coarsening<Dim>& to, const T* coarse_inverse,
                              const Index<Dim>& C) {
  bool found = false;
  for (int k = 0; k < (Dim == 3 ? 27 : 9); ++k) {
    Index<Dim> at = C;
    bool exists = true;
    for (int e = 0, rest = k; e < Dim; rest /= 3, ++e) {
      const int n = to.coarse.extent[e];
      if (to.axis[e].coarsens()) at[e] += rest % 3 - 1;
      if (to.coarse.periodic[e]) at[e] += at[e] < 0 ? n : at[e] >= n ? -n : 0;
      exists = exists && at[e] >= 0 && at[e] < n;
    }
    if (exists) found = found || coarse_inverse[to.coarse.position(at)] == T(0);
  }
  return found;
}

// `holes`: whether any coarse cell is without an unknown.
template <int Dim, class Space, class T>
void restrict_to_coarse(const Coarsening<Dim>& to, bool holes, const T* coarse_inverse, const T* d,
                        T* r) {
  for_each_guarded<Space>(to.coarse.box(), [=] HODGE_LAMBDA(const Index<Dim>& C) {
    const int P = to.coarse.position(C);
    if (!holes || !has_hole_around(to, coarse_inverse, C))
      r[P] = restricted_by_axes(to, d, C);
    else
      r[P] = coarse_inverse[P] == T(0) ? T(0) : restricted(to, coarse_inverse, d, C);
  });
}

}  // namespace hodge::linalg::multigrid
