// Systems whose entries, right sides or guesses are so small or large that their squares leave the
// range of numbers. Every report is judged by the residual that this file computes in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/solve/solve.hpp"
#include "linalg/vectors/powers_of_two.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;

long double norm_of(const std::vector<long double>& v) {
  long double sum = 0;
  for (const long double value : v) sum += value * value;
  return std::sqrt(sum);
}

template <class T>
long double residual_of(const HostMatrix& a, const std::vector<T>& b, const std::vector<T>& x) {
  std::vector<long double> r(b.begin(), b.end());
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      r[i] -= static_cast<long double>(static_cast<T>(a.values[k])) * x[a.columns[k]];
  return norm_of(r);
}

std::vector<SolverSettings> all_solvers(bool symmetric, double tolerance) {
  std::vector<SolverSettings> all;
  for (const auto& solver : solver_table())
    for (const auto& preconditioner : preconditioner_table()) {
      if ((solver.needs_symmetric && !symmetric) || solver.needs_separable || solver.needs_box ||
          preconditioner.needs_box || (solver.direct && preconditioner.name != std::string("none")))
        continue;
      SolverSettings settings;
      settings.method = solver.name;
      settings.preconditioner.kind = preconditioner.name;
      settings.tolerance = tolerance;
      settings.max_iterations = 300;
      all.push_back(settings);
      if (settings.preconditioner.kind != "ssor_sai") continue;
      settings.preconditioner.options = {{"form", "truncated"}, {"omega", 0.7}};
      all.push_back(settings);
    }
  return all;
}

template <class Space>
class DegenerateSystems : public tests::SpaceTest<Space> {
 protected:
  // Whether the report, which must be true, says converged.
  template <class T>
  static bool solves(const HostMatrix& host, const std::vector<T>& b, T guess,
                     const SolverSettings& settings, Symmetry symmetry) {
    const auto a = host.in<Space, T>(symmetry);
    const Vector<Space, T> right{std::span<const T>(b)};
    Vector<Space, T> x(host.rows);
    x.fill(guess);
    const SolveReport report = LinearSolver<Space, T>(settings, host.rows).solve(*a, right, x);
    const long double residual = residual_of(host, b, x.to_host());
    const long double norm = norm_of({b.begin(), b.end()});
    EXPECT_NE(report.status, SolveStatus::running);
    if (report.converged()) {
      EXPECT_LE(residual, 1.001L * settings.tolerance * norm) << describe(report);
    } else {
      EXPECT_NE(describe(report), "");
    }
    if (norm > 1e-290 && norm < 1e290) {
      EXPECT_NEAR(report.rhs_norm, static_cast<double>(norm), 1e-6 * static_cast<double>(norm));
    }
    return report.converged();
  }

  template <class T>
  static void walk(const std::vector<double>& of_a, const std::vector<double>& of_b,
                   double tolerance) {
    const double least = std::numeric_limits<T>::min() * 1e10,
                 most = std::numeric_limits<T>::max() * 1e-10;
    for (const bool symmetric : {true, false}) {
      const HostMatrix unit =
          symmetric ? tests::poisson({5, 4, 1}) : tests::convection_diffusion({5, 4, 1}, 1.0);
      const std::vector<double> right = tests::random_values(unit.rows, 3);
      for (const double scale_of_a : of_a)
        for (const double scale_of_b : of_b) {
          HostMatrix host = unit;
          for (double& value : host.values) value *= scale_of_a;
          std::vector<T> b;
          for (const double value : right) b.push_back(static_cast<T>(value * scale_of_b));
          const double of_x = scale_of_b / scale_of_a;
          for (const SolverSettings& settings : all_solvers(symmetric, tolerance)) {
            SCOPED_TRACE(settings.method + " + " + settings.preconditioner.kind + ", A " +
                         std::to_string(std::log10(scale_of_a)) + ", b " +
                         std::to_string(std::log10(scale_of_b)));
            const bool solved = solves<T>(host, b, T(0), settings,
                                          symmetric ? Symmetry::symmetric : Symmetry::unknown);
            EXPECT_TRUE(solved || of_x < least || of_x > most);
            EXPECT_FALSE(solved && of_x > 1e3 * std::numeric_limits<T>::max());
          }
        }
    }
  }
};
TYPED_TEST_SUITE(DegenerateSystems, tests::Spaces, tests::SpaceName);

TYPED_TEST(DegenerateSystems, in_double_are_solved_or_refused_and_never_called_solved_wrongly) {
  this->template walk<double>({1e-300, 1e-200, 1e-90, 1.0, 1e90, 1e200, 1e300},
                              {1e-320, 1e-300, 1e-170, 1e-150, 1e-90, 1.0, 1e90, 1e155, 1e300},
                              1e-9);
}

TYPED_TEST(DegenerateSystems, in_float_are_solved_or_refused_and_never_called_solved_wrongly) {
  this->template walk<float>({1e-30, 1e-20, 1.0, 1e20, 1e30},
                             {1e-42, 1e-35, 1e-20, 1.0, 1e20, 1e35}, 1e-4);
}

TYPED_TEST(DegenerateSystems, a_guess_beyond_all_bounds_does_no_harm) {
  for (const bool symmetric : {true, false}) {
    const HostMatrix host =
        symmetric ? tests::poisson({5, 4, 1}) : tests::convection_diffusion({5, 4, 1}, 1.0);
    for (const double scale_of_b : {1.0, 1e-200, 1e200})
      for (const double guess : {1e20, -1e100, 1e160, 1e300}) {
        std::vector<double> b = tests::random_values(host.rows, 3);
        for (double& value : b) value *= scale_of_b;
        for (const SolverSettings& settings : all_solvers(symmetric, 1e-9)) {
          SCOPED_TRACE(settings.method + " + " + settings.preconditioner.kind + ", guess " +
                       std::to_string(std::log10(std::abs(guess))) + ", b " +
                       std::to_string(std::log10(scale_of_b)));
          EXPECT_TRUE(this->template solves<double>(host, b, guess, settings, Symmetry::unknown));
        }
      }
  }
}

TYPED_TEST(DegenerateSystems, a_zero_right_side_has_the_solution_zero) {
  for (const double scale : {1e-300, 1.0, 1e300}) {
    HostMatrix host = tests::poisson({5, 4, 1});
    for (double& value : host.values) value *= scale;
    const auto a = host.in<TypeParam>(Symmetry::symmetric);
    for (const SolverSettings& settings : all_solvers(true, 1e-9)) {
      Vector<TypeParam> b(host.rows), x(host.rows);
      b.fill(0.0);
      x.fill(1e250);
      const SolveReport report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, b, x);
      if (report.breakdown != Breakdown::none) continue;  // of the preconditioner
      EXPECT_TRUE(report.converged()) << describe(report);
      EXPECT_EQ(x.to_host(), std::vector<double>(x.size()));
    }
  }
}

// A null space is removed before sizes are compared.
TYPED_TEST(DegenerateSystems, singular_ones_too) {
  const HostMatrix host = tests::poisson({6, 5, 1}, true);
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  for (const double scale : {1e-300, 1e-170, 1e170, 1e300}) {
    std::vector<double> b = tests::random_values(host.rows, 4);
    const double mean = tests::mean(b);
    for (double& value : b) value = (value - mean) * scale;
    const Vector<TypeParam> right{std::span<const double>(b)};
    for (SolverSettings settings : all_solvers(true, 1e-9)) {
      if (settings.preconditioner.kind == "neumann") settings.preconditioner.options["degree"] = 2;
      SCOPED_TRACE(settings.method + " + " + settings.preconditioner.kind);
      Vector<TypeParam> x(host.rows);
      LinearSolver<TypeParam> solver(settings, host.rows);
      const SolveReport report = solver.solve(*a, right, x, {.null_space = NullSpace::constant});
      EXPECT_TRUE(report.converged()) << describe(report);
      const long double norm = norm_of({b.begin(), b.end()});
      EXPECT_LE(residual_of(host, b, x.to_host()), 1.001e-9L * norm);
      const std::vector<double> last = solver.last_residual().to_host();
      EXPECT_LE(norm_of({last.begin(), last.end()}), 1.001e-9L * norm);
    }
  }
}

// Powers of two change no digit, so a scaled solve takes the same steps.
TYPED_TEST(DegenerateSystems, scaled_solves_have_the_digits_of_ordinary_ones) {
  const HostMatrix host = tests::poisson({7, 6, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows, 3);
  for (const SolverSettings& settings : all_solvers(true, 1e-9))
    for (const int power : {-900, 900}) {
      std::vector<double> result[2];
      std::vector<int> iterations;
      for (const bool scaled : {false, true}) {
        Vector<TypeParam> right{std::span<const double>(b)}, x(host.rows);
        if (scaled) scale_by_power<TypeParam>(host.rows, right.data(), power, right.data());
        const SolveReport report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, right, x);
        EXPECT_TRUE(report.converged()) << describe(report);
        if (scaled) scale_by_power<TypeParam>(host.rows, x.data(), -power, x.data());
        result[scaled] = x.to_host();
        iterations.push_back(report.iterations);
      }
      EXPECT_EQ(result[0], result[1]) << settings.method << settings.preconditioner.kind;
      EXPECT_EQ(iterations[0], iterations[1]);
    }
}

// Of an absolute tolerance, in the settings or the options, and of a maximum rule.
TYPED_TEST(DegenerateSystems, limits_of_scaled_solves_are_those_of_the_system_as_given) {
  const HostMatrix host = tests::poisson({7, 6, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows, 3);
  Vector<TypeParam> weights(host.rows);
  weights.fill(2.0);
  for (SolverSettings settings : all_solvers(true, 0.0))
    for (const int power : {-900, 333, 900})
      for (const char* owner : {"settings", "options", "rule"}) {
        SCOPED_TRACE(settings.method + " " + settings.preconditioner.kind + " " + owner);
        std::vector<double> result[2];
        std::vector<SolveReport> reports;
        for (const bool scaled : {false, true}) {
          const double limit = std::scalbn(1e-3, scaled ? power : 0);
          SolveOptions options;
          MaximumRule<TypeParam> rule{&weights, 2.0, limit};
          settings.absolute_tolerance = *owner == 's' ? limit : 0.0;
          if (*owner == 'o') options.absolute_tolerance = limit;
          Vector<TypeParam> right{std::span<const double>(b)}, x(host.rows);
          if (scaled) scale_by_power<TypeParam>(host.rows, right.data(), power, right.data());
          reports.push_back(LinearSolver<TypeParam>(settings, host.rows)
                                .solve(*a, right, x, options, *owner == 'r' ? &rule : nullptr));
          if (scaled) scale_by_power<TypeParam>(host.rows, x.data(), -power, x.data());
          result[scaled] = x.to_host();
        }
        EXPECT_TRUE(reports[1].converged()) << describe(reports[1]);
        EXPECT_GT(reports[1].iterations, 0);
        EXPECT_EQ(reports[0].iterations, reports[1].iterations);
        EXPECT_EQ(result[0], result[1]);
        EXPECT_EQ(std::scalbn(reports[0].target, power), reports[1].target);
        EXPECT_EQ(std::scalbn(reports[0].maximum_target, power), reports[1].maximum_target);
      }
}

TYPED_TEST(DegenerateSystems, the_largest_size_and_powers_of_two) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto largest = [](const std::vector<double>& values) {
    const Vector<TypeParam> v{std::span<const double>(values)};
    Buffer<double, TypeParam> work(2);
    return largest_size<TypeParam>(v.size(), v.data(), work);
  };
  EXPECT_EQ(largest({}), 0.0);
  EXPECT_EQ(largest({0.0, -0.0}), 0.0);
  EXPECT_EQ(largest({5e-324, -1e-310}), 1e-310);
  EXPECT_EQ(largest({1.0, -1e300, 3.0}), 1e300);
  EXPECT_EQ(largest({1.0, std::nan(""), 3.0}), infinite);
  EXPECT_EQ(largest({-infinite}), infinite);
  Vector<TypeParam> v{std::vector<double>{1.5, -5e-324, 0x1p1000}};
  scale_by_power<TypeParam>(3, v.data(), 1074, v.data());
  EXPECT_EQ(v.to_host(), (std::vector<double>{infinite, -1.0, infinite}));
}

}  // namespace
}  // namespace hodge::linalg
