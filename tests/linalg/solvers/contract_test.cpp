// The contract of every solver with every preconditioner in every space, by the residual that this
// file computes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/matrices.hpp"
#include "tests/support/solver_variants.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;

template <class Space>
class SolverContract : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SolverContract, tests::Spaces, tests::SpaceName);

using tests::all_variants;
using tests::Variant;

bool is_odd_polynomial(const Variant& variant) {
  const PreconditionerSettings& p = variant.settings.preconditioner;
  return p.kind == "neumann" && std::get<int>(p.options.at("degree")) % 2 == 1;
}

// Solves with every variant; methods for symmetric systems must refuse others with not_symmetric.
template <class Space>
void every_variant_solves(const HostMatrix& host, bool symmetric,
                          NullSpace null_space = NullSpace::none, const char* may_fail = "") {
  const bool singular = null_space == NullSpace::constant;
  const auto a = host.in<Space>();
  const auto b = tests::random_values(host.rows, 7);
  auto projected_b = b;
  for (double& value : projected_b) value -= singular ? tests::mean(b) : 0.0;
  const Vector<Space> device_b{std::span<const double>(b)};
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    Vector<Space> x(host.rows);
    LinearSolver<Space> solver(variant.settings, host.rows);
    SolveOptions options;
    options.null_space = null_space;
    const SolveReport report = solver.solve(*a, device_b, x, options);
    if (variant.needs_symmetric && !symmetric) {
      EXPECT_EQ(report.status, SolveStatus::breakdown);
      EXPECT_EQ(report.breakdown, Breakdown::not_symmetric);
      continue;
    }
    if (singular && is_odd_polynomial(variant)) {  // the checkerboard
      EXPECT_EQ(report.status, SolveStatus::breakdown);
      EXPECT_EQ(report.breakdown, Breakdown::singular_preconditioner);
      EXPECT_NE(describe(report).find("use an even degree"), std::string::npos);
      continue;
    }
    const auto result = x.to_host();
    const double residual = tests::residual_norm(host, b, result, singular);
    const double norm = tests::norm2(projected_b);
    if (variant.settings.preconditioner.kind == may_fail && !report.converged()) {
      EXPECT_NEAR(report.true_residual, residual, 1e-9 * residual);  // a failure that is told
      continue;
    }
    EXPECT_TRUE(report.converged()) << describe(report);
    EXPECT_LE(residual, (1 + 1e-3) * variant.settings.tolerance * norm);
    EXPECT_NEAR(report.true_residual, residual, 1e-3 * report.target);
    EXPECT_NEAR(report.rhs_norm, norm, 1e-12 * norm);
    ASSERT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations) + 1);
    EXPECT_LE(report.history.back(), report.target);
    if (singular) {
      EXPECT_NEAR(tests::mean(result), 0.0, 1e-12 * tests::norm2(result));
    }
  }
}

TYPED_TEST(SolverContract, symmetric_positive_definite_systems) {
  every_variant_solves<TypeParam>(tests::poisson({33, 29, 1}), true);
  every_variant_solves<TypeParam>(tests::poisson({11, 12, 13}), true);
}

TYPED_TEST(SolverContract, single_unknown) {
  every_variant_solves<TypeParam>(tests::from_dense({{4.0}}), true);
}

TYPED_TEST(SolverContract, upwind_convection_diffusion) {
  for (const double peclet : {0.1, 1.0, 10.0, 100.0}) {
    SCOPED_TRACE(peclet);
    // Without the diagonal of a time step, a Neumann series of two terms does not approximate the
    // inverse of these triangles at Peclet 100: whether ssor_sai converges depends on rounding. The
    // other preconditioners must converge.
    const char* may_fail = peclet > 10 ? "ssor_sai" : "";
    every_variant_solves<TypeParam>(tests::convection_diffusion({31, 33, 1}, peclet), false,
                                    NullSpace::none, may_fail);
  }
}

TYPED_TEST(SolverContract, time_step_of_central_convection_diffusion) {
  for (const double peclet : {0.1, 1.0, 10.0, 100.0}) {
    SCOPED_TRACE(peclet);
    every_variant_solves<TypeParam>(tests::central_time_step({12, 13, 14}, peclet, 0.3), false);
  }
}

TYPED_TEST(SolverContract, singular_consistent_systems) {
  every_variant_solves<TypeParam>(tests::poisson({33, 32, 1}, true), true, NullSpace::constant);
  every_variant_solves<TypeParam>(tests::poisson({9, 10, 11}, true), true, NullSpace::constant);
}

TYPED_TEST(SolverContract, zero_right_side_gives_zero_whatever_the_guess) {
  const auto a = tests::poisson({8, 8, 1}).template in<TypeParam>();
  const Vector<TypeParam> b(64);
  for (const Variant& variant : all_variants()) {
    Vector<TypeParam> x(64);
    x.fill(3.0);
    const auto report = LinearSolver<TypeParam>(variant.settings, 64).solve(*a, b, x);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(x.to_host(), std::vector<double>(64, 0.0));
  }
}

TYPED_TEST(SolverContract, exact_guess_costs_no_iteration) {
  const HostMatrix host = tests::poisson({8, 9, 1});
  const auto a = host.in<TypeParam>();
  const auto solution = tests::random_values(72);
  const auto b = host.multiply(solution);
  const Vector<TypeParam> device_b{std::span<const double>(b)};
  for (const Variant& variant : all_variants()) {
    Vector<TypeParam> x{std::span<const double>(solution)};
    const auto report = LinearSolver<TypeParam>(variant.settings, 72).solve(*a, device_b, x);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
  }
}

TYPED_TEST(SolverContract, not_a_number_is_named_and_never_called_converged) {
  const auto a = tests::poisson({8, 8, 1}).template in<TypeParam>();
  auto values = tests::random_values(64);
  values[17] = std::nan("");
  const Vector<TypeParam> b{std::span<const double>(values)};
  for (const Variant& variant : all_variants()) {
    Vector<TypeParam> x(64);
    const auto report = LinearSolver<TypeParam>(variant.settings, 64).solve(*a, b, x);
    EXPECT_EQ(report.status, SolveStatus::breakdown);
    EXPECT_EQ(report.breakdown, Breakdown::not_finite);
  }
}

TYPED_TEST(SolverContract, not_a_number_in_the_matrix_is_never_called_converged) {
  HostMatrix host = tests::poisson({8, 8, 1});
  host.values[40] = std::nan("");
  const auto a = host.in<TypeParam>();
  const auto values = tests::random_values(64);
  const Vector<TypeParam> b{std::span<const double>(values)};
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    Vector<TypeParam> x(64);
    const auto report = LinearSolver<TypeParam>(variant.settings, 64).solve(*a, b, x);
    EXPECT_EQ(report.status, SolveStatus::breakdown) << describe(report);
  }
}

// Rows 0 and 1 demand x0 + x1 = 1 and x0 + x1 = 2.
TYPED_TEST(SolverContract, exactly_singular_inconsistent_systems_are_never_called_converged) {
  const HostMatrix host =
      tests::from_dense({{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 2, -1}, {0, 0, -1, 2}});
  const auto a = host.in<TypeParam>();
  const Vector<TypeParam> b(std::vector<double>{1, 2, 1, 1});
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    Vector<TypeParam> x(4);
    const auto report = LinearSolver<TypeParam>(variant.settings, 4).solve(*a, b, x);
    EXPECT_FALSE(report.converged()) << describe(report);
    EXPECT_NE(report.status, SolveStatus::running);
    const double residual = tests::residual_norm(host, b.to_host(), x.to_host());
    EXPECT_NEAR(report.true_residual, residual, 1e-9 * residual);
    EXPECT_GE(residual, std::sqrt(0.5) * (1 - 1e-12));  // the least that any x can reach
  }
}

TYPED_TEST(SolverContract, too_few_iterations_are_reported_and_x_is_the_last_iterate) {
  const HostMatrix host = tests::poisson({33, 29, 1});
  const auto a = host.in<TypeParam>();
  const auto b = tests::random_values(host.rows, 7);
  const Vector<TypeParam> device_b{std::span<const double>(b)};
  for (Variant variant : all_variants()) {
    if (variant.direct) continue;  // one iteration is enough
    SCOPED_TRACE(variant.name);
    variant.settings.max_iterations = 7;
    Vector<TypeParam> x(host.rows);
    const auto report = LinearSolver<TypeParam>(variant.settings, host.rows).solve(*a, device_b, x);
    EXPECT_EQ(report.status, SolveStatus::max_iterations);
    EXPECT_EQ(report.iterations, 7);
    EXPECT_NEAR(report.true_residual, tests::residual_norm(host, b, x.to_host()),
                1e-9 * report.rhs_norm);
    EXPECT_NEAR(report.true_residual, report.history.back(), 1e-6 * report.rhs_norm);
  }
}

// Also when passes end early: with a tolerance below rounding, the recurrence of many passes
// converges while the true residual does not.
TYPED_TEST(SolverContract, no_more_iterations_are_taken_than_allowed) {
  const HostMatrix host = tests::poisson({6, 5, 1});
  for (Variant variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    if (variant.direct) continue;
    variant.settings.tolerance = 1e-16;
    for (int most = 1; most <= 60; ++most) {
      variant.settings.max_iterations = most;
      const auto a = host.in<TypeParam>(Symmetry::symmetric);
      const auto b = tests::random_values(host.rows);
      const Vector<TypeParam> device_b{std::span<const double>(b)};
      Vector<TypeParam> x(host.rows);
      const auto report =
          LinearSolver<TypeParam>(variant.settings, host.rows).solve(*a, device_b, x);
      EXPECT_LE(report.iterations, most) << describe(report);
      EXPECT_LE(report.history.size(), static_cast<std::size_t>(most) + 1);
    }
  }
}

TYPED_TEST(SolverContract, an_unreachable_tolerance_ends_at_rounding_and_says_so) {
  const auto a = tests::poisson({16, 16, 1}).template in<TypeParam>();
  const auto values = tests::random_values(256);
  const Vector<TypeParam> b{std::span<const double>(values)};
  for (Variant variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    variant.settings.tolerance = 1e-18;
    variant.settings.max_iterations = 20000;
    Vector<TypeParam> x(256);
    const auto report = LinearSolver<TypeParam>(variant.settings, 256).solve(*a, b, x);
    EXPECT_TRUE(report.converged()) << describe(report);
    EXPECT_GT(report.true_residual, report.target) << describe(report);
    EXPECT_LE(report.true_residual, report.rounding) << describe(report);
    EXPECT_LT(report.rounding, 1e-12 * report.rhs_norm) << describe(report);
    EXPECT_THAT(describe(report), testing::HasSubstr("converged (the residual is rounding)"));
    EXPECT_LT(report.iterations, 20000) << describe(report);
  }
}

TYPED_TEST(SolverContract, solves_repeat_bit_for_bit_and_allocate_nothing_the_second_time) {
  const HostMatrix host = tests::central_time_step({20, 21, 1}, 2.0, 1.0);
  const HostMatrix symmetric = tests::poisson({20, 21, 1});
  const auto values = tests::random_values(host.rows);
  const Vector<TypeParam> b{std::span<const double>(values)};
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto a =
        (variant.needs_symmetric ? symmetric : host)
            .in<TypeParam>(variant.needs_symmetric ? Symmetry::symmetric : Symmetry::nonsymmetric);
    LinearSolver<TypeParam> solver(variant.settings, host.rows);
    Vector<TypeParam> first(host.rows), second(host.rows);
    (void)solver.solve(*a, b, first);
    const auto before = TypeParam::allocated_bytes();
    SolveOptions options;
    options.changed = Changed::values;
    (void)solver.solve(*a, b, second, options);
    EXPECT_EQ(TypeParam::allocated_bytes(), before);
    EXPECT_EQ(first.to_host(), second.to_host());
  }
}

TYPED_TEST(SolverContract, float_systems_are_solved_too) {
  const HostMatrix host = tests::poisson({12, 13, 1});
  const auto a = host.in<TypeParam, float>();
  const auto values = tests::random_values(host.rows);
  const std::vector<float> b(values.begin(), values.end());
  for (Variant variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    variant.settings.tolerance = 1e-5;
    Vector<TypeParam, float> device_b{std::span<const float>(b)}, x(host.rows);
    const auto report =
        LinearSolver<TypeParam, float>(variant.settings, host.rows).solve(*a, device_b, x);
    EXPECT_TRUE(report.converged()) << describe(report);
    const auto result = x.to_host();
    const double residual =
        tests::residual_norm(host, {b.begin(), b.end()}, {result.begin(), result.end()});
    EXPECT_LE(residual, 2e-5 * tests::norm2(values));
  }
}

TYPED_TEST(SolverContract, memory_is_as_announced) {
  for (Variant variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const int rows = variant.direct ? 700 : 50000;
    variant.settings.max_iterations = 3;
    const auto before = TypeParam::allocated_bytes();
    LinearSolver<TypeParam> solver(variant.settings, rows);
    const HostMatrix host = tests::poisson({rows, 1, 1});
    const auto a = host.in<TypeParam>(Symmetry::symmetric);
    const auto matrix_bytes = TypeParam::allocated_bytes();
    Vector<TypeParam> b(rows), x(rows);
    const auto outside = TypeParam::allocated_bytes() - matrix_bytes;
    b.fill(1.0);
    (void)solver.solve(*a, b, x, {});
    const auto a_bytes = a->values().bytes() + a->pattern().columns().bytes() +
                         a->pattern().row_offsets().bytes() + a->pattern().diagonal().bytes() +
                         a->pattern().diagonals().masks.bytes();
    const double held =
        static_cast<double>(TypeParam::allocated_bytes() - before - outside - a_bytes);
    const SystemSize size = a->system_size();
    // The number of rows per aggregate depends on the entries.
    const double slack = variant.settings.preconditioner.kind == "multigrid" ? 0.3 : 0.02;
    EXPECT_NEAR(held, static_cast<double>(solver_memory(variant.settings, size)), slack * held);
  }
}

}  // namespace
}  // namespace hodge::linalg
