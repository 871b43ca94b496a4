// nu_t = (C Delta)^2 (Sd:Sd)^(3/2) / ((S:S)^(5/2) + (Sd:Sd)^(5/4))
//
// with Sd the symmetric traceless part of g g. It is 0 in a pure shear and goes to 0 at a wall as
// its distance to the third power. Source: F. Nicoud & F. Ducros, Flow Turbul. Combust. 62, 1999,
// Eqs. 10 and 13.
#pragma once

#include "sim/discrete/operators/closures/closure.hpp"

namespace hodge::sim {

struct WaleClosure {
  static constexpr Closure row{
      .name = "wale",
      .description = "wall-adapting local eddy viscosity, 0 in pure shear",
      .constant = 0.325,
  };
  HODGE_HD static double eddy_viscosity(const ClosureInput& at, double constant) {
    double square[3][3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) square[i][j] += at.g[i][k] * at.g[k][j];
    const double third = (square[0][0] + square[1][1] + square[2][2]) / 3.0;
    double sd = 0.0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double s = 0.5 * (square[i][j] + square[j][i]) - (i == j ? third : 0.0);
        sd += s * s;
      }
    const double root = std::sqrt(sd), quarter = std::sqrt(root);
    const double ss = at.squared_strain();
    const double below = ss * ss * std::sqrt(ss) + sd * quarter;
    const double length = constant * at.filter_width();
    return below > 0.0 ? length * length * sd * root / below : 0.0;
  }
};

}  // namespace hodge::sim
