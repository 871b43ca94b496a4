#include "sim/app/run/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/fake_run.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::FakeFlow;
using test::FakeRun;
using test::lines_of;
using test::message_of;
using test::step_with_cfl;
using testing::HasSubstr;

TEST(RunFailures, a_field_that_is_lost_stops_it_and_names_the_last_good_frame) {
  FakeRun fake;
  FakeFlow flow({.lost_at_step = 8});
  EXPECT_EQ(
      message_of<NumericalError>([&] { fake.run(flow); }),
      "stopped after step 8, t = 0.4: the velocity or the pressure is no longer a finite number; "
      "velocity is no number in 12 of 12 cells, the first at (0.125, 0.1667); no likely cause was "
      "found: smaller steps (time.step.cfl) show whether the step is; the last good frame is " +
          fake.file("frames/fake_000001.vti").string() +
          " (step 5, t = 0.25); there is no checkpoint");
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 0.25}));
  EXPECT_EQ(lines_of(fake.file("history.csv")).size(), 9U);
  EXPECT_THAT(test::read_text(fake.file("log.txt")), HasSubstr("no longer a finite number"));
}

TEST(RunFailures, initial_fields_that_are_lost_leave_no_frame) {
  FakeRun fake;
  FakeFlow flow({.lost_at_step = 0});
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              HasSubstr("there is no good frame"));
}

TEST(RunFailures, an_explosion_stops_it) {
  FakeRun fake;
  FakeFlow flow({.explodes_at_step = 2});
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              HasSubstr("stopped after step 2, t = 0.1: the velocity explodes: max |u| is 1e+09"));
}

TEST(RunFailures, a_failed_solve_stops_it_and_the_last_good_fields_are_its_last_frame) {
  FakeRun fake;
  FakeFlow flow({.solve_fails_at_step = 9});
  EXPECT_EQ(
      message_of<NumericalError>([&] { fake.run(flow); }),
      "stopped after step 8, t = 0.4: pressure: cg reached 1000 iterations; |u| is largest, 8.01, "
      "at (0.125, 0.1667); likely cause: a linear solver that failed: take another method, "
      "preconditioner or fallback, or more iterations; the last good frame is " +
          fake.file("frames/fake_000002.vti").string() +
          " (step 8, t = 0.4); the last checkpoint is " +
          fake.file("checkpoints/fake_00000008.h5").string() + " (step 8, t = 0.4)");
  const auto times = fake.frame_times();
  ASSERT_EQ(times.size(), 3U);
  EXPECT_DOUBLE_EQ(times.back(), 0.4);
}

TEST(RunFailures, a_projection_that_misses_its_promise_stops_it) {
  FakeRun fake;
  FakeFlow flow({.leaks_at_step = 4});
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              testing::AllOf(HasSubstr("stopped after step 4, t = 0.2: mass is not conserved: max "
                                       "|div u| is 1.02e+03 after the projection, whose tolerance "
                                       "promises 1e-06; "),
                             HasSubstr("likely cause: mass that cannot balance"),
                             HasSubstr("the last good frame is")));
}

TEST(RunFailures, a_step_that_shrinks_to_nothing_stops_it) {
  FakeRun fake;
  fake.settings.time.step = step_with_cfl(0.5);
  FakeFlow flow({.stalls_at_step = 3});
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              testing::AllOf(HasSubstr("the time step has shrunk to 5e-301; "),
                             HasSubstr("the last good frame is")));
}

TEST(RunFailures, a_scalar_that_explodes_stops_it) {
  FakeRun fake;
  fake.problem.scalars.emplace_back();
  fake.problem.scalars[0].name = "c";
  FakeFlow flow({.scalar_explodes_at_step = 9});
  flow.scalars = 1;
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              testing::AllOf(HasSubstr("stopped after step 9, t = 0.45: the scalar c explodes: max "
                                       "|c| is 1e+09, and its initial values, sides and sources "
                                       "allow 1; "),
                             HasSubstr("the last good frame is")));
}

TEST(RunFailures, a_fixed_step_beyond_stability_is_refused_before_any_file_is_touched) {
  FakeRun fake;
  fake.settings.time.scheme = "rk3";
  FakeFlow flow({.cfl_rate = 100});
  EXPECT_THAT(message_of<ConfigError>([&] { fake.run(flow); }),
              HasSubstr("time.step.size is 0.05; with the initial velocity rk3 with central "
                        "convection is stable up to 0.017"));
  EXPECT_FALSE(fs::exists(fake.file("")));
}

TEST(RunFailures, a_full_disk_stops_it_soon_and_what_is_there_stays_readable) {
  FakeRun fake;
  std::optional<test::FileSizeLimit> limit;
  FakeFlow flow({.during_step = [&](long step) {
    if (step != 8) return;
    fake.wait_for_frames(2);
    limit.emplace(600);
  }});
  EXPECT_THROW(fake.run(flow), IoError);
  limit.reset();
  EXPECT_LE(flow.step(), 11);
  EXPECT_EQ(fake.frame_times(), (std::vector<double>{0, 0.25}));
  for (const std::string& line : lines_of(fake.file("history.csv"))) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 14) << line;
  }
}

TEST(RunFailures, a_fallback_is_logged_and_counted) {
  FakeRun fake;
  FakeFlow flow({.fallback_at_step = 4});
  fake.run(flow);
  const std::string log = test::read_text(fake.file("log.txt"));
  EXPECT_THAT(log, HasSubstr("fallback in the step from t = 0.15: the pressure system: cg"));
  EXPECT_THAT(log, HasSubstr("gmres + : converged"));
  EXPECT_THAT(log, testing::ContainsRegex("pressure +gmres +1 +0\n"));
}

// Such runs ended as if all were well.
TEST(RunFailures, a_directory_that_is_removed_or_replaced_under_a_run_ends_it) {
  for (const bool replaced : {false, true}) {
    FakeRun fake;
    FakeFlow flow({.during_step = [&](long step) {
      if (step != 8) return;
      fake.wait_for_frames(2);
      fs::remove_all(fake.file(""));
      if (replaced) fs::create_directories(fake.file("frames"));
    }});
    EXPECT_THROW(fake.run(flow), IoError);
    EXPECT_LE(flow.step(), 11);
    EXPECT_FALSE(fs::exists(fake.file("summary.json")));
    if (replaced) {
      EXPECT_TRUE(fs::is_empty(fake.file("frames")));
    }
  }
}

TEST(RunFailures, a_file_that_is_removed_under_a_run_makes_it_fail) {
  for (const char* file : {"history.csv", "log.txt", "fake.pvd", "frames/fake_000001.vti"}) {
    FakeRun fake;
    FakeFlow flow({.during_step = [&](long step) {
      if (step != 18) return;
      fake.wait_for_frames(4);
      fs::remove(fake.file(file));
    }});
    const bool is_written_again = std::string(file) == "fake.pvd";
    if (is_written_again) {
      fake.run(flow);
    } else {
      EXPECT_THROW(fake.run(flow), IoError) << file;
    }
  }
}

TEST(RunFailures, a_file_of_rows_or_the_log_that_is_shortened_under_a_run_ends_it) {
  for (const char* file : {"history.csv", "log.txt"}) {
    for (const long step : {8, 20}) {  // the last one, too
      FakeRun fake;
      FakeFlow flow({.during_step = [&](long now) {
        if (now == step) fs::resize_file(fake.file(file), 10);
      }});
      EXPECT_THAT(message_of<IoError>([&] { fake.run(flow); }),
                  HasSubstr(std::string(file) + ": it has 10 bytes and had "));
      EXPECT_EQ(fs::file_size(fake.file(file)), 10);
    }
  }
}

// The state of a lost field was saved as the newest checkpoint when a frame failed as well.
TEST(RunFailures, lost_fields_are_never_saved_for_the_sake_of_a_frame_that_failed) {
  FakeRun fake;
  fake.settings.output.checkpoint.every = 0.1;
  FakeFlow flow({.lost_at_step = 6, .during_step = [&](long step) {
                   if (step == 5) {
                     fake.wait_for_frames(1);
                     fs::rename(fake.file("frames"), fake.file("away"));
                   }
                 }});
  EXPECT_THAT(message_of<NumericalError>([&] { fake.run(flow); }),
              testing::AllOf(HasSubstr("no longer a finite number"),
                             HasSubstr("fake_000001.vti: No such file")));
  EXPECT_TRUE(fs::exists(fake.file("checkpoints/fake_00000004.h5")));
  EXPECT_FALSE(fs::exists(fake.file("checkpoints/fake_00000006.h5")));
}

}  // namespace
}  // namespace hodge::sim
