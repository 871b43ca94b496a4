// What a closure is made of: the eddy viscosity of a velocity gradient g_ij = du_i/dx_j and the
// widths of the cell. A closure is a struct with its row of facts and a function
//
//   static double eddy_viscosity(const ClosureInput& at, double constant)      L^2/T, >= 0
//
// in a file of its own, and its place in closures.hpp.
#pragma once

#include <cmath>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

struct Closure {
  const char* name;
  const char* description;
  double constant;          // the default
  bool is_damped = false;   // beside walls, by van Driest (smagorinsky.hpp)
  bool is_dynamic = false;  // `constant` is the largest of those that it finds
};

struct ClosureInput {
  double g[3][3];  // [i][j] = du_i/dx_j
  double width[3];

  // (h_x h_y h_z)^(1/3)
  HODGE_HD double filter_width() const { return std::cbrt(width[0] * width[1] * width[2]); }
  HODGE_HD double strain(int i, int j) const { return 0.5 * (g[i][j] + g[j][i]); }
  // S:S
  HODGE_HD double squared_strain() const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += strain(i, j) * strain(i, j);
    return sum;
  }
};

}  // namespace hodge::sim
