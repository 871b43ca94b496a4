#include "linalg/base/fixed_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/spread_values.hpp"

namespace hodge::linalg::fixed_point {
namespace {

using tests::exact_sum;
using tests::spread;

// What remains after those values are taken that are near the largest one.
std::vector<double> take_round(const std::vector<double>& values, WideInteger& sum, int& base) {
  int field = 0;
  for (const double value : values) field = std::max(field, exponent_field(value));
  base = base_for(field);
  sum = {};
  std::vector<double> left;
  for (const double value : values) {
    if (position_of(exponent_field(value)) >= base) {
      sum += wide_value(value, base);
    } else if (value != 0.0) {
      left.push_back(value);
    }
  }
  return left;
}

// The sum by words, as the GPU makes it; 200 values at once.
double sum_by_words(const std::vector<double>& values) {
  std::array<std::int64_t, number_words> words{};
  for (std::size_t first = 0; first < values.size(); first += 200) {
    const std::size_t end = std::min(values.size(), first + 200);
    std::vector<double> left(values.begin() + static_cast<std::ptrdiff_t>(first),
                             values.begin() + static_cast<std::ptrdiff_t>(end));
    while (!left.empty()) {
      WideInteger sum;
      int base = 0;
      left = take_round(left, sum, base);
      for (int i = 0; i < 4; ++i)
        if (const std::int64_t part = part_for_word(sum, base, i); part != 0)
          words.at(static_cast<std::size_t>(base / 32 + i)) += part;
    }
  }
  const auto word = [&](int i) { return words[static_cast<std::size_t>(i)]; };
  int from = 0, last = number_words - 1;
  while (from < last && word(from) == 0) ++from;
  while (last > from && word(last) == 0) --last;
  return nearest_of_words(word, from, last);
}

// The same where one round takes all values.
double sum_at_once(const std::vector<double>& values) {
  WideInteger sum;
  int base = 0;
  EXPECT_TRUE(take_round(values, sum, base).empty());
  const double size = nearest_double(sum.is_negative() ? -sum : sum, false, base + lowest_exponent);
  return sum.is_negative() ? -size : size;
}

TEST(FixedPoint, words_give_the_exact_sum_of_values_of_any_size) {
  for (const auto& [lowest, highest] :
       {std::pair{-1074, 1000}, {-1074, -1000}, {-20, 20}, {-300, 300}, {960, 1014}})
    for (unsigned seed = 0; seed < 100; ++seed) {
      const std::vector<double> values =
          spread(1 + 7 * static_cast<int>(seed), lowest, highest, seed);
      EXPECT_EQ(bits_of(sum_by_words(values)), bits_of(exact_sum(values))) << lowest << ' ' << seed;
    }
}

TEST(FixedPoint, one_wide_integer_gives_the_exact_sum_of_near_values) {
  for (const auto& [lowest, highest] :
       {std::pair{-1074, -1073}, {-1074, -1034}, {-1022, -1000}, {-20, 0}, {990, 1014}})
    for (unsigned seed = 0; seed < 200; ++seed) {
      std::vector<double> values = spread(200, lowest, highest, seed);
      for (double& value : values)  // the fractions are random, too
        if (std::fabs(value) < std::ldexp(1.0, lowest - 1)) value = 0.0;
      EXPECT_EQ(bits_of(sum_at_once(values)), bits_of(exact_sum(values))) << lowest << ' ' << seed;
    }
}

TEST(FixedPoint, what_cancels_leaves_the_rest_and_zero_has_no_sign) {
  std::vector<double> values = spread(100, -700, 700, 5);
  for (std::size_t i = 0; i < 100; ++i) values.push_back(-values[i]);
  EXPECT_EQ(bits_of(sum_by_words(values)), bits_of(0.0));
  values.push_back(-std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(sum_by_words(values), -std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(bits_of(sum_by_words({-0.0, -0.0})), bits_of(0.0));
  EXPECT_EQ(bits_of(sum_at_once({-0.0, -0.0})), bits_of(0.0));
}

TEST(FixedPoint, ties_go_to_even_and_beyond_the_largest_double_is_infinity) {
  const double largest = std::numeric_limits<double>::max(), half = std::ldexp(1.0, 970);
  const auto both = [](const std::vector<double>& values, double expected) {
    EXPECT_EQ(sum_by_words(values), expected);
    EXPECT_EQ(sum_by_words(values), exact_sum(values));
  };
  both({1.0, std::ldexp(1.0, -53)}, 1.0);
  both({1.0, std::ldexp(1.0, -53), std::ldexp(1.0, -1074)}, 1.0 + std::ldexp(1.0, -52));
  both({1.0, std::ldexp(3.0, -53)}, 1.0 + std::ldexp(1.0, -51));
  both({largest, std::nextafter(half, 0.0)}, largest);
  both({largest, half}, std::numeric_limits<double>::infinity());
  both({-largest, -largest}, -std::numeric_limits<double>::infinity());
  both({largest, largest, -largest}, largest);
}

}  // namespace
}  // namespace hodge::linalg::fixed_point
