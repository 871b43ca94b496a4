#include "sim/app/output/probe_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/fake_run.hpp"

namespace hodge::sim {
namespace {

using test::FakeFlow;
using test::FakeRun;
using test::lines_of;
using testing::ElementsAre;
using testing::HasSubstr;

// A run of 20 steps of 0.05 with a point at x = 0.5 and a line of three points.
struct ProbedRun : FakeRun {
  ProbedRun() {
    settings.probes.fields = {"pressure", "velocity"};
    settings.probes.points = {{"a", {0.5, 0.25, 0}}};
    settings.probes.lines = {{"l", {0, 0, 0}, {0.75, 1, 0}, 3}};
  }
};

TEST(ProbeFiles, a_point_has_a_row_a_step_and_a_column_a_component) {
  ProbedRun fake;
  FakeFlow flow;
  fake.run(flow);
  const auto rows = lines_of(fake.file("probes.csv"));
  ASSERT_EQ(rows.size(), 22U);
  EXPECT_EQ(rows[0], "step,t,a_pressure,a_u,a_v");
  EXPECT_EQ(rows[1], "0,0,0.5,100.5,200.5");
  EXPECT_EQ(rows[6], "5,0.25,0.75,100.75,200.75");
}

TEST(ProbeFiles, a_line_has_its_points_with_their_distance_at_every_time) {
  ProbedRun fake;
  fake.settings.probes.every = 0.5;
  FakeFlow flow;
  fake.run(flow);
  EXPECT_THAT(
      lines_of(fake.file("lines/l.csv")),
      ElementsAre("t,s,x,y,z,pressure,u,v", "0,0,0,0,0,0,100,200",
                  "0,0.625,0.375,0.5,0,0.375,100.375,200.375", "0,1.25,0.75,1,0,0.75,100.75,200.75",
                  "0.5,0,0,0,0,0.5,100.5,200.5", "0.5,0.625,0.375,0.5,0,0.875,100.875,200.875",
                  "0.5,1.25,0.75,1,0,1.25,101.25,201.25", "1,0,0,0,0,1,101,201",
                  "1,0.625,0.375,0.5,0,1.375,101.375,201.375",
                  "1,1.25,0.75,1,0,1.75,101.75,201.75"));
}

TEST(ProbeFiles, between_rows_nothing_is_sampled) {
  ProbedRun fake;
  fake.settings.probes.every = 0.5;
  FakeFlow flow;
  fake.run(flow);
  EXPECT_EQ(flow.samples, 3);
}

TEST(ProbeFiles, an_interval_that_is_no_multiple_of_the_step_takes_the_next_step) {
  ProbedRun fake;
  fake.settings.probes.every = 0.12;
  fake.settings.output.frame_every.reset();
  fake.settings.probes.lines.clear();
  FakeFlow flow;
  fake.run(flow);
  std::vector<std::string> steps;
  for (const std::string& row : lines_of(fake.file("probes.csv")))
    steps.push_back(row.substr(0, row.find(',')));
  EXPECT_THAT(steps, ElementsAre("step", "0", "3", "5", "8", "10", "12", "15", "17", "20"));
}

// At t = 0.35, which is between 0.3 and 0.6: by steps, by a steady state, by a signal.
TEST(ProbeFiles, the_last_fields_of_a_run_have_their_rows_however_it_ends) {
  for (const RunEnd end : {RunEnd::max_steps, RunEnd::steady, RunEnd::interrupted}) {
    ProbedRun fake;
    fake.settings.probes.every = 0.3;
    if (end == RunEnd::max_steps) fake.settings.time.max_steps = 7;
    fake.settings.time.steady_tolerance = 1e-6;
    FakeFlow flow(
        {.steady_from_step = end == RunEnd::steady ? 7 : 1000, .during_step = [end](long step) {
           if (end == RunEnd::interrupted && step == 7) ::raise(SIGTERM);
         }});
    EXPECT_EQ(fake.run(flow).end, end);
    const auto rows = lines_of(fake.file("probes.csv"));
    ASSERT_EQ(rows.size(), 4U);  // a header, steps 0, 6 and 7
    EXPECT_THAT(rows[3], testing::StartsWith("7,0.35"));
    EXPECT_EQ(lines_of(fake.file("lines/l.csv")).size(), 10U);
  }
}

TEST(ProbeFiles, the_last_fields_before_a_solve_that_fails_have_their_rows) {
  ProbedRun fake;
  fake.settings.probes.every = 0.3;
  FakeFlow flow({.solve_fails_at_step = 8});
  EXPECT_THROW(fake.run(flow), NumericalError);
  EXPECT_THAT(lines_of(fake.file("probes.csv")).back(), testing::StartsWith("7,0.35"));
}

TEST(ProbeFiles, the_last_fields_have_their_rows_once) {
  ProbedRun fake;
  fake.settings.probes.every = 0.5;
  fake.settings.probes.average_from = 0;
  FakeFlow flow;
  fake.run(flow);
  EXPECT_EQ(lines_of(fake.file("probes.csv")).size(), 4U);
  EXPECT_EQ(flow.samples, 21);  // of averages: the end is no further one
}

TEST(ProbeFiles, averages_are_over_the_time_since_their_start) {
  ProbedRun fake;
  fake.settings.probes.every = 0.5;
  fake.settings.probes.average_from = 0.5;
  FakeFlow flow;
  fake.run(flow);
  const auto rows = lines_of(fake.file("averages.csv"));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0], "name,s,x,y,z,from,to,pressure_mean,pressure_rms,u_mean,u_rms,v_mean,v_rms");
  EXPECT_THAT(rows[1], testing::StartsWith("a,0,0.5,0.25,0,0.5,1,1.2"));
  double mean = 0, rms = 0;
  ASSERT_EQ(std::sscanf(rows[4].c_str(), "l,1.25,0.75,1,0,0.5,1,%lf,%lf", &mean, &rms), 2);
  EXPECT_NEAR(mean, 0.75 + 0.75, 1e-12);
  EXPECT_NEAR(rms, std::sqrt((0.125 + 0.05 * 0.05) / 6), 1e-12);
}

// Everything follows from the time, so that covariances are variances; they end at t = 0.75.
TEST(ProbeFiles, averages_have_covariances_and_an_end_where_asked_for) {
  ProbedRun fake;
  fake.settings.probes.average_from = 0.5;
  fake.settings.probes.average_to = 0.75;
  fake.settings.probes.covariances = true;
  FakeFlow flow;
  fake.run(flow);
  const auto rows = lines_of(fake.file("averages.csv"));
  EXPECT_THAT(rows[0], testing::EndsWith(
                           ",v_rms,u_pressure_covariance,u_v_covariance,v_pressure_covariance"));
  EXPECT_THAT(rows[1], testing::StartsWith("a,0,0.5,0.25,0,0.5,0.75,"));
  std::vector<double> values;
  for (std::size_t at = 0; at < rows[4].size(); at = rows[4].find(',', at) + 1) {
    values.push_back(std::atof(rows[4].c_str() + at));
    if (rows[4].find(',', at) == std::string::npos) break;
  }
  ASSERT_EQ(values.size(), 16U);
  const double variance = values[8] * values[8];
  EXPECT_NEAR(variance, (0.0625 + 0.05 * 0.05 * 2) / 12, 1e-12);  // of the trapezoidal rule
  for (int k = 13; k < 16; ++k) EXPECT_NEAR(values[k], variance, 1e-12);
}

TEST(ProbeFiles, averages_are_there_at_every_frame_once_there_are_any) {
  ProbedRun fake;
  fake.settings.probes.average_from = 0.3;
  FakeFlow flow({.during_step = [&](long step) {
    const auto averages = fake.file("averages.csv");
    if (step == 6) {
      EXPECT_FALSE(std::filesystem::exists(averages));
    }
    if (step == 11) {
      EXPECT_THAT(lines_of(averages)[1], HasSubstr(",0.5,"));
    }
  }});
  fake.run(flow);
  EXPECT_TRUE(std::filesystem::exists(fake.file("averages.csv")));
}

TEST(ProbeFiles, a_full_disk_is_an_error_and_its_rows_come_once_there_is_room) {
  ProbedRun fake;
  FakeFlow flow;
  const auto points = sampled_points(fake.settings.probes);
  ProbeFiles files(fake.folder.path(), fake.settings.probes,
                   flow.make_sampler(points, fake.settings.probes.fields));
  files.record(0, 0);
  const auto whole = std::filesystem::file_size(fake.folder / "lines/l.csv");
  {
    const test::FileSizeLimit limit(whole + 10);
    EXPECT_EQ(test::message_of<IoError>([&] { files.record(1, 0.1); }),
              "cannot write " + (fake.folder / "lines/l.csv").string() + ": File too large");
  }
  EXPECT_EQ(std::filesystem::file_size(fake.folder / "lines/l.csv"), whole);
  files.record(2, 0.2);
  EXPECT_EQ(lines_of(fake.folder / "lines/l.csv").size(), 10U);
  EXPECT_EQ(lines_of(fake.folder / "probes.csv").size(), 4U);
}

TEST(ProbeFiles, averages_that_cannot_be_written_leave_the_ones_before) {
  ProbedRun fake;
  fake.settings.probes.average_from = 0;
  FakeFlow flow;
  ProbeFiles files(
      fake.folder.path(), fake.settings.probes,
      flow.make_sampler(sampled_points(fake.settings.probes), fake.settings.probes.fields));
  files.record(0, 0);
  files.record(1, 0.1);
  files.write_averages();
  const std::string before = test::read_text(fake.folder / "averages.csv");
  files.record(2, 0.2);
  {
    const test::FileSizeLimit limit(50);
    EXPECT_THROW(files.write_averages(), IoError);
  }
  EXPECT_EQ(test::read_text(fake.folder / "averages.csv"), before);
  files.write_averages();
  EXPECT_NE(test::read_text(fake.folder / "averages.csv"), before);
}

TEST(ProbeFiles, an_overwritten_run_leaves_no_probes_behind) {
  ProbedRun fake;
  fake.settings.probes.average_from = 0;
  FakeFlow first, second;
  fake.run(first);
  fake.overwrite = true;
  fake.settings.probes = {};
  fake.run(second);
  for (const char* name : {"probes.csv", "averages.csv", "lines/l.csv"})
    EXPECT_FALSE(std::filesystem::exists(fake.file(name))) << name;
}

}  // namespace
}  // namespace hodge::sim
