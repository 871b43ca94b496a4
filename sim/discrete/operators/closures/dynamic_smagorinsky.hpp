// nu_t = C Delta^2 |S|,   C = C_s^2 = <L:M> / <M:M>,   |S| = (2 S:S)^(1/2)
//
//   L_ij = (u_i u_j)^ - u_i^ u_j^        M_ij = 2 Delta^2 ((|S| S_ij)^ - a^2 |S^| S_ij^)
//
// with a test filter ^ along m axes: in each the weights 1/6, 4/6, 1/6, whose second moment is that
// of a box of two cells, so that a = 2^(m/3) of Delta = (h_x h_y h_z)^(1/3). The means < >, the
// axes of the filter and the bounds of C are in dynamic_constant.hpp. L is 0 and so is C in any
// parallel flow, laminar shear above all; at a wall C goes to 0 as its distance to the third power.
//
// Sources: M. Germano, U. Piomelli, P. Moin & W. H. Cabot, Phys. Fluids A 3, 1991; D. K. Lilly,
// Phys. Fluids A 4, 1992 (the quotient).
#pragma once

#include "sim/discrete/operators/closures/smagorinsky.hpp"

namespace hodge::sim {

struct DynamicSmagorinskyClosure {
  static constexpr Closure row{
      .name = "dynamic_smagorinsky",
      .description = "Smagorinsky's constant from a test filter (Germano, Lilly), 0 where laminar",
      .constant = 0.3,
      .is_dynamic = true,
  };
  // constant: C_s
  HODGE_HD static double eddy_viscosity(const ClosureInput& at, double constant) {
    return SmagorinskyClosure::eddy_viscosity(at, constant);
  }
};

// What is filtered: u_i, u_i u_j, S_ij, |S| S_ij; pairs in the order xx, yy, zz, xy, xz, yz.
struct FilteredFlow {
  static constexpr int pairs = 6;
  double u[3] = {}, uu[pairs] = {}, s[pairs] = {}, ss[pairs] = {};

  HODGE_HD static int first(int pair) { return pair < 3 ? pair : pair == 5 ? 1 : 0; }
  HODGE_HD static int second(int pair) { return pair < 3 ? pair : pair == 3 ? 1 : 2; }

  HODGE_HD void add(double weight, const double (&velocity)[3], const double (&strain)[pairs],
                    double size) {
    for (int i = 0; i < 3; ++i) u[i] += weight * velocity[i];
    for (int k = 0; k < pairs; ++k) {
      uu[k] += weight * (velocity[first(k)] * velocity[second(k)]);
      s[k] += weight * strain[k];
      ss[k] += weight * (size * strain[k]);
    }
  }
  HODGE_HD void add(double weight, const FilteredFlow& other) {
    for (int i = 0; i < 3; ++i) u[i] += weight * other.u[i];
    for (int k = 0; k < pairs; ++k) {
      uu[k] += weight * other.uu[k];
      s[k] += weight * other.s[k];
      ss[k] += weight * other.ss[k];
    }
  }
};

// |S| of the six components.
HODGE_HD inline double size_of_strain(const double (&s)[FilteredFlow::pairs]) {
  const double sum =
      s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return std::sqrt(2.0 * sum);
}

struct GermanoProducts {
  double lm = 0, mm = 0;  // L:M, M:M
};

// `ratio_squared`: a^2
HODGE_HD inline GermanoProducts germano_products(const FilteredFlow& of, double width_squared,
                                                 double ratio_squared) {
  const double size = size_of_strain(of.s);
  GermanoProducts sum;
  for (int k = 0; k < FilteredFlow::pairs; ++k) {
    const double twice = k < 3 ? 1.0 : 2.0;
    const double l = of.uu[k] - of.u[FilteredFlow::first(k)] * of.u[FilteredFlow::second(k)];
    const double m = 2.0 * width_squared * (of.ss[k] - ratio_squared * size * of.s[k]);
    sum.lm += twice * l * m;
    sum.mm += twice * m * m;
  }
  return sum;
}

}  // namespace hodge::sim
