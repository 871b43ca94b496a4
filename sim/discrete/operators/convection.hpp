// Convection in conservative form on control volumes: the sum over their sides of (flux out) *
// (value at the side), for a velocity component d or a scalar (location at_cells).
//
//       c - e_d        c            q_e(c), the flux along e through the side below the control
//     +-------+-------+             volume of u_d at face c, is half of what passes the two faces
//     |    ...|...    |             that this side is made of:
//     |    : u_d(c)   |
//     |    :..|..:    |               q_e(c) = (A_e u_e (c - e_d) + A_e u_e (c)) / 2
//     +---^---+---^---+
//   u_e(c-e_d)  u_e(c)              for e = d too; through the side above it is q_e(c + e_e). Of a
//                                   cell it is A_e u_e(c).
//
// So the net flux out of a control volume is the mean of the net outflows of its two cells: 0.
// Values at sides: side_values.hpp. Where the flux enters through a side of the box the value there
// is what the condition says, the mean of the values within and beyond, in every scheme: upstream
// of it there is no fluid whose value could be carried. Central convection by a divergence-free
// flux is skew-symmetric and conserves kinetic energy. What a matrix holds is central or upwind, as
//
//   out * value = (out + beta |out|) / 2 * here + (out - beta |out|) / 2 * there,   beta = 0 or 1
//
// and the difference of a higher scheme from upwind is deferred (time/deferred_convection.hpp).
// Sources: R. W. C. P. Verstappen & A. E. P. Veldman, J. Comput. Phys. 187, 2003, Sec. 2;
// P. K. Khosla & S. G. Rubin, Comput. Fluids 2, 1974 (deferred correction).
#pragma once

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/operators/side_values.hpp"

namespace hodge::sim {

// q_e(c) of the control volume of a location.
template <int Dim, class Grid>
HODGE_HD double convecting_flux(const Grid& grid, const ConstVelocityView<Dim>& u, int location,
                                int e, const Index<Dim>& c) {
  const double here = grid.face_area(e, c) * u[e](c);
  if (location == at_cells) return here;
  const Index<Dim> before = c.shifted(location, -1);
  return 0.5 * (grid.face_area(e, before) * u[e](before) + here);
}

// Out of cell c.
template <int Dim, class Grid>
HODGE_HD double net_flux_out(const Grid& grid, const ConstVelocityView<Dim>& u,
                             const Index<Dim>& c) {
  double net = 0.0;
  for (int e = 0; e < Dim; ++e)
    net += convecting_flux(grid, u, at_cells, e, c.shifted(e, 1)) -
           convecting_flux(grid, u, at_cells, e, c);
  return net;
}

// What one side of a control volume adds to the coefficients of the values here and there.
struct SideCoefficients {
  double here, there;
};

HODGE_HD inline SideCoefficients convection_coefficients(double out, double upwind_fraction) {
  const double excess = upwind_fraction * (out < 0.0 ? -out : out);
  return {0.5 * (out + excess), 0.5 * (out - excess)};
}

// The five values of q around the side below c along e, in the direction of the flow. A scalar's
// values in bodies are what their surfaces make of the nearest one on the way there.
template <int Dim>
HODGE_HD void values_along_flow(const ConstFieldView<Dim>& q, const BodyView<Dim>& bodies,
                                int location, int e, double flux, const Index<Dim>& c,
                                double (&s)[5]) {
  if (location != at_cells || !bodies.any()) {
    // Values at places that do not depend on the flux, then a choice: no load waits for another.
    unrolled<5>([&](auto k) {
      const double from_below = q(c.shifted(e, k - 3)), from_above = q(c.shifted(e, 2 - k));
      s[k] = flux >= 0.0 ? from_below : from_above;
    });
    return;
  }
  const int upstream = flux >= 0.0 ? -1 : 0, step = flux >= 0.0 ? 1 : -1;
  Index<Dim> at[5];
  for (int k = 0; k < 5; ++k) {
    at[k] = c.shifted(e, upstream + (k - 2) * step);
    s[k] = q(at[k]);
  }
  const int downstream = flux >= 0.0 ? 1 : 0;
  const auto go_on = [&](int from, int to, int side) {
    if (bodies.excludes(at_cells, at[to]))
      s[to] = bodies.beyond(at_cells, e, side, at[from])(s[from]);
  };
  go_on(2, 3, downstream);
  go_on(3, 4, downstream);
  go_on(2, 1, 1 - downstream);
  go_on(1, 0, 1 - downstream);
}

// Whether a flux along e through the side below c comes in from beyond the box. Along a component's
// own axis the sides of its control volumes are within.
template <int Dim, class Grid>
HODGE_HD bool enters_box(const Grid& grid, const SideKinds<Dim>& sides, int location, int e,
                         double flux, const Index<Dim>& c) {
  if (e == location) return false;
  // `&`: no branches in the middle of a row
  const bool from_below = !sides.continues[e][0] & (c[e] == 0) & (flux > 0.0);
  const bool from_above = !sides.continues[e][1] & (c[e] == grid.cells[e]) & (flux < 0.0);
  return from_below | from_above;
}

}  // namespace hodge::sim
