// Restarts that ask for another end, or for other output, with a flow that has no physics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/verify/verify.hpp"
#include "sim/base/key_error.hpp"
#include "tests/support/changed_checkpoint.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/fake_run.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::FakeFlow;
using test::FakeRun;
using test::lines_of;
using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// 20 steps of 0.05 with a row of the point a every 0.1.
struct ProbedRuns : FakeRun {
  ProbedRuns() {
    settings.probes.fields = {"velocity"};
    settings.probes.every = 0.1;
    settings.probes.points = {{"a", {0.5, 0.5, 0}}};
    settings.probes.lines = {{"l", {0, 0, 0}, {1, 0, 0}, 2}};
  }
  RunResult run_to(double end) {
    settings.time.end = end;
    FakeFlow flow;
    return run(flow);
  }
  RunResult go_on_to(double end, const std::string& from = "latest") {
    settings.time.end = end;
    FakeFlow flow;
    return sim::run(flow, settings, problem, {.version = "test", .restart = from, .console = -1});
  }
  std::string log() const { return test::read_text(file("log.txt")); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(file("")))
      names.push_back(entry.path().lexically_relative(file("")).generic_string());
    return names;
  }
  void add_point() { settings.probes.points.push_back({"b", {0.25, 0, 0}}); }
  void expect_whole() const {
    for (const VerifiedFiles& kind : verify_run(file("")).kinds)
      EXPECT_THAT(kind.broken, testing::IsEmpty()) << kind.kind;
  }
};

TEST(RestartWithAnotherEnd, a_longer_run_is_the_straight_one) {
  for (const auto& [every, end] : std::map<double, double>{
           {0.1, 0.3}, {0.05, 0.35}, {0.2, 0.6}, {0.3, 0.9}, {0.15, 0.45}, {1.0 / 3, 1}}) {
    ProbedRuns straight, runs;
    for (ProbedRuns* each : {&straight, &runs}) {
      each->settings.output.frame_every = every;
      each->settings.time.step.size = every / 2;
    }
    straight.run_to(2 * end);
    runs.run_to(end);
    runs.go_on_to(2 * end);
    test::expect_same_runs(straight.file(""), runs.file(""), "fake");
  }
}

// As earlier versions have written it: the time of a frame is a product, 0.30000000000000004.
TEST(RestartWithAnotherEnd, from_a_time_beside_a_stop_makes_no_step_for_rounding) {
  ProbedRuns runs;
  runs.settings.output.frame_every = 0.1;
  runs.run_to(0.3);
  const fs::path path = CheckpointFolder(runs.file("")).newest();
  test::ChangedCheckpoint changed(path);
  changed.set("time", 3 * 0.1);
  changed.set("state/time", 3 * 0.1);
  changed.remove("state/run/time_lost");
  changed.remove("state/run/probe_part");
  changed.save(path);
  const RunResult result = runs.go_on_to(0.6);
  EXPECT_EQ(result.steps, 12);
  EXPECT_EQ(runs.frame_times(), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
}

TEST(RestartWithAnotherEnd, many_steps_gather_no_round_off) {
  ProbedRuns runs;
  runs.settings.output.frame_every.reset();
  runs.settings.time.step.size = 0.01;
  runs.settings.probes.lines.clear();
  runs.settings.probes.every = 1;
  const RunResult result = runs.run_to(200);
  EXPECT_EQ(result.steps, 20000);
  const auto rows = lines_of(runs.file("probes.csv"));
  ASSERT_EQ(rows.size(), 202U);
  for (int n = 0; n <= 200; ++n)
    EXPECT_NEAR(std::stod(rows[static_cast<std::size_t>(n) + 1].substr(
                    rows[static_cast<std::size_t>(n) + 1].find(',') + 1)),
                n, 1e-12);
}

TEST(RestartWithAnotherEnd, an_earlier_end_is_refused_before_anything_is_touched) {
  ProbedRuns runs;
  runs.run_to(1);
  const auto before = runs.files();
  const std::string log = runs.log();
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(0.5); }),
              AllOf(HasSubstr("time.end is 0.5, and the checkpoint "),
                    HasSubstr("fake_00000020.h5 is at t = 1 already, expected a later one")));
  runs.settings.time.max_steps = 19;
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(2); }),
              AllOf(HasSubstr("time.steps is 19"), HasSubstr("is at step 20 already")));
  EXPECT_EQ(runs.files(), before);
  EXPECT_EQ(runs.log(), log);
}

TEST(RestartWithAnotherEnd, says_where_nothing_is_left_to_do) {
  ProbedRuns straight, runs;
  straight.run_to(1);
  runs.run_to(1);
  const RunResult result = runs.go_on_to(1);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_THAT(runs.log(),
              HasSubstr("nothing left to do: the run has reached t = 1, and time.end is 1"));
  EXPECT_THAT(test::read_text(runs.file("summary.json")), HasSubstr("nothing left to do"));
  test::expect_same_runs(straight.file(""), runs.file(""), "fake");
  runs.settings.time.max_steps = 20;
  runs.go_on_to(2);
  EXPECT_THAT(runs.log(),
              HasSubstr("nothing left to do: the run has taken 20 steps, and time.steps is 20"));
  runs.settings.time.max_steps = 21;
  runs.go_on_to(2);
  EXPECT_THAT(runs.log(), HasSubstr("\nstopped after 21 steps"));
}

TEST(RestartWithOtherProbes, begins_new_files_and_goes_on_with_them) {
  ProbedRuns runs;
  runs.run_to(0.5);
  const std::string first = test::read_text(runs.file("probes.csv"));
  runs.add_point();
  runs.go_on_to(0.7);
  EXPECT_EQ(test::read_text(runs.file("probes.csv")), first);
  EXPECT_THAT(lines_of(runs.file("probes.2.csv")),
              ElementsAre("step,t,a_u,a_v,b_u,b_v", StartsWith("12,0.6"), StartsWith("14,0.7")));
  EXPECT_THAT(lines_of(runs.file("lines/l.2.csv")).size(), 5);
  runs.go_on_to(0.9);
  EXPECT_EQ(lines_of(runs.file("probes.2.csv")).size(), 5U);
  EXPECT_FALSE(fs::exists(runs.file("probes.3.csv")));
  runs.settings.probes.fields = {"pressure"};
  runs.go_on_to(1);
  EXPECT_EQ(lines_of(runs.file("probes.3.csv"))[0], "step,t,a_pressure,b_pressure");
  runs.expect_whole();
}

TEST(RestartWithOtherProbes, may_begin_with_the_first_and_end_with_none) {
  ProbedRuns runs;
  const ProbeSettings probes = runs.settings.probes;
  runs.settings.probes = {};
  runs.run_to(0.5);
  runs.settings.probes = probes;
  runs.go_on_to(0.7);
  EXPECT_EQ(lines_of(runs.file("probes.csv")).size(), 3U);
  runs.settings.probes = {};
  runs.go_on_to(0.8);
  EXPECT_EQ(lines_of(runs.file("probes.csv")).size(), 3U);
  runs.settings.probes = probes;
  runs.go_on_to(1);
  EXPECT_EQ(lines_of(runs.file("probes.csv")).size(), 3U);
  EXPECT_EQ(lines_of(runs.file("probes.2.csv")).size(), 3U);
  runs.expect_whole();
}

TEST(RestartWithOtherProbes, from_an_older_checkpoint_drops_what_came_after_it) {
  ProbedRuns runs;
  runs.settings.output.checkpoint.keep = 10;
  runs.run_to(0.5);
  const std::string older = CheckpointFolder(runs.file("")).newest().string();
  const std::string first = test::read_text(runs.file("probes.csv"));
  runs.go_on_to(0.7);
  runs.settings.probes.lines[0].name = "other";
  runs.add_point();
  runs.go_on_to(1);
  EXPECT_TRUE(fs::exists(runs.file("lines/other.2.csv")));
  runs.settings.probes.lines.clear();
  runs.go_on_to(0.8, older);
  EXPECT_EQ(test::read_text(runs.file("probes.csv")), first);
  EXPECT_EQ(lines_of(runs.file("probes.2.csv")).size(), 4U);
  EXPECT_FALSE(fs::exists(runs.file("lines/other.2.csv")));
  runs.settings.probes.points.pop_back();
  runs.settings.probes.lines = {{"l", {0, 0, 0}, {1, 0, 0}, 2}};
  runs.expect_whole();
}

TEST(RestartWithOtherProbes, takes_rows_at_another_interval_in_the_same_file) {
  ProbedRuns runs;
  runs.run_to(0.5);
  runs.settings.probes.every = 0.25;
  runs.go_on_to(1);
  EXPECT_THAT(lines_of(runs.file("probes.csv")),
              ElementsAre("step,t,a_u,a_v", StartsWith("0,0"), StartsWith("2,0.1"),
                          StartsWith("4,0.2"), StartsWith("6,0.3"), StartsWith("8,0.4"),
                          StartsWith("10,0.5"), StartsWith("15,0.75"), StartsWith("20,1,")));
}

TEST(RestartWithOtherProbes, results_go_on_with_the_points_that_stay) {
  ProbedRuns straight, runs;
  straight.run_to(1);
  runs.run_to(0.7);
  runs.add_point();
  const auto quantity = [](const RunResult& result, const std::string& name) {
    for (const QuantityResult& of : result.results.quantities)
      if (of.name == name) return of;
    return QuantityResult{};
  };
  const RunResult result = runs.go_on_to(1);
  EXPECT_NEAR(*quantity(result, "a_u").mean, 1.25, 1e-12);  // t + 0.5 over 0.5 to 1
  EXPECT_NEAR(*quantity(result, "b_u").mean, 1.15, 1e-12);  // t + 0.25 over 0.8 to 1
}

TEST(RestartWithOtherProbes, a_point_does_not_move_under_its_name) {
  ProbedRuns runs;
  runs.run_to(0.5);
  runs.settings.probes.points[0].at[0] = 0.75;
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(1); }),
              AllOf(HasSubstr("probes.points.a is "), HasSubstr("expected another name")));
}

TEST(RestartWithOtherProbes, averages_begin_at_or_after_the_checkpoint) {
  ProbedRuns runs;
  runs.settings.probes.average_from = 0.2;
  runs.run_to(0.5);
  const std::string first = test::read_text(runs.file("averages.csv"));
  runs.add_point();
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(1); }),
              AllOf(HasSubstr("probes.averages asks for averages from t = 0.2 on"),
                    HasSubstr("at t = 0.5 does not have them")));
  runs.settings.probes.average_from = 0.5;
  runs.go_on_to(1);
  EXPECT_EQ(test::read_text(runs.file("averages.csv")), first);
  EXPECT_THAT(lines_of(runs.file("averages.2.csv"))[1], StartsWith("a,0,0.5,0.5,0,0.5,1,1.2"));
  runs.settings.probes.average_to = 0.9;
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(2); }), HasSubstr("probes.averages"));
  runs.settings.probes.average_to = 1.5;
  runs.go_on_to(2);
  EXPECT_THAT(lines_of(runs.file("averages.2.csv"))[1], StartsWith("a,0,0.5,0.5,0,0.5,1.5,1."));
  runs.expect_whole();
}

TEST(RestartWithOtherProbes, averages_that_end_keep_their_file) {
  ProbedRuns runs;
  runs.settings.probes.average_from = 0.2;
  runs.run_to(0.5);
  const std::string first = test::read_text(runs.file("averages.csv"));
  runs.settings.probes.average_from.reset();
  runs.go_on_to(0.7);
  EXPECT_EQ(lines_of(runs.file("probes.2.csv")).size(), 3U);
  runs.settings.probes.average_from = 0.8;
  runs.go_on_to(1);
  EXPECT_EQ(test::read_text(runs.file("averages.csv")), first);
  EXPECT_EQ(lines_of(runs.file("probes.2.csv")).size(), 6U);
  const std::string second = test::read_text(runs.file("averages.2.csv"));
  EXPECT_THAT(second, HasSubstr("\na,0,0.5,0.5,0,0.8,1,"));
  runs.settings.probes.average_from = 1.2;  // another window
  runs.go_on_to(1.4);
  EXPECT_EQ(test::read_text(runs.file("averages.2.csv")), second);
  EXPECT_THAT(lines_of(runs.file("averages.3.csv"))[1], StartsWith("a,0,0.5,0.5,0,1.2,1.4,"));
  runs.expect_whole();
}

// Before the first average there is nothing to keep.
TEST(RestartWithOtherProbes, averages_that_have_not_begun_may_move) {
  ProbedRuns runs;
  runs.settings.probes.average_from = 0.6;
  runs.run_to(0.5);
  runs.settings.probes.average_from = 0.7;
  runs.go_on_to(1);
  EXPECT_THAT(lines_of(runs.file("averages.csv"))[1], StartsWith("a,0,0.5,0.5,0,0.7,1,"));
  EXPECT_FALSE(fs::exists(runs.file("probes.2.csv")));
}

TEST(RestartWithOtherFields, statistics_begin_at_or_after_the_checkpoint) {
  ProbedRuns runs;
  runs.run_to(0.5);
  runs.settings.output.fields = {"velocity", "mean_velocity"};
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(1); }),
              HasSubstr("output.fields asks for averages from t = 0 on"));
  runs.settings.output.statistics = StatisticsSettings{.start = 0.4, .end = {}, .profile = {}};
  EXPECT_THAT(message_of<KeyError>([&] { runs.go_on_to(1); }),
              HasSubstr("output.statistics asks for averages from t = 0.4 on"));
  runs.settings.output.statistics->start = 0.5;
  EXPECT_EQ(runs.go_on_to(1).time, 1);
}

}  // namespace
}  // namespace hodge::sim
