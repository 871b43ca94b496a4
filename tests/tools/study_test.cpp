// What `hodge study` recommends where the tolerances of several kinds of systems come together.
#include "tools/hodge/study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using sim::SystemKind;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Trials = std::vector<LoosestTolerance::Trial>;

struct SmallStudy {
  SmallStudy() {
    std::ofstream(folder / "f.yaml") << "case: lid_driven_cavity\n"
                                        "parameters: {reynolds: 100}\n"
                                        "grid: {cells: [12, 12]}\n"
                                        "time: {end: 1, step: {size: 0.05}}\n"
                                        "device: cpu\n";
    job = load_job({.file = (folder / "f.yaml").string(), .overrides = {}}, cases::known_cases());
  }
  LoosestTolerance found(SystemKind kind, const Trials& trials) const {
    sim::Settings settings = job.settings;
    sim::SystemSettings solver = solver_of(settings, kind);
    solver.tolerance = trials.back().tolerance;
    return {solver, 1.0, trials};
  }
  // Together, of a pressure that is solved well and a transport that is not.
  std::optional<Study::Confirmation> together(const Trials& transport) const {
    const Study study(job, {.steps = 3, .within = 1e-4});
    return study.confirm({{SystemKind::pressure, found(SystemKind::pressure, {{1e-7, 1e-8}})},
                          {SystemKind::transport, found(SystemKind::transport, transport)}});
  }
  // The table of the search for the pressure among the direct solver and gmres(2).
  std::string with_a_slow_solver(const StudyRules& rules) {
    sim::SystemSettings slow = sim::compared_entry(job.settings.pressure);
    slow.method = "gmres";
    slow.options["restart"] = 2;
    job.settings.compare.emplace().pressure = {slow};
    sim::Table table("study", "", {{"solver", "solver"}, {"verdict", "verdict"}});
    EXPECT_TRUE(Study(job, rules).find(SystemKind::pressure, table));
    return table.text();
  }

  test::TemporaryDirectory folder;
  Job job;
};

TEST(Study, a_saving_is_a_part_of_the_whole_steps) {
  ShortRun from, to;
  from.step_seconds = {2, 9, 2};  // 9: held up
  from.cost[0].solves = {1, 1, 1};
  to.cost[0].solves = {0.4, 0.4, 0.4};
  to.cost[1].solves = {0.5, 0.5, 0.5};
  EXPECT_DOUBLE_EQ(from.seconds(), 6);
  EXPECT_NEAR(saving(from, to, sim::system_kinds[0]), 1.8 / 6, 1e-14);
  EXPECT_NEAR(saving(from, to, sim::system_kinds[1]), -1.5 / 6, 1e-14);
}

TEST(Study, an_inaccurate_file_gets_advice_for_all_systems_whatever_it_saves) {
  SmallStudy small;
  const StudyRules rules{.steps = 3, .within = 1e-4};
  const auto confirmed = small.together({{1e-6, 1e-7}});
  ASSERT_TRUE(confirmed);
  small.job.settings.transport.tolerance = 0.9;
  const Study::Advice advice = Study(small.job, rules).advise(*confirmed);
  EXPECT_FALSE(advice.file_is_good);
  EXPECT_EQ(advice.kinds, (std::vector<SystemKind>{SystemKind::pressure, SystemKind::transport}));
}

TEST(Study, only_savings_of_a_twentieth_of_a_step_are_advised) {
  const SmallStudy small;
  const StudyRules rules{.steps = 3, .within = 1e-2};
  auto confirmed = small.together({{1e-6, 1e-7}});
  ASSERT_TRUE(confirmed);
  for (sim::SystemKind kind : sim::system_kinds)
    for (double& seconds : confirmed->run.cost[static_cast<std::size_t>(kind)].solves) seconds = 9;
  const Study::Advice none = Study(small.job, rules).advise(*confirmed);
  EXPECT_TRUE(none.file_is_good);
  EXPECT_TRUE(none.kinds.empty());
}

// Nothing is faster than a millionth of the fastest, whatever the machine.
TEST(Study, a_solver_that_is_much_slower_than_the_fastest_is_given_up) {
  StudyRules rules{.steps = 2, .within = 1e-2, .tolerances = {1e-8, 1e-6}, .give_up = 1e-6};
  rules.least_limit = 0;
  const std::string table = SmallStudy().with_a_slow_solver(rules);
  EXPECT_THAT(table,
              ContainsRegex("gmres.*given up in step 1: beyond .* s, the fastest is direct"));
}

TEST(Study, no_solver_is_given_up_before_the_least_limit) {
  StudyRules rules{.steps = 2, .within = 1e-2, .tolerances = {1e-8, 1e-6}, .give_up = 1e-6};
  rules.least_limit = 1e9;
  const std::string table = SmallStudy().with_a_slow_solver(rules);
  EXPECT_THAT(table, HasSubstr("gmres"));
  EXPECT_THAT(table, Not(HasSubstr("given up")));
}

TEST(Study, tolerances_that_hold_together_stay_as_they_were_found) {
  const auto confirmed = SmallStudy().together({{1e-6, 1e-7}});
  ASSERT_TRUE(confirmed);
  EXPECT_TRUE(confirmed->tightenings.empty());
  EXPECT_EQ(confirmed->settings.pressure.tolerance, 1e-7);
  EXPECT_EQ(confirmed->settings.transport.tolerance, 1e-6);
}

TEST(Study, only_what_changes_most_is_tightened_to_the_next_tolerance_that_was_tried) {
  const auto confirmed = SmallStudy().together({{2.5e-6, 1e-6}, {0.3, 5e-5}});
  ASSERT_TRUE(confirmed);
  ASSERT_EQ(confirmed->tightenings.size(), 1U);
  const Study::Tightening& done = confirmed->tightenings[0];
  EXPECT_EQ(done.kind, SystemKind::transport);
  EXPECT_EQ(done.from, 0.3);
  EXPECT_EQ(done.to, 2.5e-6);
  EXPECT_GT(done.change.largest, 1e-4);
  EXPECT_EQ(confirmed->settings.pressure.tolerance, 1e-7);
  EXPECT_EQ(confirmed->settings.transport.tolerance, 2.5e-6);
  EXPECT_LE(confirmed->change.largest, 1e-4);
}

TEST(Study, tolerances_beyond_those_that_were_tried_are_short_decimals) {
  const auto confirmed = SmallStudy().together({{0.1, 5e-5}});
  ASSERT_TRUE(confirmed);
  ASSERT_GE(confirmed->tightenings.size(), 2U);
  double expected = 0.1;
  for (const Study::Tightening& done : confirmed->tightenings) {
    EXPECT_EQ(tolerance_text(done.from), tolerance_text(expected));
    EXPECT_LE(tolerance_text(done.to).size(), 5U) << done.to;
    EXPECT_EQ(std::stod(tolerance_text(done.to)), done.to);
    expected /= 10;
  }
}

TEST(Study, tolerances_are_printed_with_as_few_digits_as_they_have) {
  EXPECT_EQ(tolerance_text(1e-6), "1e-06");
  EXPECT_EQ(tolerance_text(1.0000000000000002e-06), "1e-06");
  EXPECT_EQ(tolerance_text(2.5e-5), "2.5e-05");
  EXPECT_EQ(tolerance_text(0.1), "1e-01");
}

}  // namespace
}  // namespace hodge::tools
