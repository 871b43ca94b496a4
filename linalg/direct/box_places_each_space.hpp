// The bodies of box_places.hpp.
#pragma once

#include "linalg/base/macros.hpp"
#include "linalg/direct/box_places.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

inline std::array<int, 3> points_along(const std::array<PointOrder, 3>& orders) {
  return {orders[0].points, orders[1].points, orders[2].points};
}

// The orders of three axes for point functions.
struct BoxOrder {
  PointOrder x, y, z;

  explicit BoxOrder(const std::array<PointOrder, 3>& orders)
      : x(orders[0]), y(orders[1]), z(orders[2]) {}
  HODGE_HD int position(int i, int j, int k) const { return i + x.points * (j + y.points * k); }
  HODGE_HD int position(const Index<3>& i) const { return position(i[0], i[1], i[2]); }
  HODGE_HD Index<3> slots(const Index<3>& i) const {
    return {{x.slot(i[0]), y.slot(i[1]), z.slot(i[2])}};
  }
  HODGE_HD Index<3> points(const Index<3>& m) const {
    return {{x.point(m[0]), y.point(m[1]), z.point(m[2])}};
  }
  bool has_signs() const { return x.has_signs() || y.has_signs() || z.has_signs(); }
  // value, or -value.
  template <class T>
  HODGE_HD T with_sign(const Index<3>& m, T value) const {
    const bool negative = (x.is_negative(m[0]) != y.is_negative(m[1])) != z.is_negative(m[2]);
    return negative ? -value : value;
  }
};

// f at every index of a box that may be flat.
template <class Space, class F>
void for_each_entry(const std::array<int, 3>& n, F f) {
  if (n[2] == 1)
    for_each<Space>(Box<2>{{{0, 0}}, {{n[0], n[1]}}}, [=] HODGE_LAMBDA(const Index<2>& i) {
      f(Index<3>{{i[0], i[1], 0}});
    });
  else
    for_each<Space>(Box<3>{{{0, 0, 0}}, {{n[0], n[1], n[2]}}}, f);
}

template <class Space, bool to_slots, bool has_signs, class T>
void move_points(const std::array<PointOrder, 3>& orders, const T* in, T* out) {
  const BoxOrder order(orders);
  for_each_entry<Space>(points_along(orders), [=] HODGE_LAMBDA(const Index<3>& i) {
    const Index<3> m = order.slots(i);
    const int point = order.position(i), slot = order.position(m);
    const T value = in[to_slots ? point : slot];
    out[to_slots ? slot : point] = has_signs ? order.with_sign(m, value) : value;
  });
}

template <class Space, class T>
void put_in_slots(const std::array<PointOrder, 3>& orders, const T* in, T* out) {
  if (BoxOrder(orders).has_signs()) return move_points<Space, true, true>(orders, in, out);
  move_points<Space, true, false>(orders, in, out);
}
template <class Space, class T>
void take_from_slots(const std::array<PointOrder, 3>& orders, const T* in, T* out) {
  if (BoxOrder(orders).has_signs()) return move_points<Space, false, true>(orders, in, out);
  move_points<Space, false, false>(orders, in, out);
}

// An entry of a packed box: its two slots and its factor.
struct PackedEntry {
  BoxOrder order;
  const Complex<double>*x_shift, *y_shift, *z_shift;
  int axis, half, nx, ny;  // half the points of the packed axis; entries along x and y

  explicit PackedEntry(const Packing& packing)
      : order(packing.orders),
        x_shift(packing.shifts[0]),
        y_shift(packing.shifts[1]),
        z_shift(packing.shifts[2]),
        axis(packing.axis),
        half(packing.orders[static_cast<std::size_t>(packing.axis)].points / 2),
        nx(axis == 0 ? half : order.x.points),
        ny(axis == 1 ? half : order.y.points) {}
  HODGE_HD int position(const Index<3>& m) const { return m[0] + nx * (m[1] + ny * m[2]); }
  HODGE_HD Index<3> second(const Index<3>& m) const { return m.shifted(axis, half); }
  template <class T>
  HODGE_HD Complex<T> shift(const Index<3>& m) const {
    Complex<T> factor{1, 0};
    if (x_shift != nullptr) factor = factor * rounded<T>(x_shift[m[0]]);
    if (y_shift != nullptr) factor = factor * rounded<T>(y_shift[m[1]]);
    if (z_shift != nullptr) factor = factor * rounded<T>(z_shift[m[2]]);
    return factor;
  }
};

inline std::array<int, 3> entries_along(const Packing& packing) {
  std::array<int, 3> n = points_along(packing.orders);
  n[static_cast<std::size_t>(packing.axis)] /= 2;
  return n;
}

template <class Space, class T>
void pack(const Packing& packing, const T* in, Complex<T>* out) {
  const PackedEntry entry(packing);
  for_each_entry<Space>(entries_along(packing), [=] HODGE_LAMBDA(const Index<3>& m) {
    const BoxOrder& order = entry.order;
    const Index<3> n = entry.second(m);
    const T first = order.with_sign(m, in[order.position(order.points(m))]),
            second = order.with_sign(n, in[order.position(order.points(n))]);
    out[entry.position(m)] = Complex<T>{first, -second} * entry.shift<T>(m);
  });
}

template <class Space, class T>
void unpack(const Packing& packing, const Complex<T>* in, T* out) {
  const PackedEntry entry(packing);
  for_each_entry<Space>(entries_along(packing), [=] HODGE_LAMBDA(const Index<3>& m) {
    const BoxOrder& order = entry.order;
    const Index<3> n = entry.second(m);
    const Complex<T> values = in[entry.position(m)] * conjugate(entry.shift<T>(m));
    out[order.position(order.points(m))] = order.with_sign(m, values.re);
    out[order.position(order.points(n))] = order.with_sign(n, -values.im);
  });
}

#define HODGE_BOX_PLACES(T)                                                                 \
  template void put_in_slots<ThisSpace>(const std::array<PointOrder, 3>&, const T*, T*);    \
  template void take_from_slots<ThisSpace>(const std::array<PointOrder, 3>&, const T*, T*); \
  template void pack<ThisSpace>(const Packing&, const T*, Complex<T>*);                     \
  template void unpack<ThisSpace>(const Packing&, const Complex<T>*, T*);
HODGE_BOX_PLACES(double)
HODGE_BOX_PLACES(float)

}  // namespace hodge::linalg
