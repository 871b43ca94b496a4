// nu_t = (C D Delta)^2 |S|,   |S| = (2 S:S)^(1/2),   D = 1 - exp(-y+ / 26) beside walls
//
// Sources: J. Smagorinsky, Mon. Weather Rev. 91, 1963; E. R. van Driest, J. Aeronaut. Sci. 23, 1956
// (D; eddy_viscosity.hpp).
#pragma once

#include "sim/discrete/operators/closures/closure.hpp"

namespace hodge::sim {

struct SmagorinskyClosure {
  static constexpr Closure row{
      .name = "smagorinsky",
      .description = "(C Delta)^2 |S|, damped by van Driest beside walls",
      .constant = 0.1,
      .is_damped = true,
  };
  HODGE_HD static double eddy_viscosity(const ClosureInput& at, double constant) {
    const double length = constant * at.filter_width();
    return length * length * std::sqrt(2.0 * at.squared_strain());
  }
};

}  // namespace hodge::sim
