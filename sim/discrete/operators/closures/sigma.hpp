// nu_t = (C Delta)^2 s_3 (s_1 - s_2) (s_2 - s_3) / s_1^2
//
// of the singular values s_1 >= s_2 >= s_3 of g, the roots of the eigenvalues of g^T g, which are
// found by its invariants. It is 0 in flows of two components or two dimensions, in solid rotation,
// and where the fluid only stretches along or only across an axis. Source: F. Nicoud, H. Baya Toda,
// O. Cabrit, S. Bose & J. Lee, Phys. Fluids 23, 2011, Eqs. 2 and A1 to A6.
#pragma once

#include "sim/discrete/operators/closures/closure.hpp"

namespace hodge::sim {

struct SigmaClosure {
  static constexpr Closure row{
      .name = "sigma",
      .description = "singular values of the gradients, 0 in flows of two dimensions",
      .constant = 1.35,
  };
  HODGE_HD static double eddy_viscosity(const ClosureInput& at, double constant) {
    constexpr double third_of_turn = 1.04719755119659774615;  // pi / 3
    double m[3][3] = {}, squares = 0.0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        squares += at.g[i][j] * at.g[i][j];
        for (int k = 0; k < 3; ++k) m[i][j] += at.g[k][i] * at.g[k][j];
      }
    if (!(squares > 0.0)) return 0.0;
    // Of g^T g over its trace, so that powers neither overflow nor vanish.
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] /= squares;
    const double second = m[0][0] * m[1][1] - m[0][1] * m[0][1] + m[0][0] * m[2][2] -
                          m[0][2] * m[0][2] + m[1][1] * m[2][2] - m[1][2] * m[1][2];
    const double third = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                         m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                         m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    const double a1 = 1.0 / 9.0 - second / 3.0, a2 = 1.0 / 27.0 - second / 6.0 + 0.5 * third;
    const double root = std::sqrt(a1 > 0.0 ? a1 : 0.0), cube = root * root * root;
    double cosine = cube > 0.0 ? a2 / cube : 1.0;
    cosine = cosine < -1.0 ? -1.0 : cosine > 1.0 ? 1.0 : cosine;
    const double angle = std::acos(cosine) / 3.0;
    const double first_square = 1.0 / 3.0 + 2.0 * root * std::cos(angle);
    const double middle_square = 1.0 / 3.0 - 2.0 * root * std::cos(third_of_turn + angle);
    const double s1 = std::sqrt(first_square);
    const double s2 = std::sqrt(middle_square > 0.0 ? middle_square : 0.0);
    // The least one by the determinant, which has no cancellation.
    const double product = s1 * s2;
    const double s3 = product > 0.0 && third > 0.0 ? std::sqrt(third) / product : 0.0;
    if (s3 > s2) return 0.0;  // by rounding: two are equal
    const double length = constant * at.filter_width();
    return length * length * std::sqrt(squares) * s3 * (s1 - s2) * (s2 - s3) / first_square;
  }
};

}  // namespace hodge::sim
