// Quantities at cell centres made of the face velocities, second order on uniform grids.
//
//   cell_velocity     U_d(c) = (u_d(c) + u_d(c + e_d)) / 2
//   cell_derivative   dU_d/dx_e = (U_d(c + e_e) - U_d(c - e_e)) / (delta_e(c) + delta_e(c + e_e))
//   vorticity         omega_z = dV/dx - dU/dy, and cyclic
//
// Derivatives across axes (e != d) need the ghosts of u.
#pragma once

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

}  // namespace hodge::sim
