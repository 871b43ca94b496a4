#include "sim/base/times.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace hodge::sim {
namespace {

// "0.05" and 7 make 0.35, as one writes it.
double decimal(long mantissa, int decimals, long n) {
  return std::strtod((std::to_string(mantissa * n) + "e-" + std::to_string(decimals)).c_str(),
                     nullptr);
}

TEST(Multiples, are_the_decimal_numbers_that_one_writes) {
  for (const auto& [mantissa, decimals] :
       {std::pair(1L, 1), {5L, 2}, {2L, 1}, {25L, 2}, {3L, 1}, {7L, 5}, {1L, 12}, {125L, 3}}) {
    const Multiples multiples(decimal(mantissa, decimals, 1));
    for (long n = 1; n <= 5000; ++n) {
      EXPECT_EQ(multiples.at(n), decimal(mantissa, decimals, n)) << mantissa << ' ' << n;
      EXPECT_EQ(multiples.passed(multiples.at(n)), n);
    }
  }
}

TEST(Multiples, of_intervals_with_many_digits_are_products) {
  for (const double interval : {1.0 / 3, 2.5e-300, 3e17}) {
    const Multiples multiples(interval);
    for (const long n : {0L, 1L, 3L, 1000L})
      EXPECT_EQ(multiples.at(n), static_cast<double>(n) * interval);
  }
}

TEST(Multiples, are_passed_within_rounding) {
  const Multiples multiples(0.1);
  EXPECT_EQ(multiples.passed(0), 0);
  EXPECT_EQ(multiples.passed(3 * 0.1), 3);
  EXPECT_EQ(multiples.passed(0.3), 3);
  EXPECT_EQ(multiples.passed(0.3 * (1 - 1e-15)), 3);
  EXPECT_EQ(multiples.passed(0.2999), 2);
  EXPECT_EQ(multiples.passed(1e7 * (1 - 2e-16)), 100000000);
  EXPECT_EQ(Multiples(1e-290).passed(1e10), 9000000000000000000);
}

TEST(Times, are_reached_within_rounding_and_not_before) {
  EXPECT_TRUE(has_reached(0.3, 3 * 0.1));
  EXPECT_TRUE(has_reached(1e6 * (1 - 4e-16), 1e6));
  EXPECT_FALSE(has_reached(1 - 1e-12, 1));
  EXPECT_TRUE(has_reached(3 * 0.3333333333, 1, 0.3333333333));
}

TEST(StepsTo, an_end_are_none_that_rounding_alone_would_ask_for) {
  EXPECT_EQ(steps_to(0.3, 0.1), 3);
  EXPECT_EQ(steps_to(0.7, 0.1), 7);
  EXPECT_EQ(steps_to(0.31, 0.1), 4);
  EXPECT_EQ(steps_to(1e-9, 1), 1);
  EXPECT_EQ(steps_to(1e5 + 0.01, 1e-3, 1e5), 10);  // the rounding of times is 1e-8 of a step
}

TEST(SumOfSteps, is_rounded_once) {
  SumOfSteps sum;
  double time = 0;
  for (int n = 1; n <= 1'000'000; ++n) {
    time = sum.after(time, 1e-3);
    if (n % 1000 == 0) {
      ASSERT_NEAR(time, n / 1000, 1e-16 * n);
    }
  }
}

}  // namespace
}  // namespace hodge::sim
