#include "linalg/space/batched_gauss.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "linalg/base/errors.hpp"
#include "linalg/vectors/buffer.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class BatchedGaussTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(BatchedGaussTest, tests::Spaces, tests::SpaceName);

template <class T>
struct Solved {
  std::vector<T> x;
  std::vector<int> singular;
};

template <class Space, class T>
Solved<T> solve(int n, int count, const std::vector<T>& a, const std::vector<T>& b) {
  Buffer<T, Space> matrices{std::span<const T>(a)}, x{std::span<const T>(b)};
  Buffer<int, Space> singular(static_cast<std::size_t>(count));
  solve_batched<Space, T>(n, count, matrices.data(), x.data(), singular.data());
  return {x.to_host(), singular.to_host()};
}

template <class T>
std::vector<T> random_numbers(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>(number(generator));
  return values;
}

// The largest || b - A x || / (|| A || || x || n eps) over the systems.
template <class T>
double worst_residual(int n, int count, const std::vector<T>& a, const std::vector<T>& b,
                      const std::vector<T>& x) {
  double worst = 0;
  for (int s = 0; s < count; ++s) {
    const T* const matrix = a.data() + static_cast<std::size_t>(s) * n * n;
    double norm = 0, residual = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0, r = b[s * n + i];
      for (int j = 0; j < n; ++j) {
        sum += std::abs(static_cast<double>(matrix[i + j * n]));
        r -= static_cast<double>(matrix[i + j * n]) * x[s * n + j];
      }
      norm = std::max(norm, sum);
      residual = std::max(residual, std::abs(r));
      size = std::max(size, std::abs(static_cast<double>(x[s * n + i])));
      if (!std::isfinite(x[s * n + i])) return HUGE_VAL;
    }
    worst = std::max(worst, residual / (norm * size * n));
  }
  return worst / static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class Space, class T>
void expect_small_batch_residuals(int n, int count) {
  const auto a = random_numbers<T>(static_cast<std::size_t>(n) * n * count, 1);
  const auto b = random_numbers<T>(static_cast<std::size_t>(n) * count, 2);
  const auto solved = solve<Space, T>(n, count, a, b);
  EXPECT_LT(worst_residual(n, count, a, b, solved.x), 10) << count << " systems of " << n;
  EXPECT_THAT(solved.singular, testing::Each(-1));
}

TYPED_TEST(BatchedGaussTest, two_systems_by_hand_that_need_an_exchange) {
  const std::vector<double> a{0, 2, 1, 1, /**/ 1, 0, 0, 4};
  const auto solved = solve<TypeParam, double>(2, 2, a, {3, 7, 5, 8});
  EXPECT_THAT(solved.x, testing::ElementsAre(2, 3, 5, 2));
  EXPECT_THAT(solved.singular, testing::Each(-1));
}

TYPED_TEST(BatchedGaussTest, random_systems_of_every_size_have_small_residuals) {
  for (int n = 1; n <= 32; ++n) expect_small_batch_residuals<TypeParam, double>(n, 37);
  for (const int count : {1, 31, 33, 1000})
    expect_small_batch_residuals<TypeParam, double>(5, count);
}

TYPED_TEST(BatchedGaussTest, single_precision) {
  for (const int n : {1, 3, 4, 8, 15, 32}) expect_small_batch_residuals<TypeParam, float>(n, 100);
}

TYPED_TEST(BatchedGaussTest, exchanges_that_reverse_all_rows) {
  for (int n = 1; n <= 32; ++n) {
    std::vector<double> a(static_cast<std::size_t>(n) * n), b(n), expected(n);
    for (int i = 0; i < n; ++i) {
      a[i + (n - 1 - i) * n] = i + 1;  // row i has one entry, in column n-1-i
      b[i] = (i + 1) * (10 + i);
      expected[n - 1 - i] = 10 + i;
    }
    EXPECT_EQ((solve<TypeParam, double>(n, 1, a, b).x), expected);
  }
}

TYPED_TEST(BatchedGaussTest, singular_systems_name_their_column_and_leave_the_others_alone) {
  for (const int n : {2, 4, 5, 8, 9, 16, 20, 32}) {
    const int count = 12;
    auto a = random_numbers<double>(static_cast<std::size_t>(n) * n * count, 3);
    const auto b = random_numbers<double>(static_cast<std::size_t>(n) * count, 4);
    const auto matrix = [&](int s) { return a.data() + static_cast<std::size_t>(s) * n * n; };
    for (int i = 0; i < n; ++i) matrix(1)[i + (n - 1) * n] = 0;
    for (int i = 0; i < n; ++i) matrix(5)[i] = 0;
    matrix(7)[n - 1 + (n / 2) * n] = std::nan("");
    const auto solved = solve<TypeParam, double>(n, count, a, b);
    for (int s = 0; s < count; ++s) {
      const int column = s == 1 ? n - 1 : s == 5 ? 0 : s == 7 ? n / 2 : -1;
      EXPECT_EQ(solved.singular[s], column) << "system " << s << " of " << n;
      if (column >= 0) continue;
      const auto part = [&](const auto& v, std::size_t size) {
        return std::vector<double>(v.begin() + s * size, v.begin() + (s + 1) * size);
      };
      EXPECT_LT(worst_residual(n, 1, part(a, static_cast<std::size_t>(n) * n), part(b, n),
                               part(solved.x, n)),
                10);
    }
  }
}

TYPED_TEST(BatchedGaussTest, no_system_at_all_and_wrong_sizes) {
  EXPECT_TRUE((solve<TypeParam, double>(3, 0, {}, {}).x.empty()));
  const auto message = [](int n, int count) {
    return test::message_of<ShapeError>(
        [&] { solve_batched<TypeParam, double>(n, count, nullptr, nullptr, nullptr); });
  };
  EXPECT_EQ(message(33, 1), "batched Gauss: systems of 33 unknowns, expected 1 to 32");
  EXPECT_EQ(message(0, 1), "batched Gauss: systems of 0 unknowns, expected 1 to 32");
  EXPECT_EQ(message(3, -1), "batched Gauss: -1 systems");
}

}  // namespace
}  // namespace hodge::linalg
