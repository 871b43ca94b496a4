#include "sim/app/run/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

struct Sample {
  std::vector<SolveSummary> solves{
      {.system = "u", .iterations = 3, .seconds = 0, .report = {}},
      {.system = "pressure", .iterations = 41, .seconds = 0, .report = {}}};
  ProgressState state{.step = 120,
                      .time = 1.5,
                      .dt = 0.0125,
                      .cfl = 0.8,
                      .solves = solves,
                      .cell_steps_per_second = 12.34e6,
                      .fraction = 0.375,
                      .elapsed = 39};
};

TEST(Progress, a_plain_line_says_everything_in_words) {
  EXPECT_EQ(progress_line(Sample().state),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80, iterations u 3, pressure 41, "
            "12.3 million cell-steps/s, 1 min 05 s left");
}

TEST(Progress, the_line_of_a_step_has_the_residual_and_the_seconds_of_every_solve) {
  Sample sample;
  sample.solves[0].seconds = 0.002;
  sample.solves[0].report.rhs_norm = 2;
  sample.solves[0].report.true_residual = 8.2e-9;
  sample.solves[1].seconds = 0.0113;
  sample.solves[1].report.true_residual = 1e-12;
  EXPECT_EQ(step_line(sample.state),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80; u 3, 4.1e-09, 0.002 s; pressure 41, "
            "1.0e-12, 0.0113 s");
}

TEST(Progress, reactions_have_no_residual) {
  Sample sample;
  const SolveSummary reactions{reactions_entry, 12, 0.25, {}};
  sample.state.solves = std::span(&reactions, 1);
  EXPECT_EQ(step_line(sample.state),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80; reactions 12, 0.25 s");
}

TEST(Progress, a_run_to_a_steady_state_says_how_far_it_is) {
  Sample sample;
  sample.state.rate_of_change = 1.23e-4;
  EXPECT_EQ(step_line(sample.state).substr(0, 65),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80, max |d/dt| 1.2e-04; u 3");
  EXPECT_EQ(progress_line(sample.state).substr(0, 76),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80, max |d/dt| 1.2e-04, iterations u 3");
}

TEST(Progress, a_verbose_console_has_a_line_a_step) {
  const test::TemporaryDirectory directory;
  {
    Console console(-1, directory / "log.txt", false, Verbosity::verbose);
    Progress progress(console);
    for (int step = 0; step < 3; ++step) progress.update(Sample().state, false);
  }
  EXPECT_EQ(test::lines_of(directory / "log.txt"),
            (std::vector<std::string>(3, step_line(Sample().state))));
}

TEST(Progress, a_wide_terminal_has_a_bar_and_everything_else) {
  EXPECT_EQ(progress_bar(Sample().state, 100),
            "[#######-------------]  38% 1:05 left step 120 t 1.5 dt 0.013 CFL 0.80 u 3 p 41 "
            "12.3 Mcells/s");
}

TEST(Progress, a_narrow_terminal_loses_the_bar_and_then_what_stands_last) {
  EXPECT_EQ(progress_bar(Sample().state, 70),
            " 38% 1:05 left step 120 t 1.5 dt 0.013 CFL 0.80 u 3 p 41 12.3 Mcells/s");
  EXPECT_EQ(progress_bar(Sample().state, 60),
            " 38% 1:05 left step 120 t 1.5 dt 0.013 CFL 0.80 u 3 p 41");
  EXPECT_EQ(progress_bar(Sample().state, 20), " 38% 1:05 left");
  for (int columns = 4; columns < 200; ++columns) {
    EXPECT_LE(progress_bar(Sample().state, columns).size(), static_cast<std::size_t>(columns));
  }
}

TEST(Progress, a_bar_is_empty_at_the_start_and_full_at_the_end) {
  Sample sample;
  sample.state.fraction = 0;
  EXPECT_EQ(progress_bar(sample.state, 200).substr(0, 27), "[--------------------]   0%");
  sample.state.fraction = 1;
  EXPECT_EQ(progress_bar(sample.state, 200).substr(0, 27), "[####################] 100%");
}

TEST(Progress, time_left_follows_from_what_is_done) {
  Sample sample;
  EXPECT_DOUBLE_EQ(*time_left(sample.state), 65);
  sample.state.fraction = 1;
  EXPECT_DOUBLE_EQ(*time_left(sample.state), 0);
  sample.state.fraction = 0;
  EXPECT_FALSE(time_left(sample.state));
}

TEST(Progress, a_step_without_a_linear_system_has_no_iterations) {
  Sample sample;
  sample.state.solves = {};
  EXPECT_EQ(progress_line(sample.state),
            "step 120, t = 1.5, dt = 0.0125, CFL 0.80, 12.3 million cell-steps/s, 1 min 05 s left");
}

TEST(Progress, plain_lines_come_at_frames_and_not_at_every_step) {
  const test::TemporaryDirectory directory;
  const FileDescriptor output(directory / "out.txt", O_WRONLY | O_CREAT);
  Console console(output.number(), directory / "log.txt");
  Progress progress(console);
  for (int step = 0; step < 100; ++step) progress.update(Sample().state, step % 25 == 0);
  EXPECT_EQ(test::lines_of(directory / "out.txt").size(), 4U);
  EXPECT_EQ(test::lines_of(directory / "log.txt").size(), 4U);
}

}  // namespace
}  // namespace hodge::sim
