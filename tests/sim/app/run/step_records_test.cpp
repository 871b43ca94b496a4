#include "sim/app/run/step_records.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/fake_flow.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::lines_of;

// Steps of size 1/3 in which each system takes 7 iterations and 0.001 s.
struct History {
  void start() { records.record(flow.diagnostics(), nullptr); }
  void step() { record(flow.advance(1.0 / 3)); }
  void record(const StepReport& report) {
    const FinishedStep finished{.report = report, .cfl = 0.8, .seconds = 0.02};
    records.record(flow.diagnostics(), &finished);
  }
  std::vector<std::string> lines() const { return lines_of(file); }

  test::TemporaryDirectory folder;
  RunDirectory directory{folder / "run", false, {"", Manifest()}};
  std::filesystem::path file = directory.path() / "history.csv";
  test::FakeFlow flow;
  Settings settings;
  Problem problem;
  TimeBudget budget;
  StepRecords records{flow, settings, problem, directory, {}, budget};
};

constexpr const char* header =
    "step,t,dt,cfl,kinetic_energy,max_speed,max_divergence,max_du_dt,u_iterations,u_seconds,v_"
    "iterations,"
    "v_seconds,pressure_iterations,pressure_seconds,step_seconds";

TEST(StepRecords, the_history_has_a_header_and_a_row_a_step) {
  History history;
  history.step();
  history.step();
  EXPECT_EQ(history.lines(),
            (std::vector<std::string>{
                header,
                "1,0.3333333333333333,0.3333333333333333,0.8,0.5,1,1e-12,0.125,7,0.001,7,0.001,7,"
                "0.001,0.02",
                "2,0.6666666666666666,0.3333333333333333,0.8,0.5,1,1e-12,0.125,7,0.001,7,0.001,7,"
                "0.001,0.02"}));
}

TEST(StepRecords, every_row_is_on_disk_as_soon_as_its_step_is_done) {
  History history;
  for (std::size_t step = 1; step <= 5; ++step) {
    history.step();
    EXPECT_EQ(history.lines().size(), step + 1);
  }
}

TEST(StepRecords, the_history_has_the_quantities_in_their_order_before_the_solves) {
  History history;
  history.flow.quantity_names = {"heat_integral", "flow_rate_x"};
  history.step();
  EXPECT_NE(history.lines()[0].find(",max_du_dt,heat_integral,flow_rate_x,u_iterations"),
            std::string::npos);
  EXPECT_NE(history.lines()[1].find(",0.125,3.333333333333333,3.333333333333333,7,"),
            std::string::npos);
}

TEST(StepRecords, the_row_of_the_start_has_the_columns_of_the_steps_after_it) {
  History history;
  history.start();
  history.step();
  EXPECT_EQ(history.lines(),
            (std::vector<std::string>{header, "0,0,,,0.5,1,1e-12,,,,,,,,",
                                      "1,0.3333333333333333,0.3333333333333333,0.8,0.5,1,1e-12,"
                                      "0.125,7,0.001,7,0.001,7,0.001,0.02"}));
}

TEST(StepRecords, a_system_that_is_solved_at_every_stage_of_a_step_has_one_sum) {
  History history;
  StepReport report = history.flow.advance(1.0 / 3);
  report.solves = {{"pressure", 10, 0.25, {}}, {"pressure", 20, 0.5, {}}};
  history.record(report);
  EXPECT_EQ(history.lines()[0], header);
  EXPECT_NE(history.lines()[1].find(",0.125,0,0,0,0,30,0.75,"), std::string::npos);
}

TEST(StepRecords, a_full_disk_is_an_error_and_its_row_comes_once_there_is_room) {
  History history;
  history.step();
  const auto whole = std::filesystem::file_size(history.file);
  {
    const test::FileSizeLimit limit(whole + 10);
    EXPECT_EQ(test::message_of<IoError>([&] { history.step(); }),
              "cannot write " + history.file.string() + ": File too large");
  }
  EXPECT_EQ(std::filesystem::file_size(history.file), whole);
  history.step();
  EXPECT_EQ(history.lines().size(), 4U);
}

TEST(StepRecords, the_forces_have_a_header_before_the_first_step_and_a_row_for_each) {
  History history;
  history.problem.solids.emplace_back();
  history.problem.solids.back().name = "ball";
  StepRecords records(history.flow, history.settings, history.problem, history.directory, {},
                      history.budget);
  const auto forces = history.directory.path() / "forces.csv";
  const std::string columns =
      "step,t,ball_pressure_x,ball_pressure_y,ball_viscous_x,ball_viscous_y,"
      "ball_pressure_moment_z,ball_viscous_moment_z";
  records.record(history.flow.diagnostics(), nullptr);
  EXPECT_EQ(lines_of(forces), std::vector<std::string>{columns});
  const StepReport report = history.flow.advance(0.5);
  const FinishedStep finished{.report = report};
  records.record(history.flow.diagnostics(), &finished);
  EXPECT_EQ(lines_of(forces), (std::vector<std::string>{columns, "1,0.5,0.5,0,0,1,0,0"}));
}

}  // namespace
}  // namespace hodge::sim
