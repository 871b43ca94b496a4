// A^T without entries of its own against A^T as a second matrix, bit for bit.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;

// Entries of no symmetry on the diagonals `offsets`, of which a share is missing.
HostMatrix on_diagonals(int n, const std::vector<int>& offsets, double share) {
  const std::vector<double> random =
      tests::random_values(2 * n * static_cast<int>(offsets.size()), 11);
  tests::Entries entries;
  std::size_t next = 0;
  for (int i = 0; i < n; ++i)
    for (const int offset : offsets) {
      const double value = random[next++], chance = std::abs(random[next++]);
      if (i + offset < 0 || i + offset >= n || (offset != 0 && chance > share)) continue;
      entries[{i, i + offset}] = offset == 0 ? 9.0 + value : value;
    }
  return tests::from_entries(n, n, entries);
}

std::vector<HostMatrix> matrices_on_few_diagonals() {
  return {tests::from_dense({{3.0}}),
          tests::poisson({33, 31, 1}),
          tests::convection_diffusion({17, 13, 11}, 3.0),
          on_diagonals(1000, {-40, -7, -1, 0, 2, 40, 41}, 0.7),
          on_diagonals(777, {-776, -3, 0, 1, 776}, 1e9),
          on_diagonals(2500, {-9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 600}, 0.5)};
}

template <class Space>
class TransposedDiagonalsTest : public tests::SpaceTest<Space> {
 protected:
  template <class T>
  static void is_the_stored_one(const HostMatrix& host) {
    const auto a = host.in<Space, T>(Symmetry::nonsymmetric);
    TransposedCsr<Space, T> stored;
    stored.setup(*a);
    const TransposedDiagonals<Space, T> implicit(*a);
    const std::vector<double> x64 = tests::random_values(host.rows, 1),
                              b64 = tests::random_values(host.rows, 2);
    const Vector<Space, T> x(std::vector<T>(x64.begin(), x64.end())),
        b(std::vector<T>(b64.begin(), b64.end()));
    Vector<Space, T> y(host.rows), expected(host.rows), by_columns(host.rows);
    const auto same = [&] { EXPECT_EQ(y.to_host(), expected.to_host()); };
    multiply<Space, T>(implicit, x, y);
    multiply<Space, T>(stored.matrix(), x, expected);
    same();
    implicit.spmv(-0.7, x, 1.3, b, y);
    stored.matrix().spmv(-0.7, x, 1.3, b, expected);
    same();
    const auto dots_of_both = multiply_both<Space, T>(*a, implicit, x, b, y, by_columns);
    multiply<Space, T>(stored.matrix(), b, expected);
    EXPECT_EQ(by_columns.to_host(), expected.to_host());
    const auto dots = a->apply_and_dots(x, b, expected);
    same();
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(dots_of_both[k].to_host(), dots[k].to_host(),
                  1e-13 * std::abs(dots[2].to_host() + dots[1].to_host()));
    for (const Triangle part :
         {Triangle::strictly_lower, Triangle::strictly_upper, Triangle::both}) {
      Space::sweep(implicit.csr_view(), part, b.data(), x.data(), b.data(), 0.3, y.data());
      Space::sweep(stored.matrix().view(), part, b.data(), x.data(), b.data(), 0.3,
                   expected.data());
      same();
    }
  }
};
TYPED_TEST_SUITE(TransposedDiagonalsTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(TransposedDiagonalsTest, products_and_sweeps_have_the_bits_of_the_stored_transpose) {
  for (const HostMatrix& host : matrices_on_few_diagonals()) {
    this->template is_the_stored_one<double>(host);
    this->template is_the_stored_one<float>(host);
  }
}

TYPED_TEST(TransposedDiagonalsTest, a_product_moves_as_many_bytes_as_one_with_the_matrix) {
  const auto a = tests::convection_diffusion({17, 13, 11}, 3.0).template in<TypeParam>();
  const TransposedDiagonals<TypeParam> implicit(*a);
  Vector<TypeParam> x(a->rows()), y(a->rows());
  const double start = traffic<TypeParam>().moved;
  multiply(*a, x, y);
  const double between = traffic<TypeParam>().moved;
  multiply<TypeParam, double>(implicit, x, y);
  EXPECT_EQ(traffic<TypeParam>().moved - between, between - start);
}

TYPED_TEST(TransposedDiagonalsTest, other_matrices_are_refused) {
  const auto wide = tests::from_dense({{1, 2, 3}, {0, 1, 2}}).template in<TypeParam>();
  EXPECT_THROW(TransposedDiagonals<TypeParam>{*wide}, ShapeError);
  const auto many = tests::random_sparse(300, 300, 9).template in<TypeParam>();
  EXPECT_THROW(TransposedDiagonals<TypeParam>{*many}, ShapeError);
  const auto a = tests::poisson({4, 4, 1}).template in<TypeParam>();
  const TransposedDiagonals<TypeParam> transposed(*a);
  Vector<TypeParam> x(15), y(16);
  EXPECT_THROW((multiply<TypeParam, double>(transposed, x, y)), ShapeError);
}

// A time step: new values in the same pattern.
TYPED_TEST(TransposedDiagonalsTest, bicg_takes_the_same_steps_with_and_without_a_second_matrix) {
  const HostMatrix host = tests::convection_diffusion({12, 13, 14}, 2.0);
  const auto a = host.in<TypeParam>(Symmetry::nonsymmetric);
  const std::vector<double> random = tests::random_values(host.rows, 3);
  const Vector<TypeParam> b{std::span<const double>(random)};
  for (const char* kind : {"none", "jacobi", "neumann", "ssor_sai", "multigrid"}) {
    std::vector<double> x_of[2], history[2];
    std::size_t held[2];
    for (const bool stored : {false, true}) {
      SolverSettings settings{.method = "bicg", .preconditioner = {kind, {}}, .tolerance = 1e-10};
      if (stored) settings.options["transpose"] = "stored";
      a->values().upload(host.values);
      const auto before = TypeParam::allocated_bytes();
      LinearSolver<TypeParam> solver(settings, host.rows);
      Vector<TypeParam> x(host.rows);
      x.fill(0.0);
      EXPECT_TRUE(solver.solve(*a, b, x).converged());
      std::vector<double> values = host.values;
      for (std::size_t k = 0; k < values.size(); ++k)
        values[k] *= 1.0 + 0.01 * static_cast<double>(k % 3);
      a->values().upload(values);
      const SolveReport report = solver.solve(*a, b, x, {.changed = Changed::values});
      EXPECT_TRUE(report.converged()) << kind << ": " << describe(report);
      x_of[stored] = x.to_host();
      history[stored] = report.history;
      held[stored] = TypeParam::allocated_bytes() - before - x.size() * sizeof(double);
    }
    EXPECT_EQ(x_of[0], x_of[1]) << kind;
    EXPECT_EQ(history[0], history[1]) << kind;
    SolverSettings settings{.method = "bicg", .preconditioner = {kind, {}}, .tolerance = 1e-10};
    const std::size_t implicit_bytes = solver_memory(settings, a->system_size());
    settings.options["transpose"] = "stored";
    const std::size_t saved = solver_memory(settings, a->system_size()) - implicit_bytes;
    EXPECT_NEAR(static_cast<double>(held[1] - held[0]), static_cast<double>(saved), 4096) << kind;
    EXPECT_EQ(saved, std::string(kind) == "multigrid"
                         ? 0
                         : (TransposedCsr<TypeParam>::memory(a->system_size())))
        << kind;
  }
}

}  // namespace
}  // namespace hodge::linalg
