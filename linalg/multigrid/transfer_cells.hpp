// The transfers of single cells between a grid and its coarser one (transfer.hpp), some of which
// may have no unknown.
#pragma once

#include <cstdint>

#include "linalg/multigrid/transfer_weights.hpp"

namespace hodge::linalg::multigrid {

// visit(C, weight) for the coarse cells from which the value at c is interpolated.
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
      if (coarse_inverse != nullptr && coarse_inverse[to.coarse.position(C)] == T(0))
        folded += weight;
      else
        visit(C, weight);
    }
  }
}

// The fine cells that may contribute to C: along each axis `count` cells from `first` on.
template <int Dim>
HODGE_HD void sources(const Coarsening<Dim>& to, const Index<Dim>& C, Index<Dim>& first,
                      Index<Dim>& count) {
  for (int d = 0; d < Dim; ++d) {
    const bool joins = to.axis[d].coarsens();
    first[d] = to.first_child(d, C[d]) - (joins ? 1 : 0);
    count[d] = joins ? to.children(d, C[d]) + 2 : 1;
  }
}

// (P^T d)_C; d is 0 in cells without an unknown.
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

// (P^T d)_C if every coarse cell has an unknown: the weights along the axes multiply.
template <int Dim, class T>
HODGE_HD T restricted_by_axes(const Coarsening<Dim>& to, const T* d, const Index<Dim>& C) {
  AxisGather<T> axis[Dim];
  for (int e = 0; e < Dim; ++e) axis[e] = axis_gather<T>(to, e, C[e]);
  const AxisGather<T>& last = axis[Dim - 1];
  T sum = T(0);
  for (int k = 0; k < 4; ++k)
    if (last.weight[k] != T(0))
      sum += last.weight[k] * gather_layer(to, axis, d + last.at[k] * to.fine.layer());
  return sum;
}

// Whether C, or a coarse cell that shares fine cells with C, has no unknown.
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

// Which cells of a grid and its coarser one have no unknown. Null pointers to inverse diagonals:
// every cell has one.
template <class T>
struct Holes {
  const T *fine = nullptr, *coarse = nullptr;  // inverse diagonals
  // Of each coarse cell: whether it or a coarse cell that shares fine cells with it has no unknown,
  // or a fine cell of it. Null without holes. Elsewhere the transfers are those without holes.
  const std::uint8_t* near = nullptr;

  bool any() const { return fine != nullptr || coarse != nullptr; }
};

// Sets Holes::near of the coarse cells in `layers`.
template <int Dim, class Space, class T>
void mark_near_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                     std::uint8_t* near) {
  for_each<Space>(to.coarse.box(layers), [=] HODGE_LAMBDA(const Index<Dim>& C) {
    bool found = holes.coarse != nullptr && has_hole_around(to, holes.coarse, C);
    for (int child = 0; child < 1 << Dim && holes.fine != nullptr; ++child) {
      Index<Dim> c = C;
      found = found || (to.child(C, child, c) && holes.fine[to.fine.position(c)] == T(0));
    }
    near[to.coarse.position(C)] = found ? 1 : 0;
  });
}

// (P e)_c, and 0 in a cell without an unknown.
template <int Dim, class T>
HODGE_HD T interpolated_near_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const T* e,
                                   const Index<Dim>& c) {
  if (holes.fine != nullptr && holes.fine[to.fine.position(c)] == T(0)) return T(0);
  T sum = T(0);
  for_each_weight(to, holes.coarse, c,
                  [&](const Index<Dim>& C, T weight) { sum += weight * e[to.coarse.position(C)]; });
  return sum;
}
template <int Dim, class T>
HODGE_HD T restricted_near_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const T* d,
                                 const Index<Dim>& C) {
  return holes.coarse[to.coarse.position(C)] == T(0) ? T(0) : restricted(to, holes.coarse, d, C);
}

}  // namespace hodge::linalg::multigrid
