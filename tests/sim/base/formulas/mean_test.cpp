// Means of formulas over boxes against integrals that are known.
#include "sim/base/formulas/mean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {
namespace {

struct Bounds3 {
  double x[2], y[2], z[2];
};

double mean_in(const std::string& formula, const Bounds3& in, double t = 0) {
  MeanBox box;
  const double* const axes[] = {in.x, in.y, in.z};
  for (int e = 0; e < 3; ++e) {
    box.lower[e] = axes[e][0];
    box.upper[e] = axes[e][1];
    box.place[e] = 0.5 * (box.lower[e] + box.upper[e]);
  }
  return Expression::parse(formula).mean(box, t);
}

TEST(Means, of_polynomials_are_exact) {
  EXPECT_NEAR(mean_in("x^5 + y^4*x + 3", {{0, 2}, {-1, 2}, {0, 0}}), 32.0 / 6 + 33.0 / 15 + 3,
              1e-13);
  EXPECT_NEAR(mean_in("t*x^3 + y", {{0, 2}, {1, 1}, {0, 0}}, 3), 7, 1e-13);  // in every step
}

TEST(Means, of_smooth_formulas_are_of_sixth_order) {
  const auto error = [](double h) {
    return std::abs(mean_in("exp(y)", {{0, 0}, {0, h}, {0, 0}}) - std::expm1(h) / h);
  };
  EXPECT_LT(error(0.5), 1e-7);
  EXPECT_GT(std::log2(error(1) / error(0.5)), 5.8);
}

TEST(Means, of_windows_at_any_place_are_exact_however_narrow_they_are) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 1), width(1e-6, 0.5);
  for (int k = 0; k < 200; ++k) {
    const double from = place(random), to = from + width(random);
    const std::string window = "y > " + std::to_string(from) + " && y < " + std::to_string(to);
    const double share =
        std::min(1.0, std::stod(std::to_string(to))) - std::stod(std::to_string(from));
    const Bounds3 box{{0, 0}, {0, 1}, {0, 0}};
    EXPECT_NEAR(mean_in("(" + window + ") ? 2 : 0", box), 2 * share, 1e-8);
    EXPECT_NEAR(mean_in("if(" + window + ", t, 0)", box, 1), share, 3e-4);
  }
}

TEST(Means, of_rectangles_in_a_face_and_of_boxes_in_a_cell) {
  const Bounds3 face{{0, 0}, {0, 1}, {0, 1}};
  EXPECT_NEAR(mean_in("y > 0.613 && z < 0.27 ? 1 : 0", face), 0.387 * 0.27, 3e-6);
  EXPECT_NEAR(mean_in("abs(y - 0.5) < 0.1 && abs(z - 0.4) < 0.03 ? 1 : 0", face), 0.012, 3e-6);
  EXPECT_NEAR(mean_in("y > 0.613 ? 1 : 0", {{0, 1}, {0, 1}, {0, 1}}), 0.387, 1e-8);
  EXPECT_NEAR(mean_in("x > 0.7 && y > 0.613 && z < 0.27 ? 1 : 0", {{0, 1}, {0, 1}, {0, 1}}),
              0.3 * 0.387 * 0.27, 4e-3);
}

TEST(Means, of_round_openings) {
  const double quarter = std::numbers::pi / 4;
  EXPECT_NEAR(mean_in("y^2 + z^2 < 1 ? 1 : 0", {{0, 0}, {0, 1}, {0, 1}}), quarter, 2e-6);
  EXPECT_NEAR(mean_in("max(0, 1 - y^2 - z^2)", {{0, 0}, {0, 1}, {0, 1}}), quarter / 2, 2e-6);
  EXPECT_NEAR(mean_in("y^2 + z^2 < t ? 1 : 0", {{0, 0}, {0, 1}, {0, 1}}, 1), quarter, 2e-3);
  EXPECT_NEAR(mean_in("x^2 + y^2 + z^2 < 1 ? 1 : 0", {{0, 1}, {0, 1}, {0, 1}}),
              std::numbers::pi / 6, 4e-3);
}

TEST(Means, of_kinks_and_steps) {
  const Bounds3 line{{0, 0}, {0, 1}, {0, 0}};
  EXPECT_NEAR(mean_in("abs(y - 0.3)", line), 0.29, 1e-9);
  EXPECT_NEAR(mean_in("min(y, 0.25)", line), 0.25 - 0.03125, 1e-9);
  EXPECT_NEAR(mean_in("floor(10*y)", line), 4.5, 1e-9);
  EXPECT_NEAR(mean_in("mod(3*y, 1)", line), 0.5, 1e-9);
  EXPECT_NEAR(mean_in("sign(y - 0.3)", line), 0.4, 1e-9);
}

// A branch whose condition no bound decides, and one that is never taken.
TEST(Means, end_where_branches_are_everywhere) {
  const Bounds3 line{{0, 0}, {0, 1}, {0, 0}};
  EXPECT_NEAR(mean_in("min(y, 1) == y ? 2 : 1", line), 2, 1e-12);
  EXPECT_NEAR(mean_in("floor(1e5*y)", line), 49999.5, 100);
  EXPECT_NEAR(mean_in("y < 2 ? y : floor(1e5*y)", line), 0.5, 1e-15);
}

TEST(Means, of_noise_are_the_noise_of_the_place) {
  const Bounds3 box{{0, 1}, {0, 1}, {0, 1}};
  const Expression noise = Expression::parse("noise(7)");
  EXPECT_EQ(mean_in("noise(7)", box), noise({0.5, 0.5, 0.5}, 0));
  EXPECT_NEAR(mean_in("noise(7) + x", box), noise({0.5, 0.5, 0.5}, 0) + 0.5, 1e-15);
}

TEST(Means, of_what_is_no_number_are_none) {
  EXPECT_TRUE(std::isnan(mean_in("sqrt(y - 0.9)", {{0, 0}, {0, 1}, {0, 0}})));
  EXPECT_NEAR(mean_in("y > 0.9 ? sqrt(y - 0.9) : 0", {{0, 0}, {0, 1}, {0, 0}}),
              std::pow(0.1, 1.5) / 1.5, 2e-4);
}

TEST(Means, at_a_point_are_the_value) {
  EXPECT_EQ(mean_in("y > 0.5 ? 1 : x", {{0.3, 0.3}, {0.5, 0.5}, {0, 0}}), 0.3);
}

}  // namespace
}  // namespace hodge::sim
