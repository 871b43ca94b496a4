// Noise by the recurrence of SplitMix64, its distribution, and that nothing but point and seed
// counts.
#include "sim/base/formulas/noise.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <set>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/program.hpp"

namespace hodge::sim {
namespace {

TEST(Noise, mixes_as_splitmix64_does) {
  // The first two outputs of SplitMix64 from the seed 1234567, as published with its reference
  // code.
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;
  EXPECT_EQ(linalg::mixed_bits(1234567 + golden_ratio), 6457827717110365317ULL);
  EXPECT_EQ(linalg::mixed_bits(1234567 + 2 * golden_ratio), 3203168211198807973ULL);
}

TEST(Noise, is_even_and_without_correlation_between_neighbours_and_seeds) {
  constexpr int n = 200;
  double sum = 0, squares = 0, along_x = 0, along_y = 0, seeds = 0;
  std::set<double> different;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double h = 1.0 / n;
      const double at[] = {i * h, j * h, 0}, right[] = {(i + 1) * h, j * h, 0},
                   above[] = {i * h, (j + 1) * h, 0};
      const double value = noise(1, at);
      ASSERT_GE(value, -1);
      ASSERT_LT(value, 1);
      different.insert(value);
      sum += value;
      squares += value * value;
      along_x += value * noise(1, right);
      along_y += value * noise(1, above);
      seeds += value * noise(2, at);
    }
  constexpr double count = n * n;
  EXPECT_EQ(different.size(), count);
  // Four standard deviations of these means.
  EXPECT_LT(std::abs(sum / count), 4 * std::sqrt(1.0 / 3 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
  for (const double correlation : {along_x, along_y, seeds})
    EXPECT_LT(std::abs(correlation / count), 4.0 / 3 / std::sqrt(count));
}

TEST(Noise, does_not_see_the_sign_of_zero) {
  const double plus[] = {0.0, 1, 0.0}, minus[] = {-0.0, 1, -0.0};
  EXPECT_EQ(noise(0.0, plus), noise(-0.0, minus));
}

TEST(Noise, is_a_value_of_the_point_even_where_the_seed_is_a_number) {
  const Expression formula = Expression::parse("noise(3)");
  EXPECT_FALSE(formula.is_constant());
  EXPECT_NE(formula({0.1, 0, 0}, 0), formula({0.2, 0, 0}, 0));
  EXPECT_EQ(formula({0.1, 0, 0}, 0), formula({0.1, 0, 0}, 7));
  EXPECT_NE(Expression::parse("noise(floor(t))")({}, 0.5),
            Expression::parse("noise(floor(t))")({}, 1.5));
  EXPECT_TRUE(formula.derivative(0).is_zero());
}

TEST(Noise, has_the_same_bits_for_any_number_of_threads) {
  const Expression formula = Expression::parse("0.5*noise(7 + floor(t)) + noise(x)");
  const Programs<linalg::Host> programs({formula.instructions()});
  const ProgramView program = programs.view(0);
  constexpr int points = 10000;
  std::vector<double> values[2];
  const int threads = omp_get_max_threads();
  for (const int run : {0, 1}) {
    values[run].resize(points);
    omp_set_num_threads(run + 1);
    double* const value = values[run].data();
    linalg::for_each<linalg::Host>(points, [=](int k) {
      const double variables[] = {0.001 * k, 0.5, 1 - 0.002 * k, 2.0};
      value[k] = evaluate(program, variables);
    });
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(values[0], values[1]);
}

}  // namespace
}  // namespace hodge::sim
