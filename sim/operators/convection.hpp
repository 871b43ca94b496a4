// Convection in conservative form on the control volumes of u_d: the sum over their sides of
// (flux out) * (u_d at the side).
//
//       c - e_d        c            q_e(c), the flux along e through the side below the control
//     +-------+-------+             volume of u_d at face c, is half of what passes the two faces
//     |    ...|...    |             that this side is made of:
//     |    : u_d(c)   |
//     |    :..|..:    |               q_e(c) = (A_e u_e (c - e_d) + A_e u_e (c)) / 2
//     +---^---+---^---+
//   u_e(c-e_d)  u_e(c)              for e = d too; through the side above it is q_e(c + e_e).
//
// So the net flux out of a control volume is the mean of the net outflows of its two cells: 0.
// The value at a side between u_d `here` and u_d `there`, for a flux `out` of the control volume:
//
//   out * value = (out + beta |out|) / 2 * here + (out - beta |out|) / 2 * there
//
// with beta = 0 (central) or 1 (upwind). Central convection by a divergence-free flux is
// skew-symmetric and conserves kinetic energy.
// Source: R. W. C. P. Verstappen & A. E. P. Veldman, J. Comput. Phys. 187, 2003, Sec. 2.
#pragma once

#include <span>
#include <string>

#include "sim/fields/velocity.hpp"
#include "sim/grid/metrics.hpp"

namespace hodge::sim {

struct ConvectionScheme {
  const char* name;
  const char* description;
  double upwind_fraction;  // beta
};

std::span<const ConvectionScheme> convection_table();

// Errors: ConfigError naming the known schemes.
const ConvectionScheme& find_convection_scheme(const std::string& name);

// q_e(c) of the control volume of u_d.
template <int Dim>
HODGE_HD double convecting_flux(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u, int d,
                                int e, const Index<Dim>& c) {
  const Index<Dim> before = c.shifted(d, -1);
  return 0.5 * (grid.face_area(e, before) * u[e](before) + grid.face_area(e, c) * u[e](c));
}

// What one side of a control volume adds to the coefficients of u_d here and there.
struct SideCoefficients {
  double here, there;
};

HODGE_HD inline SideCoefficients convection_coefficients(double out, double upwind_fraction) {
  const double excess = upwind_fraction * (out < 0.0 ? -out : out);
  return {0.5 * (out + excess), 0.5 * (out - excess)};
}

}  // namespace hodge::sim
