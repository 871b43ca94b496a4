// Quantities at cell centres made of the face velocities, second order on uniform grids.
//
//   cell_velocity     U_d(c) = (u_d(c) + u_d(c + e_d)) / 2
//   cell_derivative   dU_d/dx_e = (U_d(c + e_e) - U_d(c - e_e)) / (delta_e(c) + delta_e(c + e_e))
//   vorticity         omega_z = dV/dx - dU/dy, and cyclic
//   gradient          G_de = cell_derivative for e != d; G_dd = (u_d(c + e_d) - u_d(c)) / h_d, so
//   that
//                     the trace is div u
//   q_criterion       Q = (Omega:Omega - S:S) / 2 = -G_de G_ed / 2 where div u = 0
//   strain_rate       |S| = (2 S:S)^(1/2), which is |du/dy| in a plane shear
//
// with S and Omega the symmetric and the antisymmetric part of G (J. C. R. Hunt, A. A. Wray, P.
// Moin, Proc. Summer Program, Center for Turbulence Research, Stanford, 1988: vortices are where Q
// > 0).
//
// Derivatives across axes (e != d) need the ghosts of u.
#pragma once

#include <cmath>

#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD double cell_velocity(const ConstVelocityView<Dim>& u, int d, const Index<Dim>& c) {
  return 0.5 * (u[d](c) + u[d](c.shifted(d, 1)));
}

template <int Dim>
HODGE_HD double cell_derivative(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u, int d,
                                int e, const Index<Dim>& c) {
  const double difference =
      cell_velocity(u, d, c.shifted(e, 1)) - cell_velocity(u, d, c.shifted(e, -1));
  return difference / (grid.distance(e, c[e]) + grid.distance(e, c[e] + 1));
}

// The component of curl u along `axis`; in 2D only axis 2 (z) exists.
template <int Dim>
HODGE_HD double vorticity(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u, int axis,
                          const Index<Dim>& c) {
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  return cell_derivative(grid, u, second, first, c) - cell_derivative(grid, u, first, second, c);
}

template <int Dim>
HODGE_HD double cell_gradient(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u, int d,
                              int e, const Index<Dim>& c) {
  if (d != e) return cell_derivative(grid, u, d, e, c);
  return (u[d](c.shifted(d, 1)) - u[d](c)) / grid.width(d, c[d]);
}

// S:S and Omega:Omega.
struct GradientSquares {
  double symmetric = 0, antisymmetric = 0;
};

template <int Dim>
HODGE_HD GradientSquares gradient_squares(const GridView<Dim>& grid,
                                          const ConstVelocityView<Dim>& u, const Index<Dim>& c) {
  GradientSquares squares;
  for (int d = 0; d < Dim; ++d)
    for (int e = 0; e <= d; ++e) {
      const double g = cell_gradient(grid, u, d, e, c),
                   transposed = cell_gradient(grid, u, e, d, c);
      const double s = 0.5 * (g + transposed), omega = 0.5 * (g - transposed);
      const double count = d == e ? 1.0 : 2.0;  // of the entries with these squares
      squares.symmetric += count * s * s;
      squares.antisymmetric += count * omega * omega;
    }
  return squares;
}

template <int Dim>
HODGE_HD double q_criterion(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                            const Index<Dim>& c) {
  const GradientSquares squares = gradient_squares(grid, u, c);
  return 0.5 * (squares.antisymmetric - squares.symmetric);
}

template <int Dim>
HODGE_HD double strain_rate(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                            const Index<Dim>& c) {
  return std::sqrt(2.0 * gradient_squares(grid, u, c).symmetric);
}

template <int Dim>
HODGE_HD double cell_speed(const ConstVelocityView<Dim>& u, const Index<Dim>& c) {
  double squares = 0.0;
  for (int d = 0; d < Dim; ++d) squares += cell_velocity(u, d, c) * cell_velocity(u, d, c);
  return std::sqrt(squares);
}

}  // namespace hodge::sim
