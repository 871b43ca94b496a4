// The Neumann polynomial of the Jacobi splitting.
#include "linalg/preconditioners/neumann.hpp"

#include <gtest/gtest.h>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class NeumannTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(NeumannTest, tests::Spaces, tests::SpaceName);

// sum_i (I - D^-1 A)^i D^-1 r, term by term.
std::vector<double> reference(const tests::HostMatrix& a, int degree,
                              const std::vector<double>& r) {
  std::vector<double> diagonal(r.size()), term(r.size());
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) diagonal[i] = a.values[k];
    term[i] = r[i] / diagonal[i];
  }
  std::vector<double> sum = term;
  for (int power = 1; power <= degree; ++power) {
    const auto product = a.multiply(term);
    for (int i = 0; i < a.rows; ++i) {
      term[i] -= product[i] / diagonal[i];
      sum[i] += term[i];
    }
  }
  return sum;
}

TYPED_TEST(NeumannTest, equals_the_formula_also_transposed) {
  const tests::HostMatrix host = tests::convection_diffusion({7, 5, 3}, 2.0);
  tests::Entries swapped;
  for (int i = 0; i < host.rows; ++i)
    for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k)
      swapped[{host.columns[k], i}] = host.values[k];
  const auto host_transposed = tests::from_entries(host.rows, host.rows, swapped);
  const auto a = host.in<TypeParam>(), at = host_transposed.template in<TypeParam>();
  const auto values = tests::random_values(host.rows);
  const Vector<TypeParam> r{std::span<const double>(values)};
  for (const int degree : {0, 1, 2, 3, 6}) {
    Neumann<TypeParam, double> preconditioner({.degree = degree});
    preconditioner.setup(*a);
    preconditioner.use_transpose(*at);
    EXPECT_EQ(preconditioner.failure().reason, Breakdown::none);
    Vector<TypeParam> z(host.rows);
    const auto forward = preconditioner.apply(r, z).to_host();
    const auto expected = reference(host, degree, values);
    const auto backward = preconditioner.apply_transposed(r, z).to_host();
    const auto expected_backward = reference(host_transposed, degree, values);
    for (int i = 0; i < host.rows; ++i) {
      ASSERT_NEAR(forward[i], expected[i], 1e-13) << degree;
      ASSERT_NEAR(backward[i], expected_backward[i], 1e-13) << degree;
    }
  }
}

TYPED_TEST(NeumannTest, odd_degrees_are_singular_on_the_checkerboard_only) {
  const auto reason = [](const tests::HostMatrix& host, int degree) {
    const auto a = host.in<TypeParam>();
    Neumann<TypeParam, double> preconditioner({.degree = degree});
    preconditioner.setup(*a);
    return preconditioner.failure().reason;
  };
  using enum Breakdown;
  for (const auto& cells : {std::array<int, 3>{16, 17, 1}, {5, 6, 7}, {31, 1, 1}}) {
    EXPECT_EQ(reason(tests::poisson(cells, true), 1), singular_preconditioner);
    EXPECT_EQ(reason(tests::poisson(cells, true), 3), singular_preconditioner);
    EXPECT_EQ(reason(tests::poisson(cells, true), 2), none);
    EXPECT_EQ(reason(tests::poisson(cells, false), 1), none);
  }
  // A ring with an odd number of unknowns has no two-colouring; one with an even number has.
  const auto ring = [](int n) {
    tests::Entries entries;
    for (int i = 0; i < n; ++i) {
      entries[{i, i}] = 2;
      entries[{i, (i + 1) % n}] = entries[{(i + 1) % n, i}] = -1;
    }
    return tests::from_entries(n, n, entries);
  };
  EXPECT_EQ(reason(ring(9), 1), none);
  EXPECT_EQ(reason(ring(10), 1), singular_preconditioner);
}

TYPED_TEST(NeumannTest, saves_iterations) {
  const auto host = tests::poisson({64, 64, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const auto values = tests::random_values(host.rows);
  const Vector<TypeParam> b{std::span<const double>(values)};
  int before = 0;
  for (const int degree : {0, 2, 4, 8}) {
    SolverSettings settings;
    settings.preconditioner = {"neumann", {{"degree", degree}}};
    Vector<TypeParam> x(host.rows);
    const auto report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, b, x);
    EXPECT_TRUE(report.converged()) << describe(report);
    if (before > 0) {
      EXPECT_LT(report.iterations, before);
    }
    before = report.iterations;
  }
}

}  // namespace
}  // namespace hodge::linalg
