#include "linalg/space/dense_primitives.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

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

}  // namespace
}  // namespace hodge::linalg
