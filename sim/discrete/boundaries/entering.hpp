// Fluid that enters through an open side, where the static pressure is given.
//
// A static pressure does work on whatever enters, so that an eddy that reaches across the side
// could draw energy from it without end. What goes in and out with the side as a whole is left
// alone: up to `free_inflow` times the mean speed at which the side takes fluid in, which is more
// than the largest speed in any developed profile (2.1 in a square duct). Beyond that, and wherever
// fluid returns through a side that the flow leaves by, the given pressure becomes the total
// pressure of fluid at rest outside:
//
//   share = min(1, (free_inflow U / w)^2)     w: local speed inwards, U: mean speed inwards, >= 0
//   across the side   the flux that enters carries u (1 + share) / 2: for a share of 0 it brings no
//                     more energy than it takes (p + rho u^2 / 2 is given)
//   along it          the entering velocity is share times that within
//
// Sources: C.-H. Bruneau & P. Fabrie, Int. J. Numer. Meth. Fluids 19, 1994; M. Braack & P. B.
// Mucha, J. Comput. Math. 32, 2014 (directional do-nothing condition).
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::sim {

inline constexpr double free_inflow = 2.5;

// Mean of the outward velocity over each side, on the device; null: not an open side.
template <int Dim>
struct MeanSpeeds {
  const double* outward[Dim][2] = {};
};

// `inward` <= 0 where fluid leaves: 1.
HODGE_HD inline double entering_share(double inward, const double* mean_outward) {
  if (inward <= 0.0 || mean_outward == nullptr) return 1.0;
  const double mean = *mean_outward < 0.0 ? -*mean_outward : 0.0;
  const double ratio = free_inflow * mean / inward;
  return ratio < 1.0 ? ratio * ratio : 1.0;
}

}  // namespace hodge::sim
