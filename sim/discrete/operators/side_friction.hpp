// Diffusion of a velocity component across the first points beside a side of the box along which
// the velocity is given (wall, inflow). The side is half a cell from the first value u_1:
//
//     side        u_1               u_2         u_ghost = 2 u_side - u_1, so that the fluxes of
//       |<-- a --->|<------ b ------>|          diffusion.hpp are (u_side - u_1) / a and
//       |       cell       |                    (u_2 - u_1) / b
//
// Their sum over the width h of the cell is (a + b) / (2 h) of the second derivative at u_1, 3/4 on
// equal cells: the fluxes lie (a + b) / 2 apart, not h. Therefore
//
//   diffusion along e in that row = f D (sum of both fluxes),   f = 2 h / (a + b)      4/3
//
// which is the second derivative of the parabola through the three points. Momentum is kept: on
// equal cells f is the same as a flux through the side of D (8 u_side - 9 u_1 + u_2) / (3 h), which
// is of second order. Without f the velocity is C h^2 off along the side; where two such sides meet
// C h^2 falls to 0 within a cell, to which the pressure answers with an error of order h.
//
// The matrix of diffusion is then no longer symmetric, but it is when every row is divided by the
// product of its factors over the axes (assembly/side_rows.hpp). Its symmetric part stays positive
// definite, because f < 3: kinetic energy decays (velocity_gradients.hpp). Next to a solid, and of
// scalars, f = 1.
#pragma once

#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// Whether a location has rows with f != 1 beside a side.
template <int Dim>
HODGE_HD bool has_side_friction(const SideKinds<Dim>& sides, int location, int e, int side) {
  return location != at_cells && location != e && sides.velocity_along[e][side];
}

// f along axis e of the row of c; 1 but beside such a side.
template <int Dim>
HODGE_HD double side_factor(const GridView<Dim>& grid, const SideKinds<Dim>& sides,
                            const BodyView<Dim>& bodies, int location, int e, const Index<Dim>& c) {
  const bool below = c[e] == 0 && has_side_friction(sides, location, e, 0);
  const bool above = c[e] == grid.cells[e] - 1 && has_side_friction(sides, location, e, 1);
  if (!below && !above) return 1.0;
  if (bodies.excludes(location, c.shifted(e, -1)) || bodies.excludes(location, c.shifted(e, 1)))
    return 1.0;
  const double lower = (below ? 0.5 : 1.0) * grid.distance(e, c[e]);
  const double upper = (above ? 0.5 : 1.0) * grid.distance(e, c[e] + 1);
  return 2.0 * grid.width(e, c[e]) / (lower + upper);
}

// What the factor along e adds to diffusion(c) (transport.hpp), over a whole control volume also at
// faces in open sides, which have half of one (open_faces.hpp).
template <int Dim>
HODGE_HD double added_side_friction(const TransportOperator<Dim>& on, const ConstFieldView<Dim>& q,
                                    int e, const Index<Dim>& c) {
  double in = 0.0;
  for (int side = 0; side < 2; ++side)
    in += conductance(on, e, c.shifted(e, side)) *
          difference_across(q, on.bodies, on.location, e, side, c);
  return (side_factor(on.grid, on.sides, on.bodies, on.location, e, c) - 1.0) * on.diffusivity * in;
}

template <int Dim>
HODGE_HD double share_of_control_volume(const TransportOperator<Dim>& on, const Index<Dim>& c) {
  const int d = on.location;
  if (d == at_cells) return 1.0;
  const bool half =
      (c[d] == 0 && on.sides.open[d][0]) || (c[d] == on.grid.cells[d] && on.sides.open[d][1]);
  return half ? 0.5 : 1.0;
}

// The rows beside the sides of axis e that have a factor along e: those of the box with index[k],
// k < count, in place of their index along e. One kernel an axis runs over the box, and each of its
// points over k.
template <int Dim>
struct SideRows {
  Box<Dim> box;
  int axis, count = 0;
  int index[2] = {};

  HODGE_HD Index<Dim> at(int k, const Index<Dim>& c) const { return with(c, axis, index[k]); }
};

template <int Dim>
SideRows<Dim> side_rows(const TransportOperator<Dim>& on, const Box<Dim>& rows, int e) {
  SideRows<Dim> beside{rows, e};
  beside.box.upper[e] = rows.lower[e] + 1;
  for (int side = 0; side < 2; ++side)
    if (has_side_friction(on.sides, on.location, e, side))
      beside.index[beside.count++] = side == 0 ? rows.lower[e] : rows.upper[e] - 1;
  return beside;
}

}  // namespace hodge::sim
