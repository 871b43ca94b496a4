#include "linalg/preconditioners/ssor_sai.hpp"

#include <gtest/gtest.h>

#include "linalg/matrices/convert.hpp"
#include "linalg/solve/solve.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using Dense = std::vector<std::vector<double>>;

template <class Space>
class SsorSaiTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SsorSaiTest, tests::Spaces, tests::SpaceName);

Dense multiply(const Dense& a, const Dense& b) {
  Dense c(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// (2-w) [I - D'^-1 U + ...] D'^-1 [I - L D'^-1 + ...] formed entry by entry.
Dense reference_inverse(const Dense& a, int order, double omega) {
  const std::size_t n = a.size();
  Dense identity(n, std::vector<double>(n)), x = identity, y = identity, d = identity;
  for (std::size_t i = 0; i < n; ++i) {
    identity[i][i] = 1;
    d[i][i] = omega / a[i][i];
    for (std::size_t j = 0; j < n; ++j) {
      if (j < i) x[i][j] = a[i][j] * omega / a[j][j];  // L D'^-1
      if (j > i) y[i][j] = a[i][j] * omega / a[i][i];  // D'^-1 U
    }
  }
  const Dense xx = multiply(x, x), yy = multiply(y, y);
  Dense left = identity, right = identity;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      left[i][j] += -y[i][j] + (order == 2 ? yy[i][j] : 0.0);
      right[i][j] += -x[i][j] + (order == 2 ? xx[i][j] : 0.0);
    }
  }
  Dense m = multiply(left, multiply(d, right));
  for (auto& row : m)
    for (double& value : row) value *= 2 - omega;
  return m;
}

// Column j of M^-1, n x n.
template <class Space>
std::vector<double> column_of(SsorSai<Space, double>& preconditioner, int j, int n) {
  std::vector<double> unit(static_cast<std::size_t>(n));
  unit[j] = 1;
  const Vector<Space> r{std::span<const double>(unit)};
  Vector<Space> z(n);
  return preconditioner.apply(r, z).to_host();
}

TYPED_TEST(SsorSaiTest, equals_the_formula_also_for_a_nonsymmetric_matrix) {
  const Dense a = {
      {4, -1, 0, 2, 0}, {-2, 5, 1, 0, 0}, {0, -1, 6, 2, -3}, {1, 0, 0, 3, 1}, {0, 2, 0, -1, 7}};
  const auto matrix = tests::from_dense(a).in<TypeParam>();
  for (const int order : {1, 2}) {
    for (const double omega : {0.5, 1.0, 1.7}) {
      const Dense expected = reference_inverse(a, order, omega);
      SsorSai<TypeParam, double> preconditioner({.order = order, .omega = omega});
      preconditioner.setup(*matrix);
      for (int j = 0; j < 5; ++j) {
        const auto column = column_of(preconditioner, j, 5);
        for (int i = 0; i < 5; ++i)
          ASSERT_NEAR(column[i], expected[i][j], 1e-14) << order << " " << omega;
      }
    }
  }
}

TYPED_TEST(SsorSaiTest, refresh_follows_new_values_without_allocation) {
  const auto matrix = tests::from_dense({{4, -1}, {-1, 4}}).template in<TypeParam>();
  SsorSai<TypeParam, double> preconditioner({.order = 2, .omega = 1.2});
  preconditioner.setup(*matrix);
  matrix->values().upload(std::vector<double>{8, -3, 1, 5});
  const auto before = TypeParam::allocated_bytes();
  preconditioner.refresh(*matrix);
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  const Dense expected = reference_inverse({{8, -3}, {1, 5}}, 2, 1.2);
  Vector<TypeParam> r(std::vector<double>{1, 0}), z(2);
  const auto column = preconditioner.apply(r, z).to_host();
  EXPECT_NEAR(column[0], expected[0][0], 1e-15);
  EXPECT_NEAR(column[1], expected[1][0], 1e-15);
}

TYPED_TEST(SsorSaiTest, stays_symmetric_positive_definite_for_every_omega) {
  const auto host = tests::poisson({7, 6, 1});
  const auto a = host.in<TypeParam>();
  for (const int order : {1, 2}) {
    for (const double omega : {0.1, 1.0, 1.5, 1.9}) {
      SsorSai<TypeParam, double> preconditioner({.order = order, .omega = omega});
      preconditioner.setup(*a);
      const auto u = tests::random_values(42, 1), v = tests::random_values(42, 2);
      const Vector<TypeParam> du{std::span<const double>(u)}, dv{std::span<const double>(v)};
      Vector<TypeParam> mu(42), mv(42);
      (void)preconditioner.apply(du, mu);
      (void)preconditioner.apply(dv, mv);
      const auto [u_mv, v_mu, u_mu] = dots(du, mv, dv, mu, du, mu);
      EXPECT_NEAR(u_mv.to_host(), v_mu.to_host(), 1e-13);
      EXPECT_GT(u_mu.to_host(), 0.0);
    }
  }
}

// The formula restricted to the pattern of A, for a symmetric and a nonsymmetric matrix.
TYPED_TEST(SsorSaiTest, truncated_form_is_the_product_on_the_pattern) {
  const Dense symmetric = {
      {4, -1, 0, 2, 0}, {-1, 5, 1, 0, 0}, {0, 1, 6, 2, -3}, {2, 0, 2, 9, 1}, {0, 0, -3, 1, 7}};
  const Dense nonsymmetric = {
      {4, -1, 0, 2, 0}, {-2, 5, 1, 0, 0}, {0, -1, 6, 2, -3}, {1, 0, 0, 3, 1}, {0, 2, 0, -1, 7}};
  for (const Dense& a : {symmetric, nonsymmetric}) {
    const auto matrix = tests::from_dense(a).in<TypeParam>(a == symmetric ? Symmetry::symmetric
                                                                          : Symmetry::unknown);
    for (const int order : {1, 2}) {
      const Dense expected = reference_inverse(a, order, 0.7);
      SsorSai<TypeParam, double> preconditioner(
          {.order = order, .omega = 0.7, .form = "truncated"});
      preconditioner.setup(*matrix);
      for (int j = 0; j < 5; ++j) {
        const auto column = column_of(preconditioner, j, 5);
        for (int i = 0; i < 5; ++i)
          ASSERT_NEAR(column[i], a[i][j] == 0 ? 0.0 : expected[i][j], 1e-14) << order;
      }
    }
  }
}

TYPED_TEST(SsorSaiTest, transposed_application_is_the_transpose) {
  const auto host = tests::convection_diffusion({6, 7, 1}, 3.0);
  const auto a = host.in<TypeParam>();
  TransposedCsr<TypeParam> transposed;
  transposed.setup(*a);
  const auto u = tests::random_values(host.rows, 1), v = tests::random_values(host.rows, 2);
  const Vector<TypeParam> du{std::span<const double>(u)}, dv{std::span<const double>(v)};
  Vector<TypeParam> mu(host.rows), mtv(host.rows);
  for (const char* form : {"factored", "truncated"}) {
    for (const int order : {1, 2}) {
      SsorSai<TypeParam, double> preconditioner({.order = order, .omega = 1.1, .form = form});
      preconditioner.setup(*a);
      preconditioner.use_transpose(transposed.matrix());
      (void)preconditioner.apply(du, mu);
      (void)preconditioner.apply_transposed(dv, mtv);
      const auto [v_mu, u_mtv] = dots(dv, mu, du, mtv);
      EXPECT_NEAR(v_mu.to_host(), u_mtv.to_host(), 1e-12) << form << order;
      EXPECT_NE(v_mu.to_host(), 0.0);
    }
  }
}

TYPED_TEST(SsorSaiTest, alpha_keeps_the_largest_entries_symmetrically) {
  const auto host = tests::poisson({20, 20, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  Vector<TypeParam> d(host.rows);
  d.fill(1.0 / 4.0);
  int before = 0;
  for (const double alpha : {0.2, 0.4, 0.7, 1.0}) {
    SsorProduct<TypeParam, double> product(2, alpha);
    product.setup(*a, 1.0, d);
    const auto& pattern = product.matrix().pattern();
    EXPECT_GE(pattern.nonzeros(), before);
    before = pattern.nonzeros();
    const auto offsets = pattern.row_offsets().to_host(), columns = pattern.columns().to_host();
    const auto values = product.matrix().values().to_host();
    tests::Entries entries;
    for (int i = 0; i < host.rows; ++i)
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) entries[{i, columns[k]}] = values[k];
    for (int i = 0; i < host.rows; ++i) ASSERT_TRUE(entries.contains({i, i}));
    for (const auto& [place, value] : entries)
      ASSERT_EQ(value, entries.at({place.second, place.first}));
    if (alpha == 0.2) {
      EXPECT_EQ(pattern.nonzeros(), host.rows);  // one of five: the diagonal
    }
  }
  EXPECT_EQ(before, static_cast<int>(host.values.size()));
}

TYPED_TEST(SsorSaiTest, truncated_refresh_follows_new_values_without_allocation) {
  const auto first = tests::poisson({12, 11, 1});
  const auto second = tests::convection_diffusion({12, 11, 1}, 1);
  const auto a = first.in<TypeParam>();
  for (const int order : {1, 2}) {
    const SsorSaiSettings settings{.order = order, .omega = 0.8, .form = "truncated"};
    SsorSai<TypeParam, double> refreshed(settings), fresh(settings);
    a->values().upload(first.values);
    refreshed.setup(*a);
    a->values().upload(second.values);
    const auto before = TypeParam::allocated_bytes();
    refreshed.refresh(*a);
    EXPECT_EQ(TypeParam::allocated_bytes(), before);
    fresh.setup(*a);
    const auto values = tests::random_values(first.rows);
    const Vector<TypeParam> r{std::span<const double>(values)};
    Vector<TypeParam> z(first.rows), expected(first.rows);
    EXPECT_EQ(refreshed.apply(r, z).to_host(), fresh.apply(r, expected).to_host());
  }
}

TYPED_TEST(SsorSaiTest, loss_of_definiteness_is_named_with_the_setting_that_caused_it) {
  const auto host = tests::poisson({48, 48, 1}, true);
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const auto values = tests::random_values(host.rows);
  const Vector<TypeParam> b{std::span<const double>(values)};
  Vector<TypeParam> x(host.rows);
  SolverSettings settings;
  settings.preconditioner = {"ssor_sai", {{"order", 2}, {"omega", 1.8}, {"form", "truncated"}}};
  SolveOptions options;
  options.null_space = NullSpace::constant;
  const auto report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, b, x, options);
  EXPECT_EQ(report.breakdown, Breakdown::indefinite_preconditioner);
  EXPECT_EQ(report.preconditioner_settings, "form truncated, order 2, omega 1.8, alpha 1");
  EXPECT_NE(describe(report).find("use form factored, or a smaller omega"), std::string::npos)
      << describe(report);
}

TYPED_TEST(SsorSaiTest, needs_a_matrix_with_entries) {
  class Identity : public LinearOperator<TypeParam, double> {
   public:
    int rows() const override { return 4; }
    int cols() const override { return 4; }
    void spmv(double alpha, const Vector<TypeParam>& x, double beta, const Vector<TypeParam>& b,
              Vector<TypeParam>& y) const override {
      y = alpha * x + beta * b;
    }
  };
  SsorSai<TypeParam, double> preconditioner({.order = 1, .omega = 1.0});
  EXPECT_THROW(preconditioner.setup(Identity()), ShapeError);
}

}  // namespace
}  // namespace hodge::linalg
