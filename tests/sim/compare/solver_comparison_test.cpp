// The systems of real flows, solved by other solvers on the side.
#include "sim/compare/solver_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "sim/compare/solver_text.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

using linalg::Breakdown;
using linalg::SolveStatus;

struct Collected : ComparisonSink {
  void add(ComparedSystem system) override { systems.push_back(std::move(system)); }
  std::vector<ComparedSystem> systems;
};

// A heated box whose upper side moves: velocity, pressure and a temperature that lifts the fluid.
Problem heated_box() {
  Problem problem;
  problem.viscosity = 0.01;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  ScalarProblem heat;
  heat.name = "heat";
  heat.diffusivity = 0.02;
  heat.buoyancy = {0, 1, 0};
  heat.initial = [](Point x) { return x[0]; };
  heat.sides[0][0] = {ScalarSideKind::value, 1};
  heat.sides[0][1] = {ScalarSideKind::value, 0};
  problem.scalars.push_back(heat);
  return problem;
}

SystemSettings entry(const SystemSettings& configured, const std::string& method,
                     const std::string& kind, int restart = 10) {
  SystemSettings settings = configured;
  settings.method = method;
  settings.preconditioner = {kind};
  settings.options["restart"] = restart;
  return settings;
}

// None is given up, whatever the clock says.
CompareSettings& compare_all(Settings& settings) {
  settings.compare.emplace().give_up.reset();
  return *settings.compare;
}

template <class Space>
class SolverComparison : public tests::SpaceTest<Space> {
 protected:
  Settings box_settings(const std::string& scheme = "bdf2", int cells = 12) {
    Settings settings = test::flow_settings(2, cells);
    settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    settings.time.scheme = scheme;
    settings.output.fields = {"velocity", "pressure", "heat"};
    return settings;
  }

  static void compare_by_default(Settings& settings) {
    compare_all(settings).every = 2;
    add_default_candidates(settings, settings.time.scheme == "cn_ab2", *settings.compare);
  }

  // The fields after a few steps of changing size.
  static std::vector<CellArray> fields_of(const Settings& settings, ComparisonSink* sink) {
    const auto flow = make_flow(settings, heated_box());
    if (sink) flow->compare_solvers(settings, sink);
    for (int i = 0; i < 5; ++i) {
      const StepReport report = flow->advance(0.02 + 0.005 * i);
      EXPECT_TRUE(report.ok) << report.failure;
      EXPECT_EQ(report.comparison_seconds > 0, sink != nullptr);
    }
    return flow->cell_arrays(settings.output.fields);
  }

  static std::vector<ComparedSystem> systems_of(const Settings& settings) {
    Collected collected;
    (void)fields_of(settings, &collected);
    return collected.systems;
  }
};
TYPED_TEST_SUITE(SolverComparison, tests::Spaces, tests::SpaceName);

TYPED_TEST(SolverComparison, leaves_the_fields_bit_for_bit) {
  for (const char* scheme : {"bdf2", "cn_ab2", "rk3"}) {
    Settings settings = this->box_settings(scheme);
    const auto alone = this->fields_of(settings, nullptr);
    this->compare_by_default(settings);
    Collected collected;
    const auto compared = this->fields_of(settings, &collected);
    EXPECT_GT(collected.systems.size(), 8U) << scheme;
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_EQ(alone[i].values, compared[i].values) << scheme << ", " << alone[i].name;
  }
}

TYPED_TEST(SolverComparison, solves_every_system_of_the_chosen_steps_by_every_solver) {
  Settings settings = this->box_settings();
  this->compare_by_default(settings);
  std::map<std::string, int> count;
  for (const ComparedSystem& system : this->systems_of(settings)) {
    ++count[system.name];
    EXPECT_EQ(system.step % 2, 1);
    const bool pressure = system.kind == SystemKind::pressure;
    EXPECT_EQ(system.rows, system.name == "u" || system.name == "v" ? 12 * 11 : 144);
    // bicgstab + jacobi, the configured one, is in the list for transport.
    // The preconditioner direct and capacitance are left out where the method direct serves.
    EXPECT_EQ(system.solves.size(), pressure ? settings.compare->pressure.size() - 1
                                             : settings.compare->transport.size());
    EXPECT_TRUE(system.solves.front().configured);
    EXPECT_EQ(system.reference, pressure ? "direct" : "gauss");
    EXPECT_LT(system.reference_residual, 1e-12 * system.rhs_norm);
    EXPECT_EQ(system.rhs_mean.has_value(), pressure);
    for (const ComparedSolve& solve : system.solves) {
      EXPECT_TRUE(solve.solved()) << system.name << ": " << solver_text(solve.settings);
      EXPECT_LE(solve.report.true_residual, solve.report.target);
      EXPECT_LT(solve.difference.value(), 1e-6) << solver_text(solve.settings);
      EXPECT_EQ(solve.max_divergence.has_value(), pressure);
      EXPECT_LT(solve.max_divergence.value_or(0), 1e-6);
    }
  }
  EXPECT_EQ(count, (std::map<std::string, int>{{"heat", 3}, {"pressure", 3}, {"u", 3}, {"v", 3}}));
}

TYPED_TEST(SolverComparison, the_configured_solver_does_what_it_does_in_the_run) {
  Settings settings = this->box_settings();
  this->compare_by_default(settings);
  Collected collected;
  const auto flow = make_flow(settings, heated_box());
  flow->compare_solvers(settings, &collected);
  const StepReport report = flow->advance(0.02);
  ASSERT_EQ(collected.systems.size(), report.solves.size());
  for (std::size_t i = 0; i < report.solves.size(); ++i) {
    EXPECT_EQ(collected.systems[i].name, report.solves[i].system);
    EXPECT_EQ(collected.systems[i].solves[0].report.iterations, report.solves[i].iterations);
    EXPECT_EQ(collected.systems[i].solves[0].report.true_residual,
              report.solves[i].report.true_residual);
  }
  EXPECT_NEAR(*collected.systems.back().solves[0].max_divergence,
              flow->diagnostics().max_divergence, 1e-12);
}

TYPED_TEST(SolverComparison, starting_guesses_save_iterations_and_leave_the_fields_bit_for_bit) {
  Settings settings = this->box_settings();
  const auto alone = this->fields_of(settings, nullptr);
  compare_all(settings).steps = {1, 5};
  settings.compare->pressure = {entry(settings.pressure, "cg", "none")};
  settings.compare->scalars = {entry(settings.scalars, "bicg", "none")};
  settings.compare->guesses = true;
  Collected collected;
  const auto compared = this->fields_of(settings, &collected);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].values, compared[i].values);
  ASSERT_EQ(collected.systems.size(), 4U);
  for (const ComparedSystem& system : collected.systems) {
    std::map<std::string, double> residuals;
    for (const ComparedGuess& guess : system.guesses) {
      EXPECT_TRUE(guess.report.converged());
      EXPECT_EQ(guess.configured, guess.guess == "scheme");
      residuals[guess.guess] = guess.report.initial_residual;
    }
    ASSERT_EQ(residuals.size(), 5U);
    EXPECT_NEAR(residuals["zero"] / system.rhs_norm, 1, 1e-8);
    EXPECT_EQ(system.kept.has_value(), system.kind != SystemKind::pressure);
    EXPECT_EQ(system.kept.value_or(KeptPreconditioner{1, {}, 0}).made_in_step, 1);
    if (system.step == 1) continue;
    EXPECT_LT(residuals["previous"], residuals["zero"]);
    EXPECT_LT(residuals["projected"], residuals["zero"]);
  }
}

TYPED_TEST(SolverComparison, seconds_of_a_solve_are_limited) {
  Settings settings = this->box_settings("bdf2", 40);
  compare_all(settings).steps = {1};
  settings.compare->pressure = {entry(settings.pressure, "gmres", "none", 2)};
  settings.compare->max_seconds = 1e-9;
  const auto systems = this->systems_of(settings);
  ASSERT_EQ(systems.size(), 1U);
  EXPECT_EQ(systems[0].solves[1].report.status, SolveStatus::max_seconds);
}

// No solver takes less than a millionth of the fastest, whatever the machine.
TYPED_TEST(SolverComparison, a_solver_that_is_much_slower_than_the_fastest_is_given_up) {
  Settings settings = this->box_settings();
  settings.compare.emplace().steps = {1, 3};
  settings.compare->give_up = 1e-6;
  settings.compare->pressure = {entry(settings.pressure, "gmres", "none", 2),
                                entry(settings.pressure, "cg", "multigrid")};
  const auto alone = this->fields_of(this->box_settings(), nullptr);
  Collected collected;
  const auto compared = this->fields_of(settings, &collected);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].values, compared[i].values);
  ASSERT_EQ(collected.systems.size(), 2U);
  const auto& [first, second] = std::tie(collected.systems[0], collected.systems[1]);
  ASSERT_EQ(first.solves.size(), 3U);
  EXPECT_TRUE(first.solves[0].solved());
  EXPECT_FALSE(first.solves[1].solved());
  EXPECT_EQ(first.solves[1].report.status, SolveStatus::max_seconds);
  EXPECT_THAT(first.solves[1].given_up, testing::ContainsRegex("stopped after .* 1e-06 times the"));
  EXPECT_FALSE(first.reference.empty());
  for (const ComparedSolve& solve : second.solves)
    EXPECT_NE(solve.settings.method, "gmres") << "it is not tried again";
  EXPECT_TRUE(second.solves[0].configured);
}

TYPED_TEST(SolverComparison, all_solvers_stop_by_the_divergence_where_the_run_does) {
  Settings settings = this->box_settings();
  settings.pressure.stop = "divergence";
  settings.pressure.tolerance = 1e-4;
  compare_all(settings).steps = {3};
  settings.compare->pressure = {entry(settings.pressure, "cg", "jacobi"),
                                entry(settings.pressure, "bicgstab", "none")};
  const auto systems = this->systems_of(settings);
  ASSERT_EQ(systems.size(), 1U);
  for (const ComparedSolve& solve : systems[0].solves) {
    EXPECT_TRUE(solve.solved());
    EXPECT_LE(*solve.max_divergence, 1e-4 * (1 + 1e-6));
    EXPECT_GT(*solve.max_divergence, 1e-9);
  }
}

TYPED_TEST(SolverComparison, failures_are_rows_with_their_reason) {
  Settings settings = this->box_settings();
  compare_all(settings).steps = {1};
  SystemSettings short_of_breath = entry(settings.pressure, "gmres", "none", 2);
  short_of_breath.max_iterations = 3;
  settings.compare->pressure = {short_of_breath};
  settings.compare->transport = {entry(settings.transport, "cg", "jacobi")};
  for (const ComparedSystem& system : this->systems_of(settings)) {
    ASSERT_EQ(system.solves.size(), 2U);
    const linalg::SolveReport& failed = system.solves[1].report;
    EXPECT_FALSE(system.solves[1].solved());
    if (system.kind == SystemKind::pressure) {
      EXPECT_EQ(failed.status, SolveStatus::max_iterations);
      EXPECT_GT(*system.solves[1].difference, 1e-6);
    } else {
      EXPECT_EQ(failed.breakdown, Breakdown::not_symmetric);
    }
  }
}

TYPED_TEST(SolverComparison, a_dense_method_is_not_tried_on_what_is_too_large_for_it) {
  Settings settings = this->box_settings("bdf2", 72);
  compare_all(settings).steps = {1};
  settings.compare->pressure = {entry(settings.pressure, "gauss", "none")};
  const auto systems = this->systems_of(settings);
  ASSERT_EQ(systems.size(), 1U);
  EXPECT_THAT(systems[0].solves[1].not_run, testing::HasSubstr("5184 unknowns are too many"));
  EXPECT_EQ(systems[0].reference, "direct");
  EXPECT_LT(systems[0].reference_residual, 1e-12 * systems[0].rhs_norm);
}

TYPED_TEST(SolverComparison, asks_another_solver_for_the_reference_where_the_configured_one_fails) {
  Settings settings = this->box_settings("bdf2", 40);
  compare_all(settings).steps = {1};
  settings.transport.max_iterations = 1;
  settings.transport.fallback = {"gmres"};
  SystemSettings enough = entry(settings.transport, "bicg", "jacobi");
  enough.max_iterations = 500;
  enough.fallback.clear();
  settings.compare->transport = {enough};
  Collected collected;
  const auto flow = make_flow(settings, heated_box());
  flow->compare_solvers(settings, &collected);
  (void)flow->advance(0.02);
  ASSERT_FALSE(collected.systems.empty());
  EXPECT_EQ(collected.systems[0].reference, "bicg + jacobi");
}

}  // namespace
}  // namespace hodge::sim
