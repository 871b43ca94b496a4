#include "linalg/dense/dense_lu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "linalg/dense/condition_estimate.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

// A dense matrix on the host, by columns.
template <class T = double>
struct Dense {
  int rows, cols;
  std::vector<T> values;

  Dense(int r, int c) : rows(r), cols(c), values(static_cast<std::size_t>(r) * c) {}
  Dense(std::initializer_list<std::initializer_list<T>> by_rows)
      : Dense(static_cast<int>(by_rows.size()), static_cast<int>(by_rows.begin()->size())) {
    int i = 0;
    for (const auto& row : by_rows) {
      int j = 0;
      for (const T value : row) at(i, j++) = value;
      ++i;
    }
  }
  T& at(int i, int j) { return values[i + static_cast<std::size_t>(j) * rows]; }
  T at(int i, int j) const { return values[i + static_cast<std::size_t>(j) * rows]; }
  template <class Space>
  DenseMatrix<Space, T> in() const {
    return DenseMatrix<Space, T>(rows, cols, values);
  }
};

template <class T = double>
Dense<T> random_matrix(int rows, int cols, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  Dense<T> a(rows, cols);
  for (T& value : a.values) value = static_cast<T>(entry(generator));
  return a;
}

// || b - A x || / (|| A || || x || n eps) in the maximum norm, the largest over the columns: about
// 1 for a backward stable method.
template <class T>
double scaled_residual(const Dense<T>& a, const std::vector<T>& x, const Dense<T>& b) {
  std::vector<double> sums(static_cast<std::size_t>(a.rows));
  for (int j = 0; j < a.cols; ++j) {
    for (int i = 0; i < a.rows; ++i) sums[i] += std::abs(static_cast<double>(a.at(i, j)));
  }
  const double norm = *std::max_element(sums.begin(), sums.end());
  double worst = 0;
  for (int k = 0; k < b.cols; ++k) {
    const T* const column = x.data() + static_cast<std::size_t>(k) * a.rows;
    std::vector<double> r(sums.size());
    for (int i = 0; i < a.rows; ++i) r[i] = b.at(i, k);
    for (int j = 0; j < a.cols; ++j) {
      for (int i = 0; i < a.rows; ++i) r[i] -= static_cast<double>(a.at(i, j)) * column[j];
    }
    double residual = 0, size = 0;
    for (int i = 0; i < a.rows; ++i) {
      residual = std::max(residual, std::abs(r[i]));
      size = std::max(size, std::abs(static_cast<double>(column[i])));
      if (!std::isfinite(column[i])) return HUGE_VAL;
    }
    worst = std::max(worst, residual / (norm * size));
  }
  return worst / (a.rows * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

template <class Space>
class DenseLuTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(DenseLuTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(DenseLuTest, solves_by_hand_where_rows_must_be_exchanged) {
  const Dense<> a{{0, 2, 1}, {1, 1, 0}, {2, 0, 1}};
  DenseLu<TypeParam> lu(3);
  const LuReport report = lu.factor(a.in<TypeParam>());
  EXPECT_TRUE(report.regular());
  EXPECT_DOUBLE_EQ(report.norm, 3);
  EXPECT_DOUBLE_EQ(report.pivot_growth, 1);
  Vector<TypeParam> b(std::vector<double>{7, 3, 5}), x(3);
  lu.solve(b, x);
  EXPECT_THAT(x.to_host(), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(b.to_host(), testing::ElementsAre(7, 3, 5));
  lu.solve(b);
  EXPECT_THAT(b.to_host(), testing::ElementsAre(1, 2, 3));
}

TYPED_TEST(DenseLuTest, one_unknown_and_none) {
  DenseLu<TypeParam> lu(1);
  EXPECT_TRUE(lu.factor(Dense<>{{-4}}.in<TypeParam>()).regular());
  EXPECT_DOUBLE_EQ(lu.report().reciprocal_condition, 1);
  Vector<TypeParam> b(std::vector<double>{2});
  lu.solve(b);
  EXPECT_EQ(b.to_host()[0], -0.5);
  EXPECT_TRUE(lu.factor(DenseMatrix<TypeParam>(0, 0)).regular());
  Vector<TypeParam> nothing(0);
  lu.solve(nothing);
  EXPECT_EQ(lu.size(), 0);
}

template <class Space, class T>
void expect_small_residuals(int n, int right_sides, const LuSettings& settings = {}) {
  const auto a = random_matrix<T>(n, n, n), b = random_matrix<T>(n, right_sides, n + 1);
  DenseLu<Space, T> lu(n, settings);
  const LuReport report = lu.factor(a.template in<Space>());
  ASSERT_TRUE(report.regular()) << n;
  EXPECT_FALSE(report.template near_singular<T>()) << n;
  auto x = b.template in<Space>();
  lu.solve(x);
  EXPECT_LT(scaled_residual(a, x.values().to_host(), b), 10) << n << " unknowns";
  Vector<Space, T> y{std::span<const T>(b.values.data(), static_cast<std::size_t>(n))};
  lu.solve(y);
  Dense<T> first(n, 1);
  first.values.assign(b.values.begin(), b.values.begin() + n);
  EXPECT_LT(scaled_residual(a, y.to_host(), first), 10) << n << " unknowns, as a vector";
}

TYPED_TEST(DenseLuTest, random_systems_of_every_size_have_small_residuals) {
  for (const int n : {1, 2, 31, 32, 33, 64, 100, 257, 600}) {
    expect_small_residuals<TypeParam, double>(n, 3);
  }
}

TYPED_TEST(DenseLuTest, systems_beyond_several_blocks_and_many_right_hand_sides) {
  expect_small_residuals<TypeParam, double>(1200, 70);
  expect_small_residuals<TypeParam, double>(333, 333);
}

TYPED_TEST(DenseLuTest, single_precision) {
  for (const int n : {5, 33, 300}) expect_small_residuals<TypeParam, float>(n, 9);
}

TYPED_TEST(DenseLuTest, any_blocking_will_do) {
  for (const auto& [panel, block] :
       {std::pair{1, 1}, {1, 7}, {5, 20}, {16, 64}, {17, 34}, {32, 32}, {32, 96}, {32, 512}}) {
    LuSettings settings;
    settings.panel = panel;
    settings.block = block;
    expect_small_residuals<TypeParam, double>(150, 6, settings);
  }
}

TYPED_TEST(DenseLuTest, both_searches_find_the_same_pivots) {
  for (const int n : {1, 40, 300}) {
    auto a = random_matrix(n, n);
    for (double& value : a.values) value = std::round(4 * value);  // many equal candidates
    for (int i = 0; i < n; ++i) a.at(i, i) += 0.5;
    const auto b = random_matrix(n, 1);
    std::vector<std::vector<double>> solution;
    for (const char* search : {"fused", "thrust"}) {
      LuSettings settings;
      settings.pivot_search = search;
      DenseLu<TypeParam> lu(n, settings);
      ASSERT_TRUE(lu.factor(a.in<TypeParam>()).regular());
      Vector<TypeParam> x{std::span<const double>(b.values)};
      lu.solve(x);
      solution.push_back(x.to_host());
      EXPECT_LT(scaled_residual(a, solution.back(), b), 10) << search;
    }
    double difference = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      difference = std::max(difference, std::abs(solution[0][i] - solution[1][i]));
      size = std::max(size, std::abs(solution[0][i]));
    }
    EXPECT_LT(difference, 1e-10 * size) << n;
  }
}

TYPED_TEST(DenseLuTest, takes_a_matrix_to_factor_in_its_own_memory) {
  const int n = 200;
  const auto a = random_matrix(n, n), b = random_matrix(n, 1);
  auto matrix = a.in<TypeParam>();
  const auto before = TypeParam::allocated_bytes();
  const DenseLu<TypeParam> lu(std::move(matrix));
  EXPECT_LT(TypeParam::allocated_bytes() - before, n * n * sizeof(double) / 2);
  ASSERT_TRUE(lu.report().regular());
  Vector<TypeParam> x{std::span<const double>(b.values)};
  lu.solve(x);
  EXPECT_LT(scaled_residual(a, x.to_host(), b), 10);
}

TYPED_TEST(DenseLuTest, factors_again_and_again_without_allocation) {
  DenseLu<TypeParam> lu(300);
  std::vector<DenseMatrix<TypeParam>> matrices, right_sides;
  std::vector<Vector<TypeParam>> vectors;
  const std::vector<int> sizes{300, 20, 299};
  for (const int n : sizes) {
    matrices.push_back(random_matrix(n, n).in<TypeParam>());
    right_sides.push_back(random_matrix(n, 9).in<TypeParam>());
    vectors.emplace_back(n);
  }
  const auto before = TypeParam::allocated_bytes();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    ASSERT_TRUE(lu.factor(matrices[k]).regular());
    lu.solve(right_sides[k]);
    lu.solve(vectors[k]);
    EXPECT_EQ(TypeParam::allocated_bytes(), before);
    const auto a = random_matrix(sizes[k], sizes[k]), b = random_matrix(sizes[k], 9);
    EXPECT_LT(scaled_residual(a, right_sides[k].values().to_host(), b), 10);
  }
}

TYPED_TEST(DenseLuTest, results_repeat_bit_for_bit) {
  const auto a = random_matrix(500, 500).in<TypeParam>();
  const auto b = random_matrix(500, 20);
  std::vector<double> first;
  for (int run = 0; run < 3; ++run) {
    DenseLu<TypeParam> lu(500);
    ASSERT_TRUE(lu.factor(a).regular());
    auto x = b.in<TypeParam>();
    lu.solve(x);
    if (run == 0) first = x.values().to_host();
    EXPECT_EQ(x.values().to_host(), first);
  }
}

TYPED_TEST(DenseLuTest, growth_of_wilkinsons_matrix_is_two_to_the_power_of_n_minus_one) {
  const int n = 40;
  Dense<> a(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a.at(i, j) = i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
  }
  DenseLu<TypeParam> lu(n);
  const LuReport report = lu.factor(a.in<TypeParam>());
  EXPECT_DOUBLE_EQ(report.pivot_growth, std::ldexp(1.0, n - 1));
  EXPECT_DOUBLE_EQ(report.norm, n);
}

// The inverse of the second difference is known: its entry (i, j), counted from 1, is
// min(i, j) (n + 1 - max(i, j)) / (n + 1).
TYPED_TEST(DenseLuTest, condition_of_the_second_difference_is_found) {
  const int n = 100;
  Dense<> a(n, n);
  double inverse_norm = 0;
  for (int j = 1; j <= n; ++j) {
    double sum = 0;
    for (int i = 1; i <= n; ++i) {
      a.at(i - 1, j - 1) = i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0;
      sum += std::min(i, j) * (n + 1.0 - std::max(i, j)) / (n + 1);
    }
    inverse_norm = std::max(inverse_norm, sum);
  }
  DenseLu<TypeParam> lu(n);
  const double found = 1 / lu.factor(a.in<TypeParam>()).reciprocal_condition;
  EXPECT_LE(found, 4 * inverse_norm * (1 + 1e-10));
  EXPECT_GE(found, 4 * inverse_norm / 3);
}

// A = P + v e_k^T, P a permutation with row p in column k and v_p = 0, has the inverse
// P^T - P^T v e_p^T. With s = sum |v_i| both have the 1-norm 1 + s, but far smaller sums of rows.
TYPED_TEST(DenseLuTest, condition_of_a_nonsymmetric_matrix_is_that_of_its_columns) {
  for (const int n : {12, 15, 150}) {
    const int k = n / 3;
    std::vector<int> rows(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) rows[static_cast<std::size_t>(j)] = (7 * j + 3) % n;
    Dense<> a(n, n);
    double s = 0;
    for (int j = 0; j < n; ++j) a.at(rows[static_cast<std::size_t>(j)], j) = 1;
    for (int i = 0; i < n; ++i) {
      if (i == rows[static_cast<std::size_t>(k)]) continue;
      const double v = (i % 3 == 0 ? -2.0 : 1.0) * (1 + i % 5);
      a.at(i, k) += v;
      s += std::abs(v);
    }
    DenseLu<TypeParam> lu(n);
    const LuReport report = lu.factor(a.template in<TypeParam>());
    EXPECT_DOUBLE_EQ(report.norm, 1 + s) << n;
    EXPECT_NEAR(1 / report.reciprocal_condition, (1 + s) * (1 + s), 1e-9 * s * s) << n;
  }
}

Dense<> hilbert(int n) {
  Dense<> a(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a.at(i, j) = 1.0 / (i + j + 1);
  }
  return a;
}

// 1-norm condition numbers of the Hilbert matrices: N. J. Higham, Accuracy and Stability of
// Numerical Algorithms, 2002, table 28.1 (2-norm) and exact inverses: 943656 for n = 5.
TYPED_TEST(DenseLuTest, hilbert_matrices_are_said_to_be_ill_conditioned) {
  DenseLu<TypeParam> lu(14);
  const LuReport fifth = lu.factor(hilbert(5).in<TypeParam>());
  EXPECT_NEAR(1 / fifth.reciprocal_condition, 943656, 10);
  EXPECT_FALSE(fifth.near_singular<double>());
  const LuReport tenth = lu.factor(hilbert(10).in<TypeParam>());
  EXPECT_GT(1 / tenth.reciprocal_condition, 3.5e13 / 10);
  EXPECT_LT(1 / tenth.reciprocal_condition, 3.5e13 * 10);
  EXPECT_FALSE(tenth.near_singular<double>());
  const LuReport last = lu.factor(hilbert(14).in<TypeParam>());
  EXPECT_TRUE(last.regular());
  EXPECT_TRUE(last.near_singular<double>());
  EXPECT_EQ(last.weakest_column, 13);
}

TYPED_TEST(DenseLuTest, the_estimate_can_be_left_out) {
  LuSettings settings;
  settings.estimate_condition = false;
  DenseLu<TypeParam> lu(10, settings);
  EXPECT_EQ(lu.factor(hilbert(10).in<TypeParam>()).reciprocal_condition, 1.0);
}

TYPED_TEST(DenseLuTest, a_singular_matrix_is_reported_with_its_column) {
  DenseLu<TypeParam> lu(300);
  const LuReport by_hand = lu.factor(Dense<>{{1, 2, 0}, {2, 4, 0}, {0, 0, 3}}.in<TypeParam>());
  EXPECT_FALSE(by_hand.regular());
  EXPECT_EQ(by_hand.singular_column, 1);
  EXPECT_EQ(by_hand.reciprocal_condition, 0.0);

  for (const int column : {0, 31, 32, 77, 299}) {  // a column of zeros
    auto a = random_matrix(300, 300);
    for (int i = 0; i < 300; ++i) a.at(i, column) = 0;
    const LuReport report = lu.factor(a.in<TypeParam>());
    EXPECT_EQ(report.singular_column, column);
    EXPECT_EQ(report.invalid_column, -1);
  }
  EXPECT_EQ(lu.factor(Dense<>(40, 40).in<TypeParam>()).singular_column, 0);
  EXPECT_TRUE(lu.factor(Dense<>{{1}}.in<TypeParam>()).regular());  // nothing of it stays
}

TYPED_TEST(DenseLuTest, rounding_that_hides_a_singular_matrix_is_seen_by_the_estimate) {
  auto a = random_matrix(120, 120);
  for (int i = 0; i < 120; ++i) a.at(i, 100) = 0.1 * a.at(i, 3) + 0.7 * a.at(i, 50);
  DenseLu<TypeParam> lu(120);
  const LuReport report = lu.factor(a.in<TypeParam>());
  EXPECT_TRUE(!report.regular() || report.near_singular<double>());
  EXPECT_TRUE(report.singular_column == 100 || report.weakest_column == 100);
}

TYPED_TEST(DenseLuTest, entries_that_are_no_numbers_are_reported) {
  DenseLu<TypeParam> lu(300);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    auto a = random_matrix(300, 300);
    a.at(200, 140) = bad;
    const LuReport report = lu.factor(a.in<TypeParam>());
    EXPECT_EQ(report.invalid_column, 140) << bad;
    EXPECT_FALSE(report.regular());
    EXPECT_EQ(report.reciprocal_condition, 0.0);
  }
}

TYPED_TEST(DenseLuTest, wrong_shapes_and_settings_are_refused) {
  DenseLu<TypeParam> lu(3);
  EXPECT_THROW((void)lu.factor(DenseMatrix<TypeParam>(2, 3)), ShapeError);
  EXPECT_THROW((void)lu.factor(DenseMatrix<TypeParam>(4, 4)), ShapeError);
  (void)lu.factor(Dense<>{{1, 0}, {0, 1}}.in<TypeParam>());
  Vector<TypeParam> b(3), x(2);
  EXPECT_THROW(lu.solve(b), ShapeError);
  EXPECT_THROW(lu.solve(b, x), ShapeError);
  DenseMatrix<TypeParam> c(3, 2);
  EXPECT_THROW(lu.solve(c), ShapeError);
  EXPECT_THROW(DenseLu<TypeParam>(DenseMatrix<TypeParam>(2, 3)), ShapeError);
  EXPECT_THROW(DenseLu<TypeParam>(-1), ShapeError);
  const auto message = [](const LuSettings& settings) {
    return test::message_of<ConfigError>([&] { DenseLu<TypeParam> made(3, settings); });
  };
  EXPECT_EQ(message({"best"}), "Gauss: pivot_search is 'best', expected fused or thrust");
  EXPECT_EQ(message({"fused", true, 33}), "Gauss: panel is 33, expected 1 to 32, or 0");
  EXPECT_EQ(message({"fused", true, 16, 40}),
            "Gauss: block is 40, expected a multiple of panel (16), or 0");
}

TEST(ConditionEstimate, is_exact_for_diagonal_matrices) {
  const std::vector<double> diagonal{3, -0.25, 8};
  const auto solve = [&](SolveWith, std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] /= diagonal[i];
  };
  EXPECT_DOUBLE_EQ(estimate_inverse_norm(3, solve), 4);
  EXPECT_EQ(estimate_inverse_norm(0, solve), 0);
}

}  // namespace
}  // namespace hodge::linalg
