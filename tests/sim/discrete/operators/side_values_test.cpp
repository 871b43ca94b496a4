#include "sim/discrete/operators/side_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace hodge {
namespace {

using sim::Convection;
using sim::side_value;

constexpr Convection all[] = {Convection::central, Convection::upwind, Convection::quick,
                              Convection::van_leer, Convection::weno5};

// Means of x^power over the five unit cells around the side at x = 0.
std::array<double, 5> means_of_power(int power) {
  std::array<double, 5> s{};
  for (int i = 0; i < 5; ++i)
    s[i] = (std::pow(i - 2.0, power + 1) - std::pow(i - 3.0, power + 1)) / (power + 1);
  return s;
}

std::array<double, 5> random_values(std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::array<double, 5> s{};
  for (double& value : s) value = uniform(engine);
  return s;
}

TEST(SideValue, of_linear_data_is_exact_but_for_upwind) {
  const double s[] = {-2.0, 1.0, 4.0, 7.0, 10.0};
  EXPECT_EQ(side_value(Convection::upwind, s), 4.0);
  for (const Convection scheme : all) {
    if (scheme == Convection::upwind) continue;
    EXPECT_NEAR(side_value(scheme, s), 5.5, 1e-13);
  }
}

TEST(SideValue, of_equal_values_is_that_value) {
  for (const double value : {0.0, 3.0, -1e-200}) {
    const double s[] = {value, value, value, value, value};
    for (const Convection scheme : all)
      EXPECT_NEAR(side_value(scheme, s), value, 1e-15 * std::abs(value));
  }
}

TEST(SideValue, of_quick_is_exact_for_a_parabola) {
  const auto parabola = [](double x) { return 3.0 - 2.0 * x + 5.0 * x * x; };
  double s[5];
  for (int i = 0; i < 5; ++i) s[i] = parabola(i - 2.5);
  EXPECT_NEAR(side_value(Convection::quick, s), parabola(0), 1e-13);
}

TEST(SideValue, of_weno5_is_exact_for_means_of_a_parabola) {
  for (int power = 0; power <= 2; ++power)
    EXPECT_NEAR(side_value(Convection::weno5, means_of_power(power).data()), power == 0, 1e-14);
}

// Largest error for means of exp(sin x) + 2 over cells of width h (Simpson's rule on fine pieces).
double weno5_error(int cells) {
  const double h = 2 * std::numbers::pi / cells;
  const auto function = [](double x) { return std::exp(std::sin(x)) + 2; };
  const auto mean = [&](double from) {
    constexpr int pieces = 16;
    double sum = 0;
    for (int k = 0; k < pieces; ++k) {
      const double a = from + h * k / pieces, b = from + h * (k + 1) / pieces;
      sum += (function(a) + 4 * function(0.5 * (a + b)) + function(b)) / 6;
    }
    return sum / pieces;
  };
  double largest = 0;
  for (int i = 0; i < cells; ++i) {
    double s[5];
    for (int k = 0; k < 5; ++k) s[k] = mean((i + k - 3) * h);
    largest = std::max(largest, std::abs(side_value(Convection::weno5, s) - function(i * h)));
  }
  return largest;
}

TEST(SideValue, of_weno5_converges_with_fifth_order) {
  const double coarse = weno5_error(80), medium = weno5_error(160), fine = weno5_error(320);
  EXPECT_GE(std::log2(coarse / medium), 4.8);
  EXPECT_GE(std::log2(medium / fine), 4.9);
}

TEST(SideValue, of_weno5_takes_the_smooth_side_of_a_jump) {
  const double jump_ahead[] = {1, 1, 1, 0, 0}, jump_behind[] = {0, 0, 1, 1, 1};
  EXPECT_NEAR(side_value(Convection::weno5, jump_ahead), 1, 1e-4);
  EXPECT_NEAR(side_value(Convection::weno5, jump_behind), 1, 1e-4);
}

TEST(SideValue, changes_sign_and_unit_with_its_data) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 100; ++trial) {
    const auto s = random_values(engine);
    std::array<double, 5> scaled{};
    for (int i = 0; i < 5; ++i) scaled[i] = -1e-30 * s[i];
    for (const Convection scheme : all)
      EXPECT_NEAR(side_value(scheme, scaled.data()) / -1e-30, side_value(scheme, s.data()), 1e-13);
  }
}

TEST(SideValue, of_upwind_and_van_leer_lies_between_its_neighbours) {
  std::mt19937 engine(2);
  for (int trial = 0; trial < 10000; ++trial) {
    const auto s = random_values(engine);
    for (const Convection scheme : {Convection::upwind, Convection::van_leer}) {
      EXPECT_GE(side_value(scheme, s.data()), std::min(s[2], s[3]));
      EXPECT_LE(side_value(scheme, s.data()), std::max(s[2], s[3]));
    }
  }
}

TEST(SideValue, of_van_leer_at_an_extremum_is_the_upstream_value) {
  for (const double s3 : {2.0, -1.0}) {
    const double s[] = {0, 1, s3 > 1 ? 3.0 : -2.0, s3, 0};
    EXPECT_EQ(side_value(Convection::van_leer, s), s[2]);
  }
}

double total_variation(const std::vector<double>& c) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i)
    sum += std::abs(c[i] - c[i > 0 ? i - 1 : c.size() - 1]);
  return sum;
}

// A step of du/dt + du/dx = 0 on a periodic line by Euler's rule, or of du/dt - du/dx = 0.
std::vector<double> carried(Convection scheme, const std::vector<double>& c, double courant,
                            int direction) {
  const int n = static_cast<int>(c.size());
  const auto at = [&](int i) { return c[((i % n) + n) % n]; };
  const auto side = [&](int upstream) {  // the side downstream of a cell
    double s[5];
    for (int k = 0; k < 5; ++k) s[k] = at(upstream + direction * (k - 2));
    return side_value(scheme, s);
  };
  std::vector<double> next(c.size());
  for (int i = 0; i < n; ++i) next[i] = at(i) - courant * (side(i) - side(i - direction));
  return next;
}

TEST(SideValue, of_van_leer_diminishes_total_variation) {
  // A. Harten, J. Comput. Phys. 49, 1983: c_i moves towards c_{i-1} by a fraction within [0, 1] of
  // their difference; for this limiter where the Courant number is at most 1/2.
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> c(40);
    for (double& value : c) value = uniform(engine);
    for (int step = 0; step < 20; ++step) {
      const std::vector<double> next = carried(Convection::van_leer, c, 0.5, 1);
      EXPECT_LE(total_variation(next), total_variation(c) * (1 + 1e-14));
      for (std::size_t i = 0; i < c.size(); ++i) {
        const double before = c[i > 0 ? i - 1 : c.size() - 1];
        EXPECT_GE(next[i], std::min(before, c[i]) - 1e-15);
        EXPECT_LE(next[i], std::max(before, c[i]) + 1e-15);
      }
      c = next;
    }
  }
}

TEST(SideValue, of_quick_does_not_diminish_total_variation) {
  std::vector<double> c(40);
  for (std::size_t i = 10; i < 20; ++i) c[i] = 1;
  EXPECT_GT(total_variation(carried(Convection::quick, c, 0.5, 1)), 2.0 + 0.01);
}

TEST(SideValue, carries_a_mirrored_field_the_other_way) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> c(30);
  for (double& value : c) value = uniform(engine);
  const std::vector<double> mirrored(c.rbegin(), c.rend());
  for (const Convection scheme : all) {
    const std::vector<double> right = carried(scheme, c, 0.3, 1);
    const std::vector<double> left = carried(scheme, mirrored, 0.3, -1);
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_DOUBLE_EQ(left[i], right[c.size() - 1 - i]);
  }
}

}  // namespace
}  // namespace hodge
