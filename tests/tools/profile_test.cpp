#include "tools/hodge/validate/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hodge::tools {
namespace {

// Cell centres of n cells on [0, 1] with the two ends.
Profile sampled(int n, double (*f)(double)) {
  Profile profile;
  profile.push_back({0, f(0)});
  for (int i = 0; i < n; ++i) profile.push_back({(i + 0.5) / n, f((i + 0.5) / n)});
  profile.push_back({1, f(1)});
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

TEST(Profile, interpolation_is_exact_for_cubics_up_to_the_walls) {
  const Profile profile = sampled(8, cubic);
  for (double x = 0; x <= 1; x += 0.01) EXPECT_NEAR(interpolate(profile, x), cubic(x), 1e-13);
  EXPECT_NEAR(interpolate(profile, 1), cubic(1), 1e-13);
}

TEST(Profile, interpolation_converges_at_fourth_order) {
  const double coarse = std::abs(interpolate(sampled(16, wave), 0.4) - wave(0.4));
  const double fine = std::abs(interpolate(sampled(64, wave), 0.4) - wave(0.4));
  EXPECT_GT(std::log2(coarse / fine) / 2, 3.8);
}

TEST(Profile, extrema_are_exact_for_quartics) {
  const ProfilePoint largest = extremum(sampled(16, quartic), +1);
  EXPECT_NEAR(largest.position, 0.3, 1e-7);
  EXPECT_NEAR(largest.value, 0.5, 1e-14);
}

TEST(Profile, minima_are_found_between_the_points) {
  const ProfilePoint least = extremum(sampled(64, wave), -1);
  EXPECT_NEAR(least.position, 3 * M_PI / 10, 1e-5);
  EXPECT_NEAR(least.value, -1, 1e-7);
}

TEST(Profile, zeros_are_found_in_order) {
  const std::vector<double> found = zeros(sampled(64, [](double x) { return std::cos(9 * x); }));
  ASSERT_EQ(found.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], (2 * i + 1) * M_PI / 18, 1e-5);
  EXPECT_TRUE(zeros(sampled(8, [](double) { return 1.0; })).empty());
}

TEST(Profile, frequency_is_that_of_the_rises_through_the_mean) {
  const Profile signal = sampled(400, [](double t) { return 3 + std::cos(2 * M_PI * 5.25 * t); });
  EXPECT_NEAR(frequency(signal), 5.25, 0.01);
  EXPECT_EQ(frequency(sampled(400, wave)), 0);
}

}  // namespace
}  // namespace hodge::tools
