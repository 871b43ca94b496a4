#include "sim/time/steadiness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/state_copy.hpp"

namespace hodge::sim {
namespace {

using Series = std::function<double(double t)>;

constexpr double drag = 0.7;

// A rate of change and a force across the stream, beside a drag that stays; `unit` of time.
Steadiness history(const Series& rate, const Series& lift, int steps, double unit = 1,
                   double dt = 0.0625) {
  Steadiness of(1, 2);
  for (int n = 1; n <= steps; ++n) {
    const double t = n * dt;
    const std::vector<Steadiness::Rate> rates{{rate(t) / unit, 0, 1}};
    const std::vector<double> numbers{drag, lift(t)};
    of.add(dt * unit, rates, numbers);
  }
  return of;
}

double fades(double t) {
  return std::exp(-0.2 * t);
}

Series noise(double size) {
  return [size, generator = std::mt19937(1)](double) mutable {
    return size * std::uniform_real_distribution<double>(-1, 1)(generator);
  };
}

TEST(Steadiness, finds_a_force_that_grows_from_rounding_beneath_a_rate_that_fades) {
  const Series rounding = noise(2e-16);
  const auto grows = [&](double t) {
    return rounding(t) + 1e-18 * std::exp(0.2 * t) * std::cos(t);
  };
  EXPECT_FALSE(history(fades, grows, 200).growing());       // t = 12: there is nothing but rounding
  const auto found = history(fades, grows, 800).growing();  // t = 50: 2e-14
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, 2U);
}

TEST(Steadiness, finds_slow_growth_in_any_unit_of_time) {
  const auto slow = [](double t) { return 1e-6 * std::exp(0.01 * t) * std::sin(3 * t); };
  for (const double unit : {1e-15, 1.0, 3.2e7})
    EXPECT_TRUE(history(fades, slow, 1000, unit).growing()) << unit;
}

TEST(Steadiness, finds_a_rate_that_grows_after_it_has_fallen) {
  const auto turns = [](double t) { return std::exp(-0.5 * t) + 1e-8 * std::exp(0.3 * t); };
  const auto still = [](double) { return 0.0; };
  EXPECT_FALSE(history(turns, still, 300).growing());  // t = 19: it falls
  EXPECT_EQ(history(turns, still, 560).growing().value_or(9), 0U);
}

TEST(Steadiness, sees_no_growth_in_what_fades_nor_in_noise) {
  const auto approaches = [](double t) { return 0.3 * (1 - std::exp(-0.1 * t)); };
  const auto swings = [](double t) { return 0.1 * std::exp(-0.05 * t) * std::sin(2 * t); };
  const Series rounding = noise(1e-3), lift = noise(1e-16);
  for (int steps = 16; steps <= 2000; steps += 124) {
    EXPECT_FALSE(history(fades, approaches, steps).growing()) << steps;
    EXPECT_FALSE(history(fades, swings, steps).growing() && steps > 400) << steps;
  }
  int wrong = 0;
  for (int steps = 16; steps <= 2000; steps += 31)
    wrong += history([&](double t) { return 1 + rounding(t); }, lift, steps).growing().has_value();
  EXPECT_LE(wrong, 3);  // of 64
}

TEST(Steadiness, measures_the_slower_of_two_decays) {
  const auto two = [](double t) { return std::exp(-t) + 1e-5 * std::exp(-0.1 * t); };
  const auto still = [](double) { return 0.0; };
  EXPECT_NEAR(history(fades, still, 500).decay(0), 0.2, 1e-6);
  EXPECT_NEAR(history(two, still, 1000).decay(0), 0.1, 1e-3);
  EXPECT_EQ(history([](double) { return 1.0; }, still, 500).decay(0), 0);
  EXPECT_NEAR(history(fades, still, 500, 1e3).decay(0), 0.2e-3, 1e-9);
}

TEST(Steadiness, is_restored_whether_something_has_grown_or_not) {
  const auto grows = [](double t) { return 1e-6 * std::exp(0.01 * t) * std::sin(3 * t); };
  const auto still = [](double) { return 0.0; };
  for (const Series& lift : {Series(grows), Series(still)}) {
    Steadiness of = history(fades, lift, 1000), restored(1, 2);
    test::StateCopy copy;
    of.visit_state(copy, 62.5);
    copy.restoring = true;
    ASSERT_NO_THROW(restored.visit_state(copy, 62.5));
    EXPECT_EQ(restored.growing(), of.growing());
    EXPECT_EQ(restored.decay(0), of.decay(0));
  }
}

TEST(Steadiness, joins_short_steps_of_the_start_and_asks_for_eight_blocks) {
  Steadiness of(1, 0);
  const std::vector<Steadiness::Rate> rate{{1, 0, 3}};
  double dt = 1e-6;
  for (int n = 0; n < 40; ++n, dt *= 1.5) of.add(dt, rate, {});
  EXPECT_FALSE(of.knows());  // nearly all of the time is in the last steps
  for (int n = 0; n < 8; ++n) of.add(dt, rate, {});
  EXPECT_TRUE(of.knows());
  EXPECT_EQ(of.size(0), 3);
  EXPECT_NEAR(of.observed(), dt * (8 + 2), 1e-3 * dt);
}

}  // namespace
}  // namespace hodge::sim
