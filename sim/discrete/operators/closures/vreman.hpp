// nu_t = C (B / (a:a))^(1/2),   a_ij = du_j/dx_i,   b_ij = sum_m h_m^2 a_mi a_mj
//
//   B = b_11 b_22 - b_12^2 + b_11 b_33 - b_13^2 + b_22 b_33 - b_23^2
//
// C = 2.5 C_s^2 of Smagorinsky's constant. It is 0 where a has rank 1: in pure shear of any
// direction. Source: A. W. Vreman, Phys. Fluids 16, 2004, Eqs. 5 to 8.
#pragma once

#include "sim/discrete/operators/closures/closure.hpp"

namespace hodge::sim {

struct VremanClosure {
  static constexpr Closure row{
      .name = "vreman",
      .description = "second invariant of the gradients, 0 where only one direction shears",
      .constant = 0.07,
  };
  HODGE_HD static double eddy_viscosity(const ClosureInput& at, double constant) {
    double b[3][3] = {}, squares = 0.0;
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) {
        squares += at.g[i][m] * at.g[i][m];
        for (int j = 0; j < 3; ++j) b[i][j] += at.width[m] * at.width[m] * at.g[i][m] * at.g[j][m];
      }
    const double sum = b[0][0] * b[1][1] - b[0][1] * b[0][1] + b[0][0] * b[2][2] -
                       b[0][2] * b[0][2] + b[1][1] * b[2][2] - b[1][2] * b[1][2];
    return squares > 0.0 && sum > 0.0 ? constant * std::sqrt(sum / squares) : 0.0;
  }
};

}  // namespace hodge::sim
