#include "linalg/base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/spread_values.hpp"

namespace hodge::linalg {
namespace {

using tests::exact_sum;
using tests::spread;

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr double smallest_double = std::numeric_limits<double>::denorm_min();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

double power(int exponent) {
  return std::ldexp(1.0, exponent);
}

// The sum of the values, divided among several sums in any way.
double sum_of_parts(const std::vector<double>& values, std::mt19937_64& generator) {
  ExactSum sums[5];
  for (std::size_t i = 0; i < values.size();) {
    const std::size_t count = std::min<std::size_t>(generator() % 700, values.size() - i);
    ExactSum& sum = sums[generator() % 5];
    if (count == 1) sum.add(values[i]);
    if (count != 1) sum.add(std::span<const double>(&values[i], count));
    i += count;
  }
  ExactSum all;
  for (const ExactSum& sum : sums) all.merge(sum);
  return all.value();
}

TEST(ExactSum, the_order_and_the_parts_change_no_bit) {
  std::mt19937_64 generator(1);
  for (const auto& [lowest, highest] :
       {std::pair{-1074, 1015}, {-40, 40}, {-1074, -1000}, {0, 0}}) {
    std::vector<double> values = spread(5000, lowest, highest, 2);
    const double expected = exact_sum(values);
    ASSERT_TRUE(std::isfinite(expected));
    for (int k = 0; k < 5; ++k) {
      std::shuffle(values.begin(), values.end(), generator);
      EXPECT_EQ(bits_of(exact_sum(values)), bits_of(expected)) << lowest;
      EXPECT_EQ(bits_of(sum_of_parts(values, generator)), bits_of(expected)) << lowest;
    }
  }
}

TEST(ExactSum, words_added_one_by_one_are_the_sum) {
  const std::vector<double> values = spread(3000, -1074, 1015, 4);
  ExactSum sums[3];
  for (std::size_t i = 0; i < values.size(); ++i) sums[i % 3].add(values[i]);
  std::vector<std::int64_t> total(ExactSum::word_count);
  for (ExactSum& sum : sums)
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += sum.words()[i];
  ExactSum all;
  std::copy(total.begin(), total.end(), all.words().begin());
  EXPECT_EQ(bits_of(all.value()), bits_of(exact_sum(values)));
  all.add(1.0);
  all.add(-1.0);
  EXPECT_EQ(bits_of(all.value()), bits_of(exact_sum(values)));
}

TEST(ExactSum, agrees_with_sums_of_integers_of_128_bits) {
  __extension__ using Integer = __int128;
  std::mt19937_64 generator(3);
  for (int k = 0; k < 200; ++k) {
    const int count = 1 + static_cast<int>(generator() % 600);
    std::vector<double> values;
    Integer total = 0;
    for (int i = 0; i < count; ++i) {
      const auto mantissa = static_cast<std::int64_t>(generator()) >> 11;  // 53 bits
      const int exponent = static_cast<int>(generator() % 60);
      total += static_cast<Integer>(mantissa) * (Integer{1} << exponent);
      values.push_back(std::ldexp(static_cast<double>(mantissa), exponent - 30));
    }
    EXPECT_EQ(exact_sum(values), std::ldexp(static_cast<double>(total), -30)) << k;
  }
}

TEST(ExactSum, what_cancels_leaves_the_smallest_value) {
  std::mt19937_64 generator(6);
  for (const double left : {3.7e-310, -1.25, 2e300, smallest_double}) {
    std::vector<double> values = spread(2000, -1074, 1015, 5);
    for (std::size_t i = 0; i < 2000; ++i) values.push_back(-values[i]);
    EXPECT_EQ(bits_of(exact_sum(values)), bits_of(0.0));
    values.push_back(left);
    std::shuffle(values.begin(), values.end(), generator);
    EXPECT_EQ(exact_sum(values), left);
  }
  EXPECT_EQ(exact_sum({1e308, 1e-308, -1e308}), 1e-308);
}

TEST(ExactSum, rounds_once_with_ties_to_even) {
  const double half = power(-53), one_up = 1.0 + power(-52), two_up = 1.0 + power(-51);
  for (const double sign : {1.0, -1.0}) {
    const auto sum = [sign](std::vector<double> values) {
      for (double& value : values) value *= sign;
      return sign * exact_sum(values);
    };
    EXPECT_EQ(sum({1.0, half}), 1.0);
    EXPECT_EQ(sum({1.0, half, smallest_double}), one_up);
    EXPECT_EQ(sum({1.0, half, -smallest_double}), 1.0);
    EXPECT_EQ(sum({one_up, half}), two_up);
    EXPECT_EQ(sum({one_up, half, -smallest_double}), one_up);
    EXPECT_EQ(sum({2.0, -half}), 2.0);  // half of the spacing below 2, which ends in an odd bit
    EXPECT_EQ(sum({2.0, -half, -smallest_double}), 2.0 - power(-52));
  }
}

TEST(ExactSum, denormals_are_summed_exactly) {
  EXPECT_EQ(exact_sum(std::vector<double>(1000, smallest_double)), 1000 * smallest_double);
  EXPECT_EQ(exact_sum(std::vector<double>(1000, -3 * smallest_double)), -3000 * smallest_double);
  const double smallest_normal = std::numeric_limits<double>::min();
  EXPECT_EQ(exact_sum({smallest_normal, -smallest_double}), smallest_normal - smallest_double);
  EXPECT_EQ(exact_sum({smallest_normal - smallest_double, smallest_double}), smallest_normal);
}

TEST(ExactSum, beyond_the_largest_number_is_infinite_and_back_is_not) {
  EXPECT_EQ(exact_sum({largest_double, largest_double}), infinite);
  EXPECT_EQ(exact_sum({-largest_double, -largest_double}), -infinite);
  EXPECT_EQ(exact_sum({largest_double, largest_double, -largest_double}), largest_double);
  EXPECT_EQ(exact_sum({largest_double, power(970)}), infinite);  // a tie
  EXPECT_EQ(exact_sum({largest_double, power(970), -smallest_double}), largest_double);
  EXPECT_EQ(exact_sum(std::vector<double>(1000, -largest_double)), -infinite);
}

TEST(ExactSum, infinities_and_nan_win_wherever_they_stand) {
  std::vector<double> values = spread(300, -20, 20, 7);
  const auto with = [&](std::vector<double> special) {
    std::vector<double> all = values;
    for (std::size_t i = 0; i < special.size(); ++i) all[17 + 200 * i] = special[i];
    ExactSum sum, other;
    sum.add(std::span<const double>(all).first(100));
    other.add(std::span<const double>(all).subspan(100));
    sum.merge(other);
    return sum.value();
  };
  EXPECT_EQ(with({infinite}), infinite);
  EXPECT_EQ(with({-infinite, -infinite}), -infinite);
  EXPECT_TRUE(std::isnan(with({infinite, -infinite})));
  EXPECT_TRUE(std::isnan(with({not_a_number})));
  EXPECT_TRUE(std::isnan(with({not_a_number, infinite})));
  EXPECT_TRUE(std::isnan(exact_sum(std::vector<double>(20, not_a_number))));
}

TEST(ExactSum, nothing_and_zeros_give_a_positive_zero) {
  EXPECT_EQ(bits_of(ExactSum().value()), bits_of(0.0));
  EXPECT_EQ(bits_of(exact_sum({-0.0, -0.0})), bits_of(0.0));
  EXPECT_EQ(bits_of(exact_sum({1.0, -0.0, -1.0})), bits_of(0.0));
}

TEST(ExactSum, carries_are_kept_through_many_merges) {
  ExactSum sum;
  sum.add(-1.0 - power(-52));
  for (int k = 0; k < 60; ++k) {
    const ExactSum other = sum;
    sum.merge(other);
  }
  EXPECT_EQ(sum.value(), -power(60) - power(8));
}

TEST(ExactSum, a_cleared_sum_starts_again) {
  ExactSum sum;
  sum.add(std::vector<double>{1e300, -1e-300, infinite, not_a_number});
  sum.clear();
  sum.add(2.5);
  EXPECT_EQ(sum.value(), 2.5);
}

}  // namespace
}  // namespace hodge::linalg
