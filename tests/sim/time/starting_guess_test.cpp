// The guesses of a solve: what each is exact for, and that the next solve has nothing left to do.
#include "sim/time/starting_guess.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/solve/solve.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copier.hpp"

namespace hodge::sim {
namespace {

using Values = std::vector<double>;

template <class Space>
class Guesses : public tests::SpaceTest<Space> {
 protected:
  using Vector = linalg::Vector<Space>;
  static constexpr int side = 12, rows = side * side;

  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (this->IsSkipped()) return;
    poisson = tests::stencil_matrix({side, side, 1}, {.neumann = true})
                  .template in<Space>(linalg::Symmetry::symmetric);
    transport = matrix(0.0);
  }

  static std::unique_ptr<linalg::CsrMatrix<Space>> matrix(double wind) {
    return tests::stencil_matrix({side, side, 1}, {.lower = {-2 - wind, -1, -1}, .shift = 1})
        .template in<Space>(linalg::Symmetry::nonsymmetric);
  }

  // A smooth field, of zero mean.
  static Values mode(int k) {
    Values x(rows);
    for (int i = 0; i < rows; ++i)
      x[i] =
          std::cos(M_PI * k * (i % side + 0.5) / side) * std::cos(M_PI * (i / side + 0.5) / side);
    return x;
  }
  static Vector sum(const std::vector<std::pair<double, Values>>& terms) {
    Values x(rows);
    for (const auto& [weight, values] : terms)
      for (int i = 0; i < rows; ++i) x[i] += weight * values[i];
    return Vector(std::span<const double>(x));
  }
  static Vector product(const linalg::CsrMatrix<Space>& a, const Vector& x) {
    Vector b(rows);
    linalg::multiply(a, x, b);
    return b;
  }
  static double distance(const Vector& x, const Vector& y) {
    Vector d(rows);
    d = x - y;
    return linalg::norm(d).to_host() / linalg::norm(y).to_host();
  }
  static GuessPlan plan(GuessKind kind, Projection projection = Projection::residual, int k = 4) {
    return {{kind}, projection, k};
  }
  // Of A x = b from a guess.
  static linalg::SolveReport solve(const linalg::CsrMatrix<Space>& a, const Vector& b, Vector& x,
                                   const char* method, linalg::NullSpace null_space) {
    linalg::SolverSettings settings;
    settings.method = method;
    settings.preconditioner.kind = "jacobi";
    settings.tolerance = 1e-8;
    return linalg::LinearSolver<Space>(settings, rows).solve(a, b, x, {.null_space = null_space});
  }

  std::unique_ptr<linalg::CsrMatrix<Space>> poisson, transport;
};
TYPED_TEST_SUITE(Guesses, tests::Spaces, tests::SpaceName);

TYPED_TEST(Guesses, extrapolated_is_exact_for_what_is_linear_in_time_at_any_steps) {
  StartingGuess<TypeParam> guess(this->plan(GuessKind::extrapolated), this->rows);
  const auto at = [this](double t) {
    return this->sum({{1 + 2 * t, this->mode(1)}, {3 - t, this->mode(2)}});
  };
  auto x = this->sum({{1, this->mode(1)}});
  for (const double t : {0.0, 0.1, 0.13, 0.4, 0.401}) {
    const auto exact = at(t);
    if (guess.recorded() == 2) {
      guess.make(GuessKind::extrapolated, *this->poisson, exact, {t}, x);
      EXPECT_LT(this->distance(x, exact), 1e-13) << t;
    }
    guess.record(*this->poisson, exact, {t});
  }
}

TYPED_TEST(Guesses, a_scale_that_changes_from_step_to_step_does_not_disturb_the_extrapolation) {
  StartingGuess<TypeParam> guess(this->plan(GuessKind::extrapolated), this->rows);
  const auto at = [this](double t, double dt) {
    return this->sum({{dt * (1 + 2 * t), this->mode(1)}, {dt * (3 - t), this->mode(2)}});
  };
  guess.record(*this->poisson, at(0.0, 0.1), {0.0, 0.1});
  guess.record(*this->poisson, at(0.2, 0.3), {0.2, 0.3});
  auto x = at(0, 1);
  guess.make(GuessKind::extrapolated, *this->poisson, x, {0.5, 0.05}, x);
  EXPECT_LT(this->distance(x, at(0.5, 0.05)), 1e-13);
}

// As after a step that failed and is tried again.
TYPED_TEST(Guesses, a_solution_that_is_not_later_than_the_last_replaces_it) {
  const auto at = [this](double t) {
    return this->sum({{1 + 2 * t, this->mode(1)}, {3 - t, this->mode(2)}});
  };
  for (const double again : {1.0, 0.5}) {
    StartingGuess<TypeParam> guess(this->plan(GuessKind::extrapolated), this->rows);
    guess.record(*this->poisson, at(0), {0});
    guess.record(*this->poisson, this->sum({{7, this->mode(3)}}), {1});
    guess.record(*this->poisson, at(again), {again});
    auto x = this->sum({});
    guess.make(GuessKind::extrapolated, *this->poisson, x, {2}, x);
    EXPECT_LT(this->distance(x, at(2)), 1e-13) << again;
  }
}

TYPED_TEST(Guesses, previous_is_the_last_solution_and_zero_is_zero) {
  StartingGuess<TypeParam> guess({{GuessKind::previous, GuessKind::zero}}, this->rows);
  const auto one = this->sum({{1, this->mode(1)}}), two = this->sum({{2, this->mode(3)}});
  auto x = this->sum({{5, this->mode(2)}});
  guess.make(GuessKind::previous, *this->poisson, one, {0}, x);
  EXPECT_EQ(linalg::norm(x).to_host(), 0) << "nothing is recorded";
  guess.record(*this->poisson, one, {0});
  guess.record(*this->poisson, two, {1});
  guess.make(GuessKind::previous, *this->poisson, one, {2}, x);
  EXPECT_EQ(x.to_host(), two.to_host());
  guess.make(GuessKind::zero, *this->poisson, one, {2}, x);
  EXPECT_EQ(linalg::norm(x).to_host(), 0);
}

TYPED_TEST(Guesses, a_projected_guess_within_the_span_leaves_no_iteration_to_do) {
  for (const bool symmetric : {true, false}) {
    const auto projection = symmetric ? Projection::energy : Projection::residual;
    const auto& a = symmetric ? *this->poisson : *this->transport;
    StartingGuess<TypeParam> guess(this->plan(GuessKind::projected, projection), this->rows);
    // Nearly the same direction, as solutions of steps that follow each other are.
    for (int step = 0; step < 3; ++step) {
      const double e = 1e-3 * step;
      const auto x = this->sum({{1, this->mode(1)}, {e, this->mode(2)}, {e * e, this->mode(3)}});
      guess.record(a, x, {0.1 * step});
    }
    const auto exact = this->sum({{0.7, this->mode(1)}, {-3, this->mode(2)}, {2, this->mode(3)}});
    const auto b = this->product(a, exact);
    auto x = this->sum({});
    guess.make(GuessKind::projected, a, b, {0.3}, x);
    const auto report =
        this->solve(a, b, x, symmetric ? "cg" : "bicgstab",
                    symmetric ? linalg::NullSpace::constant : linalg::NullSpace::none);
    EXPECT_EQ(report.iterations, 0) << (symmetric ? "energy: " : "residual: ") << describe(report);
    EXPECT_TRUE(report.converged());
  }
}

TYPED_TEST(Guesses, projection_follows_a_matrix_that_changes) {
  StartingGuess<TypeParam> guess(this->plan(GuessKind::projected), this->rows);
  for (int k = 1; k <= 4; ++k)
    guess.record(*this->matrix(0.1 * k), this->sum({{1, this->mode(k)}}), {0.1 * k});
  const auto now = this->matrix(5.0);
  const auto exact = this->sum({{1, this->mode(1)}, {2, this->mode(4)}});
  auto x = this->sum({});
  guess.make(GuessKind::projected, *now, this->product(*now, exact), {0.5}, x);
  EXPECT_LT(this->distance(x, exact), 1e-12);
}

TYPED_TEST(Guesses, a_projected_guess_is_the_best_of_its_span) {
  const auto& a = *this->transport;
  StartingGuess<TypeParam> guess(this->plan(GuessKind::projected), this->rows);
  for (int k = 1; k <= 4; ++k) guess.record(a, this->sum({{1, this->mode(k)}}), {0.1 * k});
  const auto b = this->product(a, this->sum({{1, this->mode(2)}, {1, this->mode(5)}}));
  auto x = this->sum({});
  guess.make(GuessKind::projected, a, b, {0.5}, x);
  linalg::Vector<TypeParam> r(this->rows);
  linalg::residual(a, x, b, r);
  for (int k = 1; k <= 4; ++k) {  // the residual is orthogonal to all that A makes of the span
    const auto image = this->product(a, this->sum({{1, this->mode(k)}}));
    const double cosine = linalg::dot(r, image).to_host() /
                          (linalg::norm(r).to_host() * linalg::norm(image).to_host());
    EXPECT_LT(std::abs(cosine), 1e-12) << k;
  }
}

TYPED_TEST(Guesses, a_window_forgets_what_is_older) {
  StartingGuess<TypeParam> guess(this->plan(GuessKind::projected, Projection::residual, 2),
                                 this->rows);
  const auto& a = *this->transport;
  for (int k = 1; k <= 3; ++k) guess.record(a, this->sum({{1, this->mode(k)}}), {0.1 * k});
  auto x = this->sum({});
  const auto kept = this->sum({{1, this->mode(2)}, {1, this->mode(3)}});
  guess.make(GuessKind::projected, a, this->product(a, kept), {0.5}, x);
  EXPECT_LT(this->distance(x, kept), 1e-12);
  const auto forgotten = this->sum({{1, this->mode(1)}});
  guess.make(GuessKind::projected, a, this->product(a, forgotten), {0.5}, x);
  EXPECT_GT(this->distance(x, forgotten), 0.1);
}

TYPED_TEST(Guesses, solutions_that_repeat_or_are_zero_do_no_harm) {
  for (const auto projection : {Projection::energy, Projection::residual}) {
    const auto& a = projection == Projection::energy ? *this->poisson : *this->transport;
    StartingGuess<TypeParam> guess(this->plan(GuessKind::projected, projection, 3), this->rows);
    const auto same = this->sum({{1, this->mode(1)}});
    auto x = this->sum({});
    guess.record(a, x, {-1});
    for (int step = 0; step < 7; ++step) {
      guess.make(GuessKind::projected, a, this->product(a, same), {1.0 * step}, x);
      for (const double value : x.to_host()) ASSERT_TRUE(std::isfinite(value)) << step;
      if (step > 0) {
        EXPECT_LT(this->distance(x, same), 1e-12) << step;
      }
      guess.record(a, same, {1.0 * step});
    }
  }
}

TYPED_TEST(Guesses, no_kind_allocates_once_it_is_made) {
  for (const auto projection : {Projection::energy, Projection::residual}) {
    const auto& a = projection == Projection::energy ? *this->poisson : *this->transport;
    GuessPlan plan;
    for (const GuessEntry& entry : guess_table()) plan.kinds.push_back(entry.kind);
    plan.projection = projection;
    StartingGuess<TypeParam> guess(plan, this->rows);
    const auto b = this->sum({{1, this->mode(2)}});
    auto x = this->sum({});
    guess.record(a, b, {-1});
    const linalg::Traffic before = linalg::traffic<TypeParam>();
    for (int step = 0; step < 12; ++step) {
      for (const GuessEntry& entry : guess_table()) guess.make(entry.kind, a, b, {0.1 * step}, x);
      guess.record(a, b, {0.1 * step});
    }
    TypeParam::synchronize();
    const linalg::Traffic after = linalg::traffic<TypeParam>();
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(after.downloaded, before.downloaded);
  }
}

TYPED_TEST(Guesses, the_planned_memory_is_what_is_taken) {
  for (const auto projection : {Projection::energy, Projection::residual})
    for (const GuessEntry& entry : guess_table()) {
      const GuessPlan plan = this->plan(entry.kind, projection, 5);
      constexpr int many = 40000;
      const std::size_t before = TypeParam::allocated_bytes();
      StartingGuess<TypeParam> guess(plan, many);
      const auto taken = static_cast<double>(TypeParam::allocated_bytes() - before);
      EXPECT_NEAR(taken, static_cast<double>(guess_memory(plan, many)), 2000) << entry.name;
    }
}

TYPED_TEST(Guesses, a_copied_state_goes_on_bit_for_bit) {
  for (const auto projection : {Projection::energy, Projection::residual})
    for (const GuessKind kind : {GuessKind::extrapolated, GuessKind::projected}) {
      const auto& a = projection == Projection::energy ? *this->poisson : *this->transport;
      StartingGuess<TypeParam> straight(this->plan(kind, projection), this->rows);
      for (int step = 0; step < 6; ++step)
        straight.record(a, this->sum({{1, this->mode(1)}, {0.1 * step, this->mode(step)}}),
                        {0.1 * step});
      tests::StateCopier copier;
      straight.for_each_state(copier);
      StartingGuess<TypeParam> restarted(this->plan(kind, projection), this->rows);
      copier.reads = true;
      restarted.for_each_state(copier);
      const auto b = this->sum({{1, this->mode(2)}, {1, this->mode(7)}});
      auto x = this->sum({}), y = this->sum({});
      straight.make(kind, a, b, {0.7}, x);
      restarted.make(kind, a, b, {0.7}, y);
      EXPECT_EQ(x.to_host(), y.to_host());
      EXPECT_GT(linalg::norm(x).to_host(), 0);
    }
}

TEST(GuessNames, an_unknown_guess_is_refused_with_the_known_ones) {
  try {
    (void)guess_kind("last");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown guess 'last', expected one of: scheme, zero, previous, extrapolated, "
                 "projected");
  }
}

}  // namespace
}  // namespace hodge::sim
