#include "sim/app/output/time_average.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace hodge::sim {
namespace {

TEST(TimeAverage, weighs_values_with_their_time) {
  TimeAverage average(2);
  average.add(1, std::array{2.0, 5.0});
  average.add(2, std::array{4.0, 5.0});  // mean 3 over 1
  average.add(5, std::array{8.0, 5.0});  // mean 6 over 3
  EXPECT_EQ(average.from(), 1);
  EXPECT_EQ(average.to(), 5);
  EXPECT_DOUBLE_EQ(average.mean(0), (3 * 1 + 6 * 3) / 4.0);
  EXPECT_EQ(average.mean(1), 5);
  EXPECT_EQ(average.rms(1), 0);
}

TEST(TimeAverage, of_a_sine_with_steps_of_any_size_converges_to_its_mean_and_rms) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> step(0.001, 0.02);
  TimeAverage average(1);
  const double end = 20 * std::numbers::pi;
  for (double t = 0; t < end; t += step(generator)) average.add(t, std::array{3 + 2 * std::sin(t)});
  average.add(end, std::array{3.0});
  EXPECT_NEAR(average.mean(0), 3, 1e-4);
  EXPECT_NEAR(average.rms(0), 2 / std::numbers::sqrt2, 1e-4);
}

TEST(TimeAverage, keeps_a_fluctuation_that_is_small_beside_the_mean) {
  TimeAverage average(1);
  for (int i = 0; i <= 10000; ++i) average.add(i, std::array{1e8 + (i % 2 == 0 ? 1e-2 : -1e-2)});
  EXPECT_NEAR(average.rms(0), 1e-2, 1e-6);
}

TEST(TimeAverage, a_second_look_at_the_same_time_adds_nothing) {
  TimeAverage average(1);
  for (const double t : {0.0, 1.0, 1.0}) average.add(t, std::array{t});
  EXPECT_EQ(average.mean(0), 0.5);
  EXPECT_EQ(average.to(), 1);
}

}  // namespace
}  // namespace hodge::sim
