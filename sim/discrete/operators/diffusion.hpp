// Diffusion through the sides of control volumes: flux in = D g (q there - q here).
//
//   g_e(c) = r area / distance of the two points,   of the side below c along e
//
// The side above is g_e(c + e_e). For a velocity component d along d the points are faces, one cell
// width apart; otherwise they are delta apart. In units of L^(Dim - 2). r is the coefficient of
// that side (fields/face_coefficient.hpp), 1 where D is a constant.
//
// Of a velocity whose viscosity varies, the transpose of its gradient has a flux too, explicit in
// every scheme, with u_e on both sides of the edge or cell that the side's middle is:
//
//   flux in along e of u_d = D r area (u_e(c) - u_e(c - e_d)) / their distance
//
// With r = 1 it is the derivative of the divergence along d: 0 within the box.
#pragma once

#include <type_traits>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

// Of r = 1.
template <int Dim, class Grid>
HODGE_HD double conductance(const Grid& grid, int location, int e, const Index<Dim>& c) {
  return grid.control_area(location, e, c) * grid.inverse_spacing(location, e, c);
}

template <class Operator>
inline constexpr bool may_vary = !std::is_same_v<decltype(Operator::coefficient), UnitCoefficient>;

// Of a transport operator, with its coefficient.
template <int Dim, class Operator>
HODGE_HD double conductance(const Operator& on, int e, const Index<Dim>& c) {
  const double g = conductance(on.grid, on.location, e, c);
  if constexpr (may_vary<Operator>)
    return on.coefficient.at(on.location, e, c) * g;
  else
    return g;
}

// The control volume at c times the capacity of what is there, 1 but for a scalar in a body; and
// 1 over that.
template <int Dim, class Operator>
HODGE_HD double storage(const Operator& on, const Index<Dim>& c) {
  const double volume = on.grid.control_volume(on.location, c);
  if constexpr (may_vary<Operator>)
    return on.coefficient.capacity_at(c) * volume;
  else
    return volume;
}
template <int Dim, class Operator>
HODGE_HD double inverse_storage(const Operator& on, const Index<Dim>& c) {
  const double inverse = on.grid.inverse_control_volume(on.location, c);
  if constexpr (may_vary<Operator>)
    return inverse / on.coefficient.capacity_at(c);
  else
    return inverse;
}

// The flux of the transpose through the side below c along e, for D = 1.
template <int Dim, class Operator>
HODGE_HD double transposed_flux(const Operator& on, const ConstVelocityView<Dim>& u, int e,
                                const Index<Dim>& c) {
  const int d = on.location;
  return on.coefficient.at(d, e, c) * on.grid.control_area(d, e, c) *
         (u[e](c) - u[e](c.shifted(d, -1))) * on.grid.inverse_spacing(e, d, c);
}

// q there - q here across the side below or above c.
template <int Dim>
HODGE_HD double difference_across(const ConstFieldView<Dim>& q, const BodyView<Dim>& bodies,
                                  int location, int e, int side, const Index<Dim>& c) {
  const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
  const double value =
      bodies.excludes(location, there) ? bodies.beyond(location, e, side, c)(q(c)) : q(there);
  return value - q(c);
}

}  // namespace hodge::sim
