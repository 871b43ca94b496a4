// Closures of large-eddy simulation against the formulas of their papers, and where they vanish.
#include "sim/discrete/operators/closures/closures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace hodge::sim {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

ClosureInput input(const Matrix& g, std::array<double, 3> widths = {0.1, 0.2, 0.05}) {
  ClosureInput at{};
  for (std::size_t i = 0; i < 3; ++i) {
    at.width[i] = widths[i];
    for (std::size_t j = 0; j < 3; ++j) at.g[i][j] = g[i][j];
  }
  return at;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
Matrix transposed(const Matrix& a) {
  Matrix t{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = a[j][i];
  return t;
}
double trace(const Matrix& a) {
  return a[0][0] + a[1][1] + a[2][2];
}

// Random, without divergence.
Matrix random_gradient(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  Matrix g{};
  for (auto& row : g)
    for (double& entry : row) entry = any(random);
  g[2][2] = -g[0][0] - g[1][1];
  return g;
}

// a b^T of orthogonal directions: u = (b.x) a, a shear of any direction.
Matrix shear(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  std::array<double, 3> a{any(random), any(random), any(random)}, b{any(random), any(random), 0};
  b[2] = -(a[0] * b[0] + a[1] * b[1]) / a[2];
  Matrix g{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) g[i][j] = a[i] * b[j];
  return g;
}

const double filter = std::cbrt(0.1 * 0.2 * 0.05);

TEST(Closures, smagorinsky_has_its_value_by_hand) {
  // du/dy = 3: |S| = 3.
  EXPECT_DOUBLE_EQ(SmagorinskyClosure::eddy_viscosity(input({{{0, 3, 0}, {}, {}}}), 0.17),
                   0.17 * 0.17 * filter * filter * 3);
  // u = (x, -y, 0): S:S = 2, |S| = 2.
  EXPECT_DOUBLE_EQ(SmagorinskyClosure::eddy_viscosity(input({{{1, 0, 0}, {0, -1, 0}, {}}}), 0.1),
                   0.01 * filter * filter * 2);
}

// Nicoud & Ducros 1999, Eq. 10 by Omega and S (their Eq. 11): Sd:Sd = (S^2 S^2 + O^2 O^2) / 6 +
// 2/3 S^2 O^2 + 2 IV, IV = S_ik S_kj O_jl O_li, where div u = 0.
double wale_by_squares(const Matrix& g, double constant) {
  Matrix s{}, o{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      s[i][j] = 0.5 * (g[i][j] + g[j][i]);
      o[i][j] = 0.5 * (g[i][j] - g[j][i]);
    }
  const double ss = trace(product(s, transposed(s))), oo = trace(product(o, transposed(o)));
  const double fourth = trace(product(product(s, s), product(o, o)));
  const double sd = (ss * ss + oo * oo) / 6 + 2.0 / 3 * ss * oo + 2 * fourth;
  return std::pow(constant * filter, 2) * std::pow(sd, 1.5) /
         (std::pow(ss, 2.5) + std::pow(sd, 1.25));
}

TEST(Closures, wale_is_that_of_strain_and_rotation) {
  std::mt19937 random(1);
  for (int k = 0; k < 100; ++k) {
    const Matrix g = random_gradient(random);
    const double expected = wale_by_squares(g, 0.325);
    EXPECT_NEAR(WaleClosure::eddy_viscosity(input(g), 0.325), expected, 1e-12 * expected);
  }
}

// Vreman 2004, Eq. 8 as a sum of 2x2 minors: B of b = a^T h^2 a is the sum over pairs of rows m < n
// of h_m^2 h_n^2 times the squares of the 2x2 minors of these rows (Cauchy & Binet).
double vreman_by_minors(const Matrix& g, std::array<double, 3> h, double constant) {
  double sum = 0, squares = 0;
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t i = 0; i < 3; ++i) squares += g[i][m] * g[i][m];
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t n = m + 1; n < 3; ++n)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i + 1; j < 3; ++j) {
          const double minor = g[i][m] * g[j][n] - g[j][m] * g[i][n];
          sum += std::pow(h[m] * h[n] * minor, 2);
        }
  return constant * std::sqrt(sum / squares);
}

TEST(Closures, vreman_is_that_of_minors) {
  std::mt19937 random(2);
  for (int k = 0; k < 100; ++k) {
    const Matrix g = random_gradient(random);
    const double expected = vreman_by_minors(g, {0.1, 0.2, 0.05}, 0.07);
    EXPECT_NEAR(VremanClosure::eddy_viscosity(input(g), 0.07), expected, 1e-10 * expected);
  }
}

// By the pattern of derivatives that are not 0 (Vreman 2004, Table I): it vanishes where all of
// them are of one component, or along one axis, and for no other pattern.
TEST(Closures, vreman_vanishes_for_the_patterns_of_rank_one_alone) {
  std::mt19937 random(3);
  int vanishing = 0;
  for (unsigned pattern = 1; pattern < 512; ++pattern) {
    std::uniform_real_distribution<double> any(0.5, 1.5);
    Matrix g{};
    std::array<bool, 3> component{}, axis{};
    for (unsigned k = 0; k < 9; ++k) {
      if ((pattern >> k & 1) == 0) continue;
      g[k / 3][k % 3] = any(random);
      component[k / 3] = axis[k % 3] = true;
    }
    const bool one =
        std::ranges::count(component, true) == 1 || std::ranges::count(axis, true) == 1;
    const double value = VremanClosure::eddy_viscosity(input(g), 0.07);
    if (one) {
      EXPECT_LT(value, 1e-10) << pattern;
      ++vanishing;
    } else {
      EXPECT_GT(value, 1e-7) << pattern;
    }
  }
  EXPECT_EQ(vanishing, 33);  // 6 lines of 7 patterns, of which 9 stand in two
}

// Of a gradient U diag(s) V^T with rotations U and V.
TEST(Closures, sigma_is_that_of_singular_values) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(0.05, 1), turn(0, 2 * std::numbers::pi);
  const auto rotation = [&] {
    Matrix all{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = turn(random);
      Matrix r{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      const std::size_t a = k, b = (k + 1) % 3;
      r[a][a] = r[b][b] = std::cos(angle);
      r[a][b] = -std::sin(angle);
      r[b][a] = std::sin(angle);
      all = product(all, r);
    }
    return all;
  };
  for (int k = 0; k < 100; ++k) {
    std::array<double, 3> s{any(random), any(random), any(random)};
    std::ranges::sort(s, std::greater());
    const Matrix diagonal{{{s[0], 0, 0}, {0, s[1], 0}, {0, 0, s[2]}}};
    const Matrix g = product(product(rotation(), diagonal), rotation());
    const double expected =
        std::pow(1.35 * filter, 2) * s[2] * (s[0] - s[1]) * (s[1] - s[2]) / (s[0] * s[0]);
    EXPECT_NEAR(SigmaClosure::eddy_viscosity(input(g), 1.35), expected, 1e-8);
  }
}

TEST(Closures, wale_and_sigma_vanish_in_a_shear_of_any_direction) {
  std::mt19937 random(5);
  for (int k = 0; k < 50; ++k) {
    const ClosureInput at = input(shear(random));
    const double scale = SmagorinskyClosure::eddy_viscosity(at, 1.0);
    EXPECT_LT(WaleClosure::eddy_viscosity(at, 1.0), 1e-7 * scale);
    EXPECT_LT(SigmaClosure::eddy_viscosity(at, 1.0), 1e-7 * scale);
    EXPECT_LT(VremanClosure::eddy_viscosity(at, 1.0), 1e-6 * scale);
  }
}

TEST(Closures, sigma_vanishes_in_two_dimensions_in_solid_rotation_and_in_axial_stretching) {
  std::mt19937 random(6);
  for (int k = 0; k < 50; ++k) {
    Matrix g = random_gradient(random);
    for (std::size_t i = 0; i < 3; ++i) g[i][2] = g[2][i] = 0;
    EXPECT_LT(SigmaClosure::eddy_viscosity(input(g), 1.35), 1e-9);
  }
  EXPECT_LT(SigmaClosure::eddy_viscosity(input({{{0, 2, -1}, {-2, 0, 3}, {1, -3, 0}}}), 1.35),
            1e-7);
  EXPECT_LT(SigmaClosure::eddy_viscosity(input({{{2, 0, 0}, {0, -1, 0}, {0, 0, -1}}}), 1.35), 1e-7);
}

TEST(Closures, are_zero_at_rest_and_grow_with_the_gradient_and_the_square_of_the_cell) {
  std::mt19937 random(7);
  const Matrix g = random_gradient(random);
  Matrix tripled = g;
  for (auto& row : tripled)
    for (double& entry : row) entry *= 3;
  for (const Closure& row : closure_table())
    EXPECT_TRUE(with_closure(row.name, [&](auto closure) {
      const auto value = [&](const Matrix& of, double cell) {
        return decltype(closure)::eddy_viscosity(input(of, {cell, 2 * cell, 0.5 * cell}),
                                                 row.constant);
      };
      const double once = value(g, 0.1);
      EXPECT_GT(once, 0) << row.name;
      EXPECT_EQ(value({}, 0.1), 0) << row.name;
      EXPECT_NEAR(value(tripled, 0.1), 3 * once, 1e-12 * once) << row.name;
      EXPECT_NEAR(value(g, 0.2), 4 * once, 1e-12 * once) << row.name;
    }));
  EXPECT_FALSE(with_closure("rans", [](auto) {}));
}

}  // namespace
}  // namespace hodge::sim
