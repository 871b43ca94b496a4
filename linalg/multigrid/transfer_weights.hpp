// The weights of the transfers between a grid and its coarser one (transfer.hpp), along each axis.
#pragma once

#include "linalg/multigrid/coarsening.hpp"

namespace hodge::linalg::multigrid {

// The two coarse cells along one axis that a fine one lies between.
template <class T>
struct AxisWeights {
  int parent, other;  // other == parent: `own` is the whole weight
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
  const int n = to.coarse.extent[d], pairs = to.last_is_alone(d) ? n - 1 : n;
  if (i > 0 && (i + 1) / 2 < pairs) return {parent, other, T(0.75), T(0.25)};
  if (pairs < n) {
    if (parent == n - 1) return {parent, parent, T(1), T(0)};
    if (to.is_face_of_last(d, i) || (i == 0 && to.coarse.periodic[d]))
      return {parent, n - 1, T(2) / T(3), T(1) / T(3)};
  }
  if (to.coarse.periodic[d]) return {parent, other < 0 ? n - 1 : 0, T(0.75), T(0.25)};
  const double beyond = to.coarse.beyond[d][other < 0 ? 0 : 1];
  return {parent, parent, static_cast<T>(0.75 + 0.25 * beyond), T(0)};
}

// The fine cells along one axis that contribute to C; weight 0: there is no such cell.
template <class T>
struct AxisGather {
  int at[4];
  T weight[4];
};

template <class T, int Dim>
HODGE_HD AxisGather<T> axis_gather(const Coarsening<Dim>& to, int d, int C) {
  const AxisJoin& join = to.axis[d];
  const int n = to.fine.extent[d], first = to.first_child(d, C) - (join.coarsens() ? 1 : 0),
            count = join.coarsens() ? to.children(d, C) + 2 : 1;
  AxisGather<T> gather{};
  for (int k = 0; k < 4; ++k) {
    int i = first + k;
    if (to.fine.periodic[d]) i += i < 0 ? n : i >= n ? -n : 0;
    if (i < 0 || i >= n || k >= count) continue;
    gather.at[k] = i;
    if (join.listed()) {
      gather.weight[k] = static_cast<T>(join.gather[4 * C + k]);
      continue;
    }
    const AxisWeights<T> axis = axis_weights<T>(to, d, i);
    gather.weight[k] =
        (axis.parent == C ? axis.own : T(0)) + (axis.other == C ? axis.across : T(0));
  }
  return gather;
}

// The weighted sum, over the axes before the last one, of the layer of fine cells that starts at d.
template <int Dim, class T>
HODGE_HD T gather_layer(const Coarsening<Dim>& to, const AxisGather<T> (&axis)[Dim], const T* d) {
  T sum = T(0);
  for (int k1 = 0; k1 < (Dim == 3 ? 4 : 1); ++k1) {
    const T* const line = d + (Dim == 3 ? axis[1].at[k1] * to.fine.extent[0] : 0);
    T part = T(0);
    for (int k0 = 0; k0 < 4; ++k0) part += axis[0].weight[k0] * line[axis[0].at[k0]];
    sum += Dim == 3 ? axis[1].weight[k1] * part : part;
  }
  return sum;
}

// The weighted sum, over the axes before the last, of the layer of coarse cells that starts at e.
template <int Dim, class T>
HODGE_HD T interpolate_layer(const Coarsening<Dim>& to, const AxisWeights<T> (&axis)[Dim],
                             const T* e) {
  const auto line = [&](const T* at) {
    return axis[0].own * at[axis[0].parent] + axis[0].across * at[axis[0].other];
  };
  if (Dim == 2) return line(e);
  const int n = to.coarse.extent[0];
  return axis[1].own * line(e + axis[1].parent * n) + axis[1].across * line(e + axis[1].other * n);
}

// (P e)_c if every cell has an unknown.
template <int Dim, class T>
HODGE_HD T interpolated(const Coarsening<Dim>& to, const T* e, const Index<Dim>& c) {
  AxisWeights<T> axis[Dim];
  for (int d = 0; d < Dim; ++d) axis[d] = axis_weights<T>(to, d, c[d]);
  const AxisWeights<T>& last = axis[Dim - 1];
  const int layer = to.coarse.layer();
  return last.own * interpolate_layer(to, axis, e + last.parent * layer) +
         last.across * interpolate_layer(to, axis, e + last.other * layer);
}

}  // namespace hodge::linalg::multigrid
