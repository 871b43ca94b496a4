#include "sim/app/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/fake_run.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::FakeFlow;
using test::FakeRun;
using test::lines_of;
using test::step_with_cfl;
using testing::HasSubstr;

TEST(Run, shortens_a_fixed_step_that_the_flow_outruns) {
  FakeRun fake;
  fake.settings.time.scheme = "rk3";
  FakeFlow flow({.cfl_rate = 10, .fast_from_step = 4});
  fake.run(flow);
  ASSERT_GT(flow.times.size(), 20U);
  EXPECT_NEAR(flow.times[3], 0.2, 1e-12);
  for (std::size_t i = 4; i < flow.times.size(); ++i)
    EXPECT_LE(flow.times[i] - flow.times[i - 1], 0.017 + 1e-12);
  EXPECT_THAT(test::read_text(fake.file("log.txt")),
              testing::HasSubstr("steps are shortened from t = 0.2 on, the first from 0.05 to "
                                 "0.017: rk3 with central convection"));
}

TEST(Run, ends_at_the_end_time_with_every_file) {
  FakeRun fake;
  FakeFlow flow;
  const RunResult result = fake.run(flow);
  EXPECT_EQ(result.end, RunEnd::end_time);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_EQ(result.steps, 20);
  EXPECT_EQ(result.time, 1.0);
  EXPECT_EQ(result.open, fake.file("fake.pvd"));
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(lines_of(fake.file("history.csv")).size(), 22U);
  EXPECT_THAT(test::read_text(fake.file("config.yaml")), HasSubstr("case: fake"));
}

TEST(Run, writes_the_forces_on_solids_at_every_step) {
  FakeRun fake;
  fake.problem.density = 2;
  fake.problem.solids = {{"ball", SphereShape{{0.5, 0.5}, 0.3}}};
  fake.settings.forces = ForceSettings{.speed = 1, .area = 0.5};
  FakeFlow flow;
  fake.run(flow);
  const std::vector<std::string> lines = lines_of(fake.file("forces.csv"));
  ASSERT_EQ(lines.size(), 21U);
  EXPECT_EQ(lines[0],
            "step,t,ball_pressure_x,ball_pressure_y,ball_viscous_x,ball_viscous_y,ball_drag,"
            "ball_lift,ball_pressure_moment_z,ball_viscous_moment_z,ball_moment");
  EXPECT_EQ(lines[20], "20,1,1,0,0,1,2,2,0,0,0");
}

TEST(Run, writes_no_forces_without_solids) {
  FakeRun fake;
  FakeFlow flow;
  fake.run(flow);
  EXPECT_FALSE(fs::exists(fake.file("forces.csv")));
}

TEST(Run, the_log_has_the_opening_the_progress_and_the_summary) {
  FakeRun fake;
  FakeFlow flow;
  fake.run(flow);
  const std::string log = test::read_text(fake.file("log.txt"));
  EXPECT_THAT(log, HasSubstr("hodge test\ncase      fake\n"));
  EXPECT_THAT(log,
              HasSubstr("step 5, t = 0.25, dt = 0.05, CFL 0.50, iterations u 7, v 7, pressure 7"));
  EXPECT_THAT(log, HasSubstr("reached t = 1\n20 steps in "));
  EXPECT_THAT(log, HasSubstr("open in ParaView: " + fake.file("fake.pvd").string()));
}

TEST(Run, the_log_names_each_frame_and_checkpoint_that_is_on_the_disk) {
  FakeRun fake;
  FakeFlow flow;
  fake.run(flow);
  const std::string log = test::read_text(fake.file("log.txt"));
  for (const char* line : {"\nframes/fake_000000.vti is on the disk: step 0, t = 0\n",
                           "\nframes/fake_000002.vti is on the disk: step 10, t = 0.5\n",
                           "\nframes/fake_000004.vti is on the disk: step 20, t = 1\n",
                           "\ncheckpoints/fake_00000020.h5 is on the disk: step 20, t = 1\n"})
    EXPECT_THAT(log, HasSubstr(line));
}

TEST(Run, frames_have_the_precision_that_was_asked_for) {
  for (const auto& [precision, type] : {std::pair{"single", VTK_FLOAT}, {"double", VTK_DOUBLE}}) {
    FakeRun fake;
    FakeFlow flow;
    fake.settings.output.precision = precision;
    fake.run(flow);
    const auto data = test::read_image(fake.file("frames/fake_000002.vti"));
    EXPECT_EQ(data->GetCellData()->GetArray("pressure")->GetDataType(), type);
  }
}

TEST(Run, the_log_says_which_fields_single_precision_cannot_hold) {
  struct Beyond : FakeFlow {
    std::vector<sim::CellArray> cell_arrays(const std::vector<std::string>&) const override {
      return {{"a", 1, std::vector<double>(12, 1.0)}, {"b", 1, std::vector<double>(12, 1e39)}};
    }
  };
  FakeRun fake;
  Beyond flow;
  fake.run(flow);
  EXPECT_THAT(test::read_text(fake.file("log.txt")),
              HasSubstr("fake_000004.vti is on the disk: step 20, t = 1; b in double, for a value "
                        "beyond single precision\n"));
}

TEST(Run, frames_hold_the_fields_of_their_time) {
  FakeRun fake;
  FakeFlow flow;
  fake.run(flow);
  const auto data = test::read_image(fake.file("frames/fake_000002.vti"));
  EXPECT_EQ(data->GetCellData()->GetArray("velocity")->GetComponent(3, 0), 0.5);
  EXPECT_EQ(data->GetCellData()->GetArray("velocity")->GetComponent(3, 1), 10);
  EXPECT_EQ(data->GetCellData()->GetArray("pressure")->GetTuple1(11), 11.5);
}

TEST(Run, lands_on_output_times_that_are_no_multiples_of_the_step) {
  FakeRun fake;
  fake.settings.time.step = step_with_cfl(0.37);
  fake.settings.time.end = 1;
  fake.settings.output.frame_every = 0.3;
  fake.settings.output.regions = {{"wake", {0.25, 0}, {0.5, 1}, 0.25}};
  FakeFlow flow;
  fake.run(flow);
  EXPECT_LT(flow.largest_snap, 1e-15);
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 0.3, 0.6, 0.9, 1.0}));
  std::vector<double> of_region;
  for (const auto& [time, file] : test::read_collection(fake.file("wake.pvd")))
    of_region.push_back(time);
  EXPECT_EQ(of_region, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Run, many_output_times_gather_no_round_off) {
  FakeRun fake;
  fake.settings.time.step = step_with_cfl(1);
  fake.settings.time.end = 20;
  fake.settings.output.frame_every = 0.1;
  FakeFlow flow;
  fake.run(flow);
  EXPECT_EQ(flow.step(), 200);
  const auto times = fake.frame_times();
  ASSERT_EQ(times.size(), 201U);
  for (std::size_t k = 0; k <= 200; ++k) EXPECT_EQ(times[k], static_cast<double>(k) / 10);
}

TEST(Run, without_an_interval_there_are_a_first_and_a_last_frame) {
  FakeRun fake;
  fake.settings.output.frame_every.reset();
  FakeFlow flow;
  fake.run(flow);
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 1}));
}

TEST(Run, stops_after_the_largest_number_of_steps_with_a_last_frame) {
  FakeRun fake;
  fake.settings.time.max_steps = 7;
  FakeFlow flow;
  const RunResult result = fake.run(flow);
  EXPECT_EQ(result.end, RunEnd::max_steps);
  EXPECT_EQ(result.steps, 7);
  const auto times = fake.frame_times();
  ASSERT_EQ(times.size(), 3U);
  EXPECT_DOUBLE_EQ(times.back(), 0.35);
}

TEST(Run, stops_after_the_largest_wall_time_with_a_last_frame) {
  FakeRun fake;
  fake.settings.time.max_wall_seconds = 0.1;
  FakeFlow flow({.during_step = [](long step) {
    if (step == 3) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }});
  const RunResult result = fake.run(flow);
  EXPECT_EQ(result.end, RunEnd::wall_clock);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_GE(result.wall_seconds, 0.1);
  EXPECT_LE(result.steps, 3);  // less where the machine is slow
  EXPECT_EQ(fake.frame_times().back(), flow.time());
  EXPECT_THAT(test::read_text(fake.file("log.txt")), HasSubstr("of wall time at step"));
}

TEST(Run, does_not_stop_before_the_largest_wall_time) {
  FakeRun fake;
  fake.settings.time.max_wall_seconds = 1e6;
  FakeFlow flow;
  EXPECT_EQ(fake.run(flow).end, RunEnd::end_time);
  EXPECT_EQ(flow.step(), 20);
}

TEST(Run, quantities_of_the_flow_are_in_the_history) {
  FakeRun fake;
  FakeFlow flow;
  flow.quantity_names = {"enstrophy"};
  fake.run(flow);
  const auto lines = lines_of(fake.file("history.csv"));
  EXPECT_THAT(lines[0], HasSubstr(",max_divergence,max_du_dt,enstrophy,u_iterations,"));
  EXPECT_THAT(lines[6], HasSubstr(",1e-12,0.125,2.5,7,"));
}

TEST(Run, the_history_begins_with_the_fields_of_the_start) {
  FakeRun fake;
  FakeFlow flow;
  flow.quantity_names = {"enstrophy"};
  fake.run(flow);
  const auto lines = lines_of(fake.file("history.csv"));
  EXPECT_EQ(lines[1], "0,0,,,0.5,1,1e-12,,0,,,,,,,");
  EXPECT_THAT(lines[2], testing::StartsWith("1,0.05,0.05,0.5,0.5,1,1e-12,0.125,0.5,7,"));
}

TEST(Run, the_history_says_how_fast_the_velocity_and_each_scalar_change) {
  FakeRun fake;
  fake.problem.scalars.resize(2);
  fake.problem.scalars[0].name = "heat";
  fake.problem.scalars[1].name = "salt";
  FakeFlow flow;
  flow.scalars = 2;
  fake.run(flow);
  const auto lines = lines_of(fake.file("history.csv"));
  EXPECT_THAT(lines[0], HasSubstr(",max_divergence,max_du_dt,max_dheat_dt,max_dsalt_dt,u_it"));
  EXPECT_THAT(lines[1], HasSubstr(",1e-12,,,,,"));
  EXPECT_THAT(lines[2], HasSubstr(",1e-12,0.125,0.375,0.375,7,"));
}

TEST(Run, the_history_has_no_change_of_a_prescribed_velocity) {
  FakeRun fake;
  fake.problem.prescribed_velocity.emplace();
  FakeFlow flow;
  fake.run(flow);
  EXPECT_THAT(lines_of(fake.file("history.csv"))[0], testing::Not(HasSubstr("max_du_dt")));
}

TEST(Run, stops_at_a_steady_state_with_a_last_frame) {
  FakeRun fake;
  fake.settings.time.steady_tolerance = 1e-6;
  FakeFlow flow({.steady_from_step = 8});
  const RunResult result = fake.run(flow);
  EXPECT_EQ(result.end, RunEnd::steady);
  EXPECT_EQ(result.steps, 8);
  EXPECT_EQ(fake.frame_times().size(), 3U);
  EXPECT_THAT(test::read_text(fake.file("log.txt")), HasSubstr("CFL 0.50, max |d/dt| 1.0e+00, it"));
}

TEST(Run, a_signal_ends_it_after_the_step_with_a_last_frame) {
  for (const int number : {SIGINT, SIGTERM}) {
    FakeRun fake;
    FakeFlow flow({.during_step = [number](long step) {
      if (step == 3) ::raise(number);
    }});
    const RunResult result = fake.run(flow);
    EXPECT_EQ(result.end, RunEnd::interrupted);
    EXPECT_EQ(result.exit_code(), 128 + number);
    EXPECT_EQ(result.steps, 3);
    EXPECT_EQ(fake.frame_times().size(), 2U);
  }
}

TEST(Run, an_earlier_run_is_refused_or_replaced) {
  FakeRun fake;
  FakeFlow first;
  fake.run(first);
  FakeFlow second;
  EXPECT_THROW(fake.run(second), ConfigError);
  EXPECT_EQ(second.step(), 0);
  fake.overwrite = true;
  fake.settings.output.frame_every.reset();
  fake.run(second);
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 1}));
  EXPECT_FALSE(fs::exists(fake.file("frames/fake_000002.vti")));
}

TEST(Run, errors_against_an_exact_solution_are_in_the_history_and_the_summary) {
  FakeRun fake;
  fake.problem.exact.emplace();
  FakeFlow flow;
  flow.errors = ErrorNorms{0.25, 0.5, 0.75, 1};
  const RunResult result = fake.run(flow);
  EXPECT_EQ(result.errors->velocity_l2, 0.25);
  for (const std::size_t row : {1U, 2U})
    EXPECT_THAT(lines_of(fake.file("history.csv"))[row],
                HasSubstr(row == 1 ? ",1e-12,,0.25,0.5," : ",1e-12,0.125,0.25,0.5,7,"));
  EXPECT_THAT(test::read_text(fake.file("log.txt")), HasSubstr("velocity L2 2.5000e-01"));
}

TEST(Run, errors_on_a_large_grid_are_taken_at_frames_alone) {
  FakeRun fake;
  fake.settings.grid.axes[0].cells = 129;
  fake.settings.grid.axes[1].cells = 128;
  fake.problem.exact.emplace();
  FakeFlow flow({}, fake.settings.grid);
  flow.errors = ErrorNorms{0.25, 0.5, 0.75, 1};
  fake.run(flow);
  const auto lines = lines_of(fake.file("history.csv"));
  EXPECT_THAT(lines[5], HasSubstr(",1e-12,0.125,,,7,"));
  EXPECT_THAT(lines[6], HasSubstr(",1e-12,0.125,0.25,0.5,7,"));
}

TEST(Run, a_stretched_grid_has_rectilinear_frames) {
  FakeRun fake;
  fake.settings.grid.axes[0].stretching = "tanh";
  fake.settings.grid.axes[0].strength = 2;
  FakeFlow flow({}, fake.settings.grid);
  fake.run(flow);
  const auto data = test::read_rectilinear(fake.file("frames/fake_000004.vtr"));
  EXPECT_EQ(test::time_value(data), 1.0);
  EXPECT_EQ(data->GetXCoordinates()->GetTuple1(1), flow.grid().edges(0)[1]);
}

}  // namespace
}  // namespace hodge::sim
