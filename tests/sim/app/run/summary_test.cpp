#include "sim/app/run/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_flow.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

TEST(Summary, the_opening_says_what_is_run_where) {
  Settings settings;
  settings.case_name = "cavity";
  settings.parameters = {{"reynolds", 1000}};
  settings.grid = test::small_grid_settings();
  settings.output.directory = "runs/cavity";
  const test::FakeFlow flow;
  const std::string text = opening_text(settings, Problem{}, flow, "0.1.0");
  EXPECT_THAT(text, HasSubstr("hodge 0.1.0\ncase      cavity: reynolds = 1000\n"));
  EXPECT_THAT(text, HasSubstr("device    a fake device\ngrid      4 x 3 cells\n"));
  EXPECT_THAT(text, HasSubstr("unknowns  17 velocity, 12 pressure\n"));
  EXPECT_THAT(text, HasSubstr("output    runs/cavity"));
  Problem with_solids;
  with_solids.treatment = "sharp (auto)";
  EXPECT_THAT(opening_text(settings, with_solids, flow, "0"),
              HasSubstr("\nsolids    sharp (auto)\n"));
}

TEST(Summary, a_periodic_axis_has_as_many_unknown_faces_as_cells) {
  Settings settings;
  settings.grid = test::small_grid_settings();
  Problem problem;
  for (Side& side : problem.boundaries.sides[0]) side.kind = SideKind::periodic;
  EXPECT_THAT(opening_text(settings, problem, test::FakeFlow(), "0"), HasSubstr("20 velocity"));
}

RunStatistics two_steps() {
  RunStatistics statistics;
  statistics.cells = 1000000;
  StepReport report;
  report.assembly_seconds = 0.25;
  report.transport_seconds = 0.5;
  report.pressure_seconds = 1;
  for (const int iterations : {40, 50}) {
    report.solves = {{.system = "u", .iterations = 3, .seconds = 0, .report = {}},
                     {.system = "pressure", .iterations = iterations, .seconds = 0, .report = {}}};
    statistics.add(report);
  }
  statistics.seconds.diagnostics = 0.1;
  statistics.seconds.output = 0.2;
  statistics.seconds.total = 4;
  return statistics;
}

TEST(Summary, reactions_have_a_row_of_their_own) {
  RunStatistics statistics = two_steps();
  StepReport report;
  report.reaction_seconds = 1;
  statistics.add(report);
  statistics.seconds.total = 5;
  const std::string text = statistics_text(statistics);
  EXPECT_THAT(text, HasSubstr("\n  reactions            1.000    20.0    333.3333\n"));
  EXPECT_THAT(text, HasSubstr("\n  other                0.200     4.0     66.6667"));
}

TEST(Summary, checkpoints_have_a_row_of_their_own) {
  RunStatistics statistics = two_steps();
  statistics.seconds.checkpoints = 0.1;
  const std::string text = statistics_text(statistics);
  EXPECT_THAT(text, HasSubstr("\n  checkpoints          0.100     2.5     50.0000\n"));
  EXPECT_THAT(text, HasSubstr("\n  other                0.100     2.5     50.0000"));
}

TEST(Summary, a_table_says_where_the_time_went) {
  EXPECT_EQ(statistics_text(two_steps()),
            "2 steps in 4.00 s, 0.5 million cell-steps/s\n"
            "  time               seconds       %     ms/step\n"
            "  assembly             0.500    12.5    250.0000\n"
            "  transport            1.000    25.0    500.0000\n"
            "  pressure             2.000    50.0   1000.0000\n"
            "  diagnostics          0.100     2.5     50.0000\n"
            "  output waiting       0.200     5.0    100.0000\n"
            "  other                0.200     5.0    100.0000\n"
            "  iterations            mean     max      solves\n"
            "  u                      3.0       3           2\n"
            "  pressure              45.0      50           2");
}

TEST(Summary, says_where_the_rule_for_entering_fluid_acted) {
  RunStatistics statistics = two_steps();
  EXPECT_THAT(statistics_text(statistics), testing::Not(HasSubstr("entered in")));
  statistics.limited = {{"x_upper", 0.314, 2.5}};
  EXPECT_THAT(statistics_text(statistics),
              HasSubstr("\nx_upper: up to 0.31 of what passed the side, at t = 2.5, entered in no "
                        "parallel flow, for which the given pressure is the total pressure "
                        "(entering_limited_x_upper in history.csv)"));
}

TEST(Summary, a_run_without_a_step_has_a_table_of_zeros) {
  const std::string text = statistics_text(RunStatistics{});
  EXPECT_THAT(text, HasSubstr("0 steps in 0.00 s, 0 million cell-steps/s\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("nan")));
}

TEST(Summary, the_ending_says_why) {
  Settings settings;
  settings.time.steady_tolerance = 1e-7;
  RunResult result;
  result.steps = 12;
  result.time = 1.5;
  EXPECT_EQ(ending_text(result, settings), "reached t = 1.5");
  result.end = RunEnd::max_steps;
  EXPECT_EQ(ending_text(result, settings), "stopped after 12 steps at t = 1.5");
  result.end = RunEnd::steady;
  EXPECT_EQ(ending_text(result, settings), "steady at t = 1.5: max |du/dt| is below 1e-07");
  result.end = RunEnd::interrupted;
  result.signal = SIGTERM;
  EXPECT_EQ(ending_text(result, settings), "stopped by SIGTERM at step 12, t = 1.5");
  EXPECT_EQ(result.exit_code(), 143);
}

TEST(Summary, the_results_name_the_errors_and_the_file_to_open) {
  RunResult result;
  result.time = 2;
  result.open = "runs/a/a.pvd";
  EXPECT_EQ(results_text(result), "open in ParaView: runs/a/a.pvd");
  result.errors = ErrorNorms{1e-4, 2e-4, 3e-4, 4e-4};
  EXPECT_EQ(results_text(result),
            "error against the exact solution at t = 2: velocity L2 1.0000e-04, max 2.0000e-04; "
            "pressure L2 3.0000e-04, max 4.0000e-04\n"
            "open in ParaView: runs/a/a.pvd");
  result.errors->knows_velocity = false;
  result.errors->scalars = {{"a", 1e-5, 2e-5}, {"b", 3e-5, 4e-5}};
  EXPECT_EQ(results_text(result),
            "error against the exact solution at t = 2: a L2 1.0000e-05, max 2.0000e-05; "
            "b L2 3.0000e-05, max 4.0000e-05\n"
            "open in ParaView: runs/a/a.pvd");
}

}  // namespace
}  // namespace hodge::sim
