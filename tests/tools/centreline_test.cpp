#include "tools/hodge/validate/centreline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hodge::tools {
namespace {

// Cell centres of n cells on [0, 1] with the two ends, as centreline() gives them.
Profile sampled(int n, double (*f)(double)) {
  Profile profile{{0}, {f(0)}};
  for (int i = 0; i < n; ++i) {
    profile.positions.push_back((i + 0.5) / n);
    profile.values.push_back(f((i + 0.5) / n));
  }
  profile.positions.push_back(1);
  profile.values.push_back(f(1));
  return profile;
}

double cubic(double x) {
  return 1 - 2 * x + 3 * x * x - 4 * x * x * x;
}
double quartic(double x) {
  return -std::pow(x - 0.3, 4) - 2 * std::pow(x - 0.3, 2) + 0.5;
}
double wave(double x) {
  return std::sin(5 * x);
}

TEST(Centreline, interpolation_is_exact_for_cubics_up_to_the_walls) {
  const Profile profile = sampled(8, cubic);
  for (double x = 0; x <= 1; x += 0.01) EXPECT_NEAR(interpolate(profile, x), cubic(x), 1e-13);
  EXPECT_NEAR(interpolate(profile, 1), cubic(1), 1e-13);
}

TEST(Centreline, interpolation_converges_at_fourth_order) {
  const double coarse = std::abs(interpolate(sampled(16, wave), 0.4) - wave(0.4));
  const double fine = std::abs(interpolate(sampled(64, wave), 0.4) - wave(0.4));
  EXPECT_GT(std::log2(coarse / fine) / 2, 3.8);
}

TEST(Centreline, extrema_are_exact_for_quartics) {
  const Extremum largest = extremum(sampled(16, quartic), +1);
  EXPECT_NEAR(largest.position, 0.3, 1e-7);
  EXPECT_NEAR(largest.value, 0.5, 1e-14);
}

TEST(Centreline, minima_are_found_between_the_points) {
  const Extremum least = extremum(sampled(64, wave), -1);
  EXPECT_NEAR(least.position, 3 * M_PI / 10, 1e-5);
  EXPECT_NEAR(least.value, -1, 1e-7);
}

}  // namespace
}  // namespace hodge::tools
