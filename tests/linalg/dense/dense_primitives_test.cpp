#include "linalg/space/dense_primitives.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "linalg/host/multiply_subtract.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {
namespace {

// The products of the Host are called by many threads at once. A BLAS without locks gives wrong
// ones then, now and then.
TEST(DensePrimitives, products_of_many_threads_at_once_are_those_of_one) {
  constexpr int n = 48, calls = 4000, threads = 8;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(n * n), b(n * n);
  for (double& value : a) value = uniform(random);
  for (double& value : b) value = uniform(random);
  const auto product = [&] {
    std::vector<double> c(n * n, 0.5);
    const DenseView<const double> left{a.data(), n, n, n}, right{b.data(), n, n, n};
    Host::multiply_subtract(false, left, right, DenseView<double>{c.data(), n, n, n});
    Host::solve_triangular(Factor::unit_lower, left, DenseView<double>{c.data(), n, n, n});
    return c;
  };
  const std::vector<double> expected = product();
  int wrong = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : wrong)
  for (int call = 0; call < calls; ++call) wrong += product() != expected;
  EXPECT_EQ(wrong, 0) << "of " << calls;
}

// Of odd sizes, more than one packed block deep and high; also in builds that take a BLAS instead.
TEST(DensePrimitives, the_product_of_our_own_is_that_of_the_rows_and_columns) {
  constexpr int rows = 131, cols = 7, depth = 259;
  const auto entry = [](int i, int k) { return 0.25 * ((3 * i + 5 * k) % 17) - 2; };
  for (const bool transposed : {false, true}) {
    std::vector<double> a, b, c(rows * cols, 1.0);
    for (int k = 0; k < (transposed ? rows : depth); ++k)
      for (int i = 0; i < (transposed ? depth : rows); ++i)
        a.push_back(transposed ? entry(k, i) : entry(i, k));
    for (int j = 0; j < cols; ++j)
      for (int k = 0; k < depth; ++k) b.push_back(entry(k, 2 * j));
    const DenseView<const double> left = transposed
                                             ? DenseView<const double>{a.data(), depth, rows, depth}
                                             : DenseView<const double>{a.data(), rows, depth, rows};
    host::multiply_subtract_blocked(transposed, left, {b.data(), depth, cols, depth},
                                    DenseView<double>{c.data(), rows, cols, rows});
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) {
        double expected = 1;
        for (int k = 0; k < depth; ++k) expected -= entry(i, k) * entry(k, 2 * j);
        ASSERT_EQ(c[i + rows * j], expected) << transposed << ' ' << i << ' ' << j;
      }
  }
}

}  // namespace
}  // namespace hodge::linalg
