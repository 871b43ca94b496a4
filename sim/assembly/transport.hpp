// The transport equation of one velocity component, linear in u*, over its control volumes V:
//
//   V (a0 u* + a1 u^n + a2 u^{n-1}) / dt + sum_sides q^ u*_side
//       = -V (grad p^n)_d / rho + nu sum_sides g (u*_there - u*_here)
//
//   q^   flux of the convecting velocity (operators/convection.hpp)
//   g    conductance (operators/diffusion.hpp)
//
// A known normal neighbour u_wall moves to the right side. A tangential neighbour beyond a wall is
// the ghost 2 u_wall - u_here: its coefficient moves to the diagonal with the sign changed, and
// 2 u_wall to the right side. Without convection the matrix is symmetric, on stretched grids too.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "sim/assembly/pattern.hpp"
#include "sim/operators/convection.hpp"
#include "sim/operators/diffusion.hpp"
#include "sim/operators/gradient.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {

template <int Dim>
struct TransportEquation {
  GridView<Dim> grid;
  BoundaryView<Dim> boundaries;
  ConstVelocityView<Dim> convecting;  // u^, extrapolated to the new level
  ConstVelocityView<Dim> velocity;    // u^n
  ConstVelocityView<Dim> previous;    // u^{n-1}
  ConstFieldView<Dim> pressure;       // p^n
  TimeWeights weights;
  double dt, density, viscosity, upwind_fraction;
};

template <int Dim>
struct TransportRow {
  StencilRow<Dim> matrix;
  double right_side = 0;
};

// Of one side of the control volume of u_d at c. Flux and conductance are those of the lower side
// of a point, so the upper side of c asks at the next point.
template <int Dim>
HODGE_HD SideCoefficients transport_coefficients(const TransportEquation<Dim>& equation, int d,
                                                 int axis, int side, const Index<Dim>& c) {
  const Index<Dim> at = c.shifted(axis, side);
  const double flux = convecting_flux(equation.grid, equation.convecting, d, axis, at);
  const double diffusive = equation.viscosity * conductance(equation.grid, d, axis, at);
  const SideCoefficients convective =
      convection_coefficients(side == 0 ? -flux : flux, equation.upwind_fraction);
  return {convective.here + diffusive, convective.there - diffusive};
}

template <int Dim>
HODGE_HD TransportRow<Dim> transport_row(const TransportEquation<Dim>& equation,
                                         const Unknowns<Dim>& unknowns, int d,
                                         const Index<Dim>& c) {
  const TimeWeights& w = equation.weights;
  const double volume = equation.grid.control_volume(d, c);
  const double old_levels = w.a1 * equation.velocity[d](c) + w.a2 * equation.previous[d](c);
  TransportRow<Dim> row;
  double diagonal = volume * w.a0 / equation.dt;
  row.right_side = -volume * (old_levels / equation.dt +
                              gradient(equation.grid, equation.pressure, d, c) / equation.density);
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      const SideCoefficients a = transport_coefficients(equation, d, axis, side, c);
      diagonal += a.here;
      if (unknowns.has_neighbour(axis, side, c)) {
        row.matrix.coefficient[direction(axis, side)] = a.there;
        continue;
      }
      const double wall = equation.boundaries.wall_velocity[axis][side][d];
      const bool normal = axis == d;
      diagonal -= normal ? 0.0 : a.there;
      row.right_side -= (normal ? 1.0 : 2.0) * a.there * wall;
    }
  row.matrix.coefficient[centre<Dim>] = diagonal;
  return row;
}

// Values of the matrix and the right side of component d; no allocation, nothing waits.
template <int Dim, class Space>
void assemble_transport(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        int d, linalg::CsrMatrix<Space>& matrix,
                        linalg::Vector<Space>& right_side) {
  const int* const row_offsets = matrix.pattern().row_offsets().data();
  double* const values = matrix.values().data();
  double* const b = right_side.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const TransportRow<Dim> row = transport_row(equation, unknowns, d, c);
    store_row(unknowns, c, row.matrix, row_offsets, values);
    b[unknowns.row(c)] = row.right_side;
  });
}

}  // namespace hodge::sim
