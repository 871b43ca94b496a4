#include "linalg/direct/direct_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "linalg/direct/axis_fft.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/replay.hpp"
#include "tests/support/direct_systems.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::axis_with;
using tests::compatible_values;
using tests::end_kinds;
using tests::HostMatrix;
using tests::periodic_box;
using tests::without_mean;

template <class Space>
class DirectSolverTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(DirectSolverTest, tests::Spaces, tests::SpaceName);

template <class Space>
std::vector<double> by_direct(const SeparableSystem& system, const std::vector<double>& b) {
  DirectSolver<Space> solver(system);
  const Vector<Space> right_side{std::span<const double>(b)};
  Vector<Space> x(static_cast<int>(b.size()));
  solver.solve(right_side, x);
  return x.to_host();
}

template <class Space>
void expect_same_as_cg(const SeparableSystem& system, double tolerance = 1e-12) {
  const std::vector<double> b = compatible_values(system);
  tests::expect_solution_of_cg<Space>(system, b, by_direct<Space>(system, b), tolerance);
}

TYPED_TEST(DirectSolverTest, agrees_with_cg_on_every_pair_of_ends_in_2d) {
  for (const bool stretched : {false, true})
    for (int first = 0; first < end_kinds; ++first)
      for (int second = 0; second < end_kinds; ++second) {
        SCOPED_TRACE(::testing::Message() << first << " " << second << " " << stretched);
        expect_same_as_cg<TypeParam>({{axis_with(first, 13, stretched, 5.5, 1.3),
                                       axis_with(second, 8, stretched, -3.0, 0.7)}});
      }
}

TYPED_TEST(DirectSolverTest, agrees_with_cg_on_every_combination_of_ends_in_3d) {
  for (int mask = 0; mask < 8; ++mask)
    for (int ends = 0; ends < end_kinds * end_kinds * end_kinds; ++ends) {
      if (mask != 0 && mask != 7 && ends % 7 != mask) continue;  // mixed stretching: a few of all
      SCOPED_TRACE(::testing::Message() << ends << " " << mask);
      expect_same_as_cg<TypeParam>({{axis_with(ends % 5, 6, (mask & 1) != 0, 1.0, 1.0),
                                     axis_with(ends / 5 % 5, 5, (mask & 2) != 0, -2.0, 0.8),
                                     axis_with(ends / 25, 7, (mask & 4) != 0, 10.0, 1.5)}});
    }
}

TYPED_TEST(DirectSolverTest, agrees_with_cg_at_few_cells_primes_and_beyond_256) {
  for (const bool stretched : {false, true})
    for (const int ends : {0, 1, 3}) {
      SCOPED_TRACE(::testing::Message() << ends << " " << stretched);
      expect_same_as_cg<TypeParam>(
          {{axis_with(ends, 3, stretched, 0, 1), axis_with(1, 3, stretched, 0, 1)}});
      expect_same_as_cg<TypeParam>(
          {{axis_with(ends, 31, stretched, 0, 1), axis_with(ends, 29, stretched, 0, 1)}});
      const double of_condition = stretched ? 1e-11 : 1e-12;  // eps times a condition of 1e7
      expect_same_as_cg<TypeParam>(
          {{axis_with(ends, 3, stretched, 0, 0.02), axis_with(ends, 257, stretched, 0, 1)}},
          of_condition);
      expect_same_as_cg<TypeParam>(
          {{axis_with(ends, 257, stretched, 0, 1), axis_with(2, 3, stretched, 0, 0.02),
            axis_with(1, 4, stretched, 0, 0.02)}},
          of_condition);
    }
}

TYPED_TEST(DirectSolverTest, agrees_with_cg_in_periodic_boxes_of_equal_cells) {
  for (const std::vector<int>& points : std::vector<std::vector<int>>{
           {2, 3},     {3, 2},     {4, 5},     {5, 4},      {7, 16},      {16, 7},    {31, 64},
           {64, 31},   {4, 3, 5},  {5, 4, 3},  {3, 5, 4},   {7, 4, 2},    {2, 16, 7}, {16, 5, 7},
           {31, 4, 3}, {4, 31, 7}, {3, 7, 64}, {64, 16, 5}, {16, 16, 16}, {64},       {31}}) {
    SCOPED_TRACE(::testing::PrintToString(points));
    expect_same_as_cg<TypeParam>(periodic_box(points));
  }
}

TYPED_TEST(DirectSolverTest, transforms_equal_cells_by_the_library_that_is_there) {
  const bool on_host = std::is_same_v<TypeParam, Host>,
             has_fft = on_host ? has_fftw() : has_cufft();
  const std::string expected = has_fft ? "fft" : "products";
  EXPECT_THAT(axis_methods<TypeParam>(periodic_box({320, 320, 320})),
              ::testing::ElementsAre(expected, expected, "elimination"));
  SeparableSystem mixed = periodic_box({640, 640, 320});
  mixed.axes[1] = axis_with(1, 640, true, 0, 1);
  if (on_host || !has_fft)
    EXPECT_THAT(axis_methods<TypeParam>(mixed),
                ::testing::ElementsAre(expected, "products", "elimination"));
  else
    EXPECT_THAT(axis_methods<TypeParam>(mixed),
                ::testing::ElementsAre("fft", "elimination", "fft"));
}

TYPED_TEST(DirectSolverTest, leaves_the_constant_out_of_a_periodic_box) {
  const SeparableSystem system = periodic_box({12, 9, 5});
  const HostMatrix a = tests::matrix_of(system);
  const std::vector<double> b = tests::random_values(a.rows, 5);
  const std::vector<double> x = by_direct<TypeParam>(system, b), ax = a.multiply(x);
  EXPECT_NEAR(tests::mean(x), 0, 1e-15 * a.rows);
  for (int p = 0; p < a.rows; ++p) EXPECT_NEAR(b[p] - ax[p], tests::mean(b), 1e-12);
}

TYPED_TEST(DirectSolverTest, solves_along_one_axis_and_with_single_points) {
  expect_same_as_cg<TypeParam>({{axis_with(3, 40, true, 0, 1)}});
  expect_same_as_cg<TypeParam>(
      {{axis_with(2, 9, false, 0, 1), axis_with(1, 1, false, 0, 1), axis_with(1, 6, true, 0, 1)}});
  expect_same_as_cg<TypeParam>(
      {{axis_with(1, 1, false, 0, 1), axis_with(2, 9, false, 0, 1), axis_with(0, 2, true, 0, 1)}});
}

// What cannot be matched remains as the same residual per volume.
TYPED_TEST(DirectSolverTest, leaves_an_incompatible_part_evenly_over_the_volume) {
  const SeparableSystem system{{axis_with(1, 12, true, 0, 1), axis_with(0, 9, true, 0, 2)}};
  const HostMatrix a = tests::matrix_of(system);
  const std::vector<double> b = tests::random_values(a.rows, 5);
  const std::vector<double> x = by_direct<TypeParam>(system, b), ax = a.multiply(x);
  double sum = 0, weighted = 0;
  for (const double value : b) sum += value;
  for (int p = 0; p < a.rows; ++p) {
    const double volume = system.axes[0].weights[p % 12] * system.axes[1].weights[p / 12];
    EXPECT_NEAR(b[p] - ax[p], sum / 2 * volume, 1e-12);  // the volume of the box is 2
    weighted += volume * x[p];
  }
  EXPECT_NEAR(weighted, 0, 1e-13);
}

template <class Space>
void expect_repeatable(const SeparableSystem& system) {
  DirectSolver<Space> solver(system);
  const Vector<Space> b{std::span<const double>(compatible_values(system))};
  Vector<Space> first(b.size()), second(b.size());
  solver.solve(b, first);
  const auto before = Space::allocated_bytes();
  solver.solve(b, second);
  EXPECT_EQ(Space::allocated_bytes(), before);
  EXPECT_EQ(first.to_host(), second.to_host());
  EXPECT_EQ(b.to_host(), compatible_values(system));
}

TYPED_TEST(DirectSolverTest, repeats_bit_for_bit_and_allocates_nothing) {
  expect_repeatable<TypeParam>({{axis_with(0, 20, false, 0, 1), axis_with(1, 21, true, 0, 1),
                                 axis_with(2, 22, false, 0, 1)}});
  expect_repeatable<TypeParam>(periodic_box({20, 21, 22}));
}

TYPED_TEST(DirectSolverTest, is_recorded_and_played) {
  for (const SeparableSystem& system :
       {periodic_box({20, 21, 22}), SeparableSystem{{axis_with(1, 9, true, 0, 1)}}}) {
    DirectSolver<TypeParam> solver(system);
    const Vector<TypeParam> b{std::span<const double>(compatible_values(system))};
    Vector<TypeParam> x(b.size()), expected(b.size());
    solver.solve(b, expected);
    Replay<TypeParam> replay;
    for (int run = 0; run < 3; ++run) {  // the second one is recorded
      x.fill(0.0);
      replay.run(ReplayKey(1), [&] { solver.solve(b, x); });
      EXPECT_EQ(x.to_host(), expected.to_host()) << run;
    }
  }
}

TYPED_TEST(DirectSolverTest, holds_the_memory_that_it_announces) {
  const SeparableSystem system{
      {axis_with(1, 30, true, 0, 1), axis_with(1, 30, true, 0, 1), axis_with(0, 21, true, 0, 1)}};
  const DirectSolver<TypeParam> first(system);  // the libraries' own memory
  const auto before = TypeParam::allocated_bytes();
  const DirectSolver<TypeParam> solver(system);
  EXPECT_EQ(TypeParam::allocated_bytes() - before, direct_memory<TypeParam>(system));
}

// Of cuFFT's work area only the order of magnitude is known before.
TYPED_TEST(DirectSolverTest, holds_about_the_memory_that_it_announces_of_a_periodic_box) {
  const SeparableSystem system = periodic_box({64, 32, 16});
  const DirectSolver<TypeParam> first(system);
  const auto before = TypeParam::allocated_bytes();
  const DirectSolver<TypeParam> solver(system);
  const auto announced = static_cast<double>(direct_memory<TypeParam>(system));
  EXPECT_NEAR(static_cast<double>(TypeParam::allocated_bytes() - before), announced,
              0.5 * announced);
}

TYPED_TEST(DirectSolverTest, is_a_method_of_linear_solver_that_refines_to_rounding) {
  const SeparableSystem system{{axis_with(1, 33, true, 0, 1), axis_with(0, 31, false, 0, 1)}};
  const HostMatrix host = tests::matrix_of(system);
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const Vector<TypeParam> b{std::span<const double>(compatible_values(system))};
  Vector<TypeParam> x(host.rows);
  LinearSolver<TypeParam> solver({.method = "direct", .tolerance = 1e-12}, host.rows);
  const SolveOptions options{.null_space = NullSpace::constant};
  const SolveReport refused = solver.solve(*a, b, x, options);
  EXPECT_EQ(refused.breakdown, Breakdown::not_separable);
  a->describe_as(std::make_shared<SeparableSystem>(system));
  const SolveReport report = solver.solve(*a, b, x, options);
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LE(report.true_residual, 1e-12 * report.rhs_norm);
}

// A matrix that says that it is another system: the true residual shows it.
TYPED_TEST(DirectSolverTest, a_wrong_description_is_never_called_converged) {
  SeparableSystem system{{axis_with(2, 9, true, 0, 1), axis_with(2, 8, false, 0, 1)}};
  const auto a = tests::matrix_of(system).in<TypeParam>(Symmetry::symmetric);
  for (double& weight : system.axes[0].weights) weight *= 40;
  a->describe_as(std::make_shared<SeparableSystem>(system));
  const Vector<TypeParam> b{std::span<const double>(tests::random_values(72, 3))};
  Vector<TypeParam> x(72);
  const SolveReport report =
      LinearSolver<TypeParam>({.method = "direct", .max_iterations = 20}, 72).solve(*a, b, x);
  EXPECT_FALSE(report.converged());
}

template <class Space>
void expect_solved_in_float(const SeparableSystem& system, const std::vector<double>& exact) {
  const std::vector<double> b = tests::matrix_of(system).multiply(exact);
  const std::vector<float> rounded(b.begin(), b.end());
  DirectSolver<Space, float> solver(system);
  const Vector<Space, float> right_side{std::span<const float>(rounded)};
  Vector<Space, float> x(right_side.size());
  solver.solve(right_side, x);
  const std::vector<float> result = x.to_host();
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(result[i], exact[i], 1e-3);
}

TYPED_TEST(DirectSolverTest, float_systems_are_solved_too) {
  const SeparableSystem system{{axis_with(2, 19, true, 0, 1), axis_with(1, 18, false, 0, 1)}};
  expect_solved_in_float<TypeParam>(system,
                                    tests::random_values(static_cast<int>(system.rows()), 3));
}

TYPED_TEST(DirectSolverTest, float_periodic_boxes_are_solved_too) {
  for (const std::vector<int>& points :
       std::vector<std::vector<int>>{{5, 4}, {16, 31}, {3, 4, 5}, {16, 7, 4}, {31, 5, 16}}) {
    SCOPED_TRACE(::testing::PrintToString(points));
    const SeparableSystem system = periodic_box(points);
    expect_solved_in_float<TypeParam>(
        system, without_mean(tests::random_values(static_cast<int>(system.rows()), 3)));
  }
}

// A step of diffusion: I + factor T, of every pair of ends, and the eigenvectors kept for others.
TYPED_TEST(DirectSolverTest, agrees_with_cg_with_a_shift_and_a_factor) {
  for (int x = 0; x < end_kinds; ++x)
    for (const bool stretched : {false, true}) {
      SeparableSystem system{
          {axis_with(x, 12, stretched, 0, 1), axis_with((x + 2) % end_kinds, 9, false, 0, 2)}};
      system.shift = 30;
      system.factor = 0.7;
      expect_same_as_cg<TypeParam>(system);
      system.axes.push_back(axis_with(1, 5, stretched, 0, 1));
      expect_same_as_cg<TypeParam>(system);
      system.factor = 0;
      expect_same_as_cg<TypeParam>(system);
    }
}

TYPED_TEST(DirectSolverTest, another_shift_is_that_of_a_new_solver_bit_for_bit) {
  SeparableSystem system = periodic_box({12, 9});
  system.axes.push_back(axis_with(1, 8, true, 0, 1));
  const std::vector<double> b = tests::random_values(static_cast<int>(system.rows()), 5);
  const Vector<TypeParam> right_side{std::span<const double>(b)};
  DirectSolver<TypeParam> changed(system);
  Vector<TypeParam> x(static_cast<int>(b.size()));
  for (const double shift : {10.0, 20.0}) {
    changed.set_shift(shift, 0.5);
    changed.solve(right_side, x);
    system.shift = shift;
    system.factor = 0.5;
    EXPECT_EQ(x.to_host(), by_direct<TypeParam>(system, b));
  }
}

// As in a time step: the same axes, another shift, other values of the matrix.
TYPED_TEST(DirectSolverTest, a_matrix_of_another_step_has_another_shift) {
  auto system = std::make_shared<SeparableSystem>(
      SeparableSystem{{axis_with(1, 11, true, 0, 1), axis_with(2, 9, false, 0, 1)}});
  LinearSolver<TypeParam> solver({.method = "direct", .tolerance = 1e-12}, 99);
  for (const double shift : {5.0, 500.0}) {
    system->shift = shift;
    const HostMatrix host = tests::matrix_of(*system);
    const auto a = host.in<TypeParam>(Symmetry::symmetric);
    a->describe_as(system);
    const std::vector<double> b = tests::random_values(host.rows, 7);
    Vector<TypeParam> x(host.rows);
    const SolveReport report = solver.solve(*a, Vector<TypeParam>{std::span<const double>(b)}, x,
                                            {.changed = Changed::values});
    EXPECT_TRUE(report.converged()) << describe(report);
    EXPECT_EQ(report.iterations, 1);
  }
}

TEST(SeparableSystem, refuses_sizes_and_values_that_fit_no_system) {
  const auto error_of = [](const SeparableSystem& system) {
    return test::message_of<ShapeError>([&] { DirectSolver<Host> solver(system); });
  };
  SeparableSystem system{{axis_with(1, 4, false, 0, 1), axis_with(1, 4, false, 0, 1)}};
  EXPECT_THAT(error_of({}), ::testing::HasSubstr("0 axes"));
  system.axes[1].weights[2] = -1;
  EXPECT_THAT(error_of(system),
              ::testing::HasSubstr("axis 1 of a separable system has the weight"));
  system.axes[1] = axis_with(1, 4, false, 0, 1);
  system.axes[0].couplings[1] = 0;
  EXPECT_THAT(error_of(system), ::testing::HasSubstr("has the coupling 0"));
  system.axes[0].couplings.pop_back();
  EXPECT_THAT(error_of(system), ::testing::HasSubstr("n + 1 couplings"));
  system = {{axis_with(1, 4, false, 0, 1)}, -1, 1};
  EXPECT_THAT(error_of(system), ::testing::HasSubstr("the shift -1"));
  system.shift = system.factor = 0;
  EXPECT_THAT(error_of(system), ::testing::HasSubstr("not both 0"));
}

}  // namespace
}  // namespace hodge::linalg
