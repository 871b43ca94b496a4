// The gradient of a velocity at the centre of a cell, of second order also beside walls and on
// stretched grids: G_de = du_d/dx_e, of what viscosities and eddy viscosities are made of.
//
//   d = e   (u_d(c + e_d) - u_d(c)) / h_d, so that the trace is div u
//   d != e  U_d the mean of the two faces of the cell, a and b the distances to the values beside:
//
//             |<- a ->|<-- b -->|       G = (b (U - U_below) / a + a (U_above - U) / b) / (a + b)
//           U_below   U      U_above
//
// In a side along which the velocity is given, and in a wall of a body, the value beside is that in
// the side, half a cell away: the ghost beyond is 2 U_side - U. Ghosts of u are filled.
//
// The velocity may be extrapolated from two levels.
#pragma once

#include <cmath>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/operators/resistance.hpp"

namespace hodge::sim {

// What gradients at cells are made of.
template <int Dim>
struct ResolvedVelocity {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  BodyView<Dim> bodies;
  ResistingVelocity<Dim> u;
};

template <int Dim>
struct VelocityGradient {
  double of[Dim][Dim];  // [d][e] = du_d/dx_e

  // S_de
  HODGE_HD double strain(int d, int e) const { return 0.5 * (of[d][e] + of[e][d]); }
  // (2 S:S)^(1/2)
  HODGE_HD double shear_rate() const {
    double squares = 0.0;
    for (int d = 0; d < Dim; ++d)
      for (int e = 0; e < Dim; ++e) squares += strain(d, e) * strain(d, e);
    return std::sqrt(2.0 * squares);
  }
};

// The mean over the faces of component d below and above cell c.
template <int Dim>
HODGE_HD double cell_mean(const ResolvedVelocity<Dim>& on, int d, const Index<Dim>& c) {
  return 0.5 * (on.u(d, c) + on.u(d, c.shifted(d, 1)));
}

// The difference from U_d here to the value beside c along e, outwards over its distance.
template <int Dim>
HODGE_HD double slope_towards(const ResolvedVelocity<Dim>& on, int d, int e, int side,
                              const Index<Dim>& c, double* distance) {
  const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
  const double here = cell_mean(on, d, c);
  *distance = on.grid.distance(e, c[e] + side);
  const bool beyond = side == 0 ? c[e] == 0 : c[e] == on.grid.cells[e] - 1;
  bool at_wall = beyond && !on.sides.continues[e][side] && on.sides.velocity_along[e][side];
  double value;
  if (on.bodies.any() && on.bodies.body(there) != 0) {
    value = 0.0;
    for (int upper = 0; upper < 2; ++upper) {
      const Index<Dim> face = c.shifted(d, upper);
      if (on.bodies.excludes(d, face)) continue;
      const AffineClosure closure = on.bodies.beyond(d, e, side, face);
      at_wall = at_wall || closure.slope < 0.0;
      value += 0.5 * closure(on.u(d, face));
    }
  } else {
    value = cell_mean(on, d, there);
  }
  if (at_wall) {
    value = 0.5 * (value + here);
    *distance *= 0.5;
  }
  return (value - here) / *distance;
}

template <int Dim>
HODGE_HD VelocityGradient<Dim> resolved_gradient(const ResolvedVelocity<Dim>& on,
                                                 const Index<Dim>& c) {
  VelocityGradient<Dim> gradient;
  for (int d = 0; d < Dim; ++d)
    for (int e = 0; e < Dim; ++e) {
      if (d == e) {
        gradient.of[d][e] =
            (on.u(d, c.shifted(d, 1)) - on.u(d, c)) * on.grid.inverse_width(d, c[d]);
        continue;
      }
      double a, b;
      const double below = -slope_towards(on, d, e, 0, c, &a);
      const double above = slope_towards(on, d, e, 1, c, &b);
      gradient.of[d][e] = (b * below + a * above) / (a + b);
    }
  return gradient;
}

}  // namespace hodge::sim
