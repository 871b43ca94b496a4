// Runs with every guess, every refresh policy and both stops: the same flow, at another cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "linalg/space/traffic.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/starting_guess.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

template <class Space>
class SolverSettingsOfRuns : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(const std::string& scheme = "bdf2") {
    return test::flow_settings_on<Space>(2, 16, scheme);
  }
  // A driven cavity with a buoyant scalar, so that all systems change from step to step.
  static sim::Problem problem() {
    sim::Problem problem;
    problem.viscosity = 0.02;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.diffusivity = 0.01;
    scalar.buoyancy = {0, 1, 0};
    scalar.initial = [](sim::Point x) { return std::exp(-8 * (x[0] * x[0] + x[1] * x[1])); };
    problem.scalars = {scalar, scalar};
    problem.scalars[1].name = "d";
    problem.scalars[1].diffusivity = 0.05;
    return problem;
  }

  struct Result {
    std::vector<double> values;
    std::map<std::string, int> iterations;  // of each system after the first steps
    double max_divergence = 0;
  };
  static Result run(const sim::Settings& settings, int steps = 12) {
    const auto flow = sim::make_flow(settings, problem());
    Result result;
    for (int i = 0; i < steps; ++i) {
      const sim::StepReport report = flow->advance(i % 3 == 2 ? 0.015 : 0.02);
      EXPECT_TRUE(report.ok) << report.failure;
      if (!report.ok) return result;
      for (const sim::SolveSummary& solve : report.solves)
        if (i >= 5) result.iterations[solve.system] += solve.iterations;
    }
    for (const char* field : {"velocity", "pressure", "c", "d"}) {
      const auto values = flow->cell_arrays({field})[0].values;
      result.values.insert(result.values.end(), values.begin(), values.end());
    }
    result.max_divergence = flow->diagnostics().max_divergence;
    return result;
  }
  static double difference(const Result& a, const Result& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
    return largest;
  }
  static void set_guess(sim::Settings& settings, const std::string& guess) {
    for (auto* solver : {&settings.pressure, &settings.transport, &settings.scalars})
      solver->guess = guess;
  }
};
TYPED_TEST_SUITE(SolverSettingsOfRuns, tests::Spaces, tests::SpaceName);

TYPED_TEST(SolverSettingsOfRuns, every_guess_leads_to_the_same_flow_in_every_scheme) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    sim::Settings settings = this->settings(scheme.name);
    const auto reference = this->run(settings);
    ASSERT_FALSE(reference.values.empty());
    for (const sim::GuessEntry& guess : sim::guess_table()) {
      this->set_guess(settings, guess.name);
      EXPECT_LT(this->difference(this->run(settings), reference), 1e-7)
          << scheme.name << ", " << guess.name;
    }
  }
}

TYPED_TEST(SolverSettingsOfRuns, guesses_save_iterations_in_their_order) {
  std::map<std::string, std::map<std::string, int>> iterations;
  for (const sim::GuessEntry& guess : sim::guess_table()) {
    sim::Settings settings = this->settings();
    this->set_guess(settings, guess.name);
    iterations[guess.name] = this->run(settings, 20).iterations;
  }
  for (const char* system : {"u", "v", "c", "d", "pressure"}) {
    EXPECT_LT(iterations["previous"][system], iterations["zero"][system]) << system;
    EXPECT_LE(iterations["extrapolated"][system], 1.05 * iterations["previous"][system]) << system;
    EXPECT_LE(iterations["projected"][system], iterations["extrapolated"][system]) << system;
  }
}

TYPED_TEST(SolverSettingsOfRuns, every_refresh_policy_leads_to_the_same_flow) {
  for (const char* kind : {"jacobi", "ssor_sai", "neumann"})
    for (const char* form : {"factored", "truncated"}) {
      sim::Settings settings = this->settings();
      settings.transport.preconditioner = {kind, {{"form", form}}};
      settings.scalars.preconditioner = settings.transport.preconditioner;
      const auto reference = this->run(settings);
      for (const char* refresh : {"never", "auto"}) {
        settings.transport.refresh = settings.scalars.refresh = refresh;
        EXPECT_LT(this->difference(this->run(settings), reference), 1e-7) << kind << refresh;
      }
    }
}

TYPED_TEST(SolverSettingsOfRuns, stop_divergence_ends_below_its_tolerance_and_not_far_below) {
  for (const char* method : {"cg", "bicgstab", "gmres"})
    for (const double tolerance : {1e-3, 1e-6}) {
      sim::Settings settings = this->settings();
      settings.pressure.method = method;
      settings.pressure.stop = "divergence";
      settings.pressure.tolerance = tolerance;
      for (const char* stretching : {"uniform", "tanh"}) {
        for (int d = 0; d < 2; ++d) {
          settings.grid.axes[d].stretching = stretching;
          settings.grid.axes[d].strength = 1.5;
        }
        const auto result = this->run(settings);
        EXPECT_LE(result.max_divergence, tolerance) << method << stretching;
        EXPECT_GT(result.max_divergence, 1e-3 * tolerance) << method << stretching;
      }
    }
}

TYPED_TEST(SolverSettingsOfRuns, steps_allocate_nothing_with_any_of_them) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const sim::GuessEntry& guess : sim::guess_table())
      for (const char* refresh : {"every", "never", "auto"}) {
        sim::Settings settings = this->settings(scheme.name);
        this->set_guess(settings, guess.name);
        settings.transport.refresh = settings.scalars.refresh = refresh;
        settings.pressure.stop = "divergence";
        settings.pressure.tolerance = 1e-6;
        const auto flow = sim::make_flow(settings, this->problem());
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(flow->advance(0.01).ok);
        const linalg::Traffic before = linalg::traffic<TypeParam>();
        for (int i = 0; i < 10; ++i) ASSERT_TRUE(flow->advance(0.01).ok);
        EXPECT_EQ(linalg::traffic<TypeParam>().allocations, before.allocations)
            << scheme.name << ", " << guess.name << ", " << refresh;
      }
}

TYPED_TEST(SolverSettingsOfRuns, a_restored_state_goes_on_bit_for_bit_with_guesses_and_kept_ones) {
  for (const char* scheme : {"bdf2", "cn_ab2", "rk3", "ab2"})
    for (const sim::GuessEntry& guess : sim::guess_table())
      for (const char* refresh : {"every", "never"}) {
        sim::Settings settings = this->settings(scheme);
        this->set_guess(settings, guess.name);
        settings.transport.refresh = settings.scalars.refresh = refresh;
        const auto straight = sim::make_flow(settings, this->problem());
        for (int i = 0; i < 7; ++i) ASSERT_TRUE(straight->advance(0.01 + 0.001 * i).ok);
        test::StateCopy state;
        straight->visit_state(state);
        state.restoring = true;
        const auto restarted = sim::make_flow(settings, this->problem());
        restarted->visit_state(state);
        for (sim::Flow* flow : {straight.get(), restarted.get()})
          for (int i = 0; i < 4; ++i) ASSERT_TRUE(flow->advance(0.012).ok);
        for (const char* field : {"velocity", "pressure", "c", "d"})
          EXPECT_EQ(straight->cell_arrays({field})[0].values,
                    restarted->cell_arrays({field})[0].values)
              << scheme << ", " << guess.name << ", " << refresh << ": " << field;
      }
}

TYPED_TEST(SolverSettingsOfRuns, the_memory_estimate_counts_guesses_and_kept_preconditioners) {
  for (const char* refresh : {"every", "never"})
    for (const sim::GuessEntry& guess : sim::guess_table()) {
      sim::Settings settings = this->settings();
      for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = 200;
      this->set_guess(settings, guess.name);
      settings.transport.refresh = settings.scalars.refresh = refresh;
      const std::size_t before = TypeParam::allocated_bytes();
      const auto flow = sim::make_flow(settings, this->problem());
      ASSERT_TRUE(flow->advance(0.001).ok);
      const auto held = static_cast<double>(TypeParam::allocated_bytes() - before);
      const auto estimate = static_cast<double>(sim::memory_estimate(settings, this->problem()));
      EXPECT_NEAR(held, estimate, 0.03 * held) << refresh << ", " << guess.name;
    }
}

TYPED_TEST(SolverSettingsOfRuns, a_solve_that_takes_longer_than_its_seconds_stops_the_step) {
  sim::Settings settings = this->settings();
  for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = 100;
  settings.pressure.preconditioner = {"none"};
  settings.pressure.max_seconds = 1e-6;
  const auto flow = sim::make_flow(settings, this->problem());
  const sim::StepReport report = flow->advance(0.01);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.failure.find("max_seconds"), std::string::npos) << report.failure;
}

TEST(SolverSettings, what_no_run_can_heed_is_refused) {
  const auto refuses = [](const std::function<void(sim::Settings&)>& change) {
    const sim::Problem problem;
    sim::Settings settings = test::flow_settings(2, 8);
    change(settings);
    EXPECT_THROW((void)sim::make_flow(settings, problem), ConfigError);
  };
  refuses([](sim::Settings& s) { s.pressure.guess = "last"; });
  refuses([](sim::Settings& s) { s.transport.stop = "divergence"; });
  refuses([](sim::Settings& s) { s.pressure.stop = "never"; });
  refuses([](sim::Settings& s) { s.scalars.guess_vectors = 0; });
  refuses([](sim::Settings& s) { s.transport.refresh = "sometimes"; });
  refuses([](sim::Settings& s) { s.transport.max_seconds = 0; });
}

}  // namespace
}  // namespace hodge
