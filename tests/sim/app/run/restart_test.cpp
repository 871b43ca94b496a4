// Checkpoints and restarts of the run loop, with a flow that has no physics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include "linalg/base/errors.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/fake_run.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using test::FakeFlow;
using test::FakeRun;
using test::message_of;
using testing::HasSubstr;

// With everything that a run writes.
struct Runs : FakeRun {
  Runs() {
    problem.solids = {{"ball", SphereShape{{0.5, 0.5}, 0.3}}};
    settings.probes.fields = {"velocity"};
    settings.probes.every = 0.1;
    settings.probes.points = {{"middle", {0.5, 0.5, 0}}};
    settings.probes.lines = {{"across", {0, 0, 0}, {1, 0, 0}, 3}};
    settings.probes.average_from = 0.2;
  }
  RunResult go_on(FakeFlow& flow, const std::string& from = "latest") {
    return sim::run(flow, settings, problem, {.version = "test", .restart = from, .console = -1});
  }
  std::vector<fs::path> checkpoints() const { return CheckpointFolder(file("")).newest_first(); }
};

void expect_same(const Runs& a, const Runs& b) {
  test::expect_same_runs(a.file(""), b.file(""), "fake");
}

struct StraightRun : Runs {
  StraightRun() {
    FakeFlow flow;
    run(flow);
  }
};

TEST(RunRestart, goes_on_as_if_nothing_had_happened) {
  const StraightRun straight;
  for (const long stop : {1L, 5L, 7L, 19L, 20L}) {
    Runs runs;
    runs.settings.time.max_steps = stop;
    FakeFlow first, second;
    runs.run(first);
    runs.settings.time.max_steps.reset();
    const RunResult result = runs.go_on(second);
    EXPECT_EQ(result.steps, 20);
    EXPECT_EQ(second.times.size(), static_cast<std::size_t>(20 - stop));
    expect_same(straight, runs);
  }
}

// The last rows of probes are no multiples of their interval, neither where the run stops nor at
// its end.
TEST(RunRestart, drops_the_last_rows_of_probes_that_only_the_end_of_a_run_asked_for) {
  Runs straight;
  straight.settings.probes.every = 0.3;
  FakeFlow flow;
  straight.run(flow);
  const auto rows = test::lines_of(straight.file("probes.csv"));
  EXPECT_EQ(rows.size(), 6U);  // 0, 0.3, 0.6, 0.9, 1
  EXPECT_THAT(rows.back(), testing::StartsWith("20,1,"));
  for (const long stop : {5L, 6L, 7L, 20L}) {
    Runs runs;
    runs.settings.probes.every = 0.3;
    runs.settings.time.max_steps = stop;
    FakeFlow first, second, third;
    runs.run(first);
    EXPECT_THAT(test::lines_of(runs.file("probes.csv")).back(),
                testing::StartsWith(std::to_string(stop) + ","));
    runs.settings.time.max_steps.reset();
    runs.go_on(second);
    expect_same(straight, runs);
    runs.go_on(third);  // at its end already
    expect_same(straight, runs);
  }
}

TEST(RunRestart, in_another_directory_the_probes_have_the_last_fields_too) {
  Runs runs;
  runs.settings.probes.every = 0.3;
  runs.settings.time.max_steps = 6;
  FakeFlow first, second;
  runs.run(first);
  const std::string from = runs.checkpoints()[0].string();
  runs.settings.output.directory = (runs.folder / "new").string();
  runs.go_on(second, from);
  EXPECT_THAT(test::lines_of(runs.folder / "new/probes.csv").back(), testing::StartsWith("6,0.3"));
}

TEST(RunRestart, a_run_that_is_at_its_end_stays_as_it_is) {
  const StraightRun straight;
  Runs runs;
  FakeFlow flow, again;
  runs.run(flow);
  runs.go_on(again);
  expect_same(straight, runs);
  runs.settings.time.max_steps = 20;  // its last frame is no stop of the schedule
  runs.settings.time.end = 3;
  FakeFlow third;
  runs.go_on(third);
  EXPECT_EQ(runs.frame_times().back(), 1);
}

TEST(RunRestart, checkpoints_come_by_time_and_the_newest_stay) {
  Runs runs;
  runs.settings.output.checkpoint.every = 0.15;
  runs.settings.output.checkpoint.keep = 3;
  FakeFlow flow;
  runs.run(flow);
  std::vector<std::string> names;
  for (const fs::path& path : runs.checkpoints()) names.push_back(path.filename());
  EXPECT_EQ(names,
            (std::vector<std::string>{"fake_00000020.h5", "fake_00000018.h5", "fake_00000015.h5"}));
}

TEST(RunRestart, checkpoints_come_by_wall_clock) {
  Runs runs;
  runs.settings.output.checkpoint.wall_every = 1e-9;
  runs.settings.output.checkpoint.keep = 100;
  FakeFlow flow;
  runs.run(flow);
  EXPECT_EQ(runs.checkpoints().size(), 20U);
}

TEST(RunRestart, without_checkpoints_there_are_none) {
  Runs runs;
  runs.settings.output.checkpoint.enabled = false;
  FakeFlow flow, second;
  runs.run(flow);
  EXPECT_FALSE(fs::exists(runs.file("checkpoints")));
  EXPECT_THAT(message_of<ConfigError>([&] { runs.go_on(second); }),
              HasSubstr("there is no checkpoint in"));
}

TEST(RunRestart, from_an_older_checkpoint_another_future_begins) {
  const StraightRun straight;
  Runs runs;
  runs.settings.output.checkpoint.every = 0.25;
  runs.settings.output.checkpoint.keep = 10;
  FakeFlow first, second;
  runs.run(first);
  ASSERT_EQ(runs.checkpoints().size(), 4U);
  runs.settings.time.max_steps = 8;
  runs.go_on(second, runs.checkpoints()[3].string());
  EXPECT_EQ(runs.checkpoints()[0].filename(), "fake_00000008.h5");
  EXPECT_FALSE(fs::exists(runs.file("checkpoints/fake_00000020.h5.superseded")));
  EXPECT_EQ(test::lines_of(runs.file("history.csv")).size(), 10U);
  runs.settings.time.max_steps.reset();
  FakeFlow third;
  runs.go_on(third);
  expect_same(straight, runs);
}

TEST(RunRestart, in_another_directory_the_old_one_stays_as_it_is) {
  Runs runs;
  runs.settings.time.max_steps = 7;
  FakeFlow first, second;
  runs.run(first);
  const std::string history = test::read_text(runs.file("history.csv"));
  const std::string from = runs.checkpoints()[0].string();
  runs.settings.time.max_steps.reset();
  runs.settings.output.directory = (runs.folder / "new").string();
  runs.go_on(second, from);
  EXPECT_EQ(test::read_text(runs.file("history.csv")), history);
  EXPECT_EQ(test::lines_of(runs.folder / "new/history.csv").size(), 14U);
  EXPECT_EQ(test::read_collection(runs.folder / "new/fake.pvd").size(), 3U);
}

// The name of the YAML file may be another one by then.
TEST(RunRestart, in_its_directory_a_run_keeps_the_name_that_it_began_with) {
  const StraightRun straight;
  for (const char* name : {"", "first"}) {  // "": as versions that named files after the case
    Runs runs;
    runs.settings.time.max_steps = 7;
    runs.settings.output.name = name;
    FakeFlow first, second, third;
    runs.run(first);
    runs.settings.output.name = "second";
    runs.settings.time.max_steps = 12;
    runs.go_on(second);
    runs.settings.output.name = "third";
    runs.settings.time.max_steps.reset();
    const RunResult result = runs.go_on(third);
    const std::string kept = *name == '\0' ? "fake" : name;
    EXPECT_EQ(result.open, runs.file(kept + ".pvd"));
    EXPECT_EQ(test::read_collection(result.open).size(), 5U);
    for (const auto& entry : fs::recursive_directory_iterator(runs.file(""))) {
      const std::string file = entry.path().filename().string();
      EXPECT_FALSE(file.starts_with("second") || file.starts_with("third")) << file;
    }
    for (const fs::path& checkpoint : runs.checkpoints())
      EXPECT_TRUE(checkpoint.filename().string().starts_with(kept + "_")) << checkpoint;
    EXPECT_THAT(test::read_text(runs.file("config.yaml")), HasSubstr("name: \"" + kept + "\""));
    EXPECT_THAT(test::read_text(runs.file("log.txt")),
                HasSubstr("\nname      " + kept + ", as at the start of the run\n"));
    if (kept == "fake") expect_same(straight, runs);
  }
}

TEST(RunRestart, in_another_directory_takes_the_new_name) {
  Runs runs;
  runs.settings.time.max_steps = 7;
  FakeFlow first, second;
  runs.run(first);
  runs.settings.time.max_steps.reset();
  runs.settings.output.directory = (runs.folder / "new").string();
  runs.settings.output.name = "second";
  EXPECT_EQ(runs.go_on(second, runs.checkpoints()[0].string()).open,
            runs.folder / "new/second.pvd");
}

TEST(RunRestart, files_that_were_shortened_are_not_those_of_the_run) {
  Runs runs;
  runs.settings.time.max_steps = 7;
  FakeFlow first, second;
  runs.run(first);
  fs::resize_file(runs.file("history.csv"), 100);
  EXPECT_THAT(message_of<ConfigError>([&] { runs.go_on(second); }),
              HasSubstr("history.csv has 100 bytes and had "));
}

// history.csv is the longest file: nothing else meets the limit.
TEST(RunRestart, rows_that_did_not_fit_are_in_the_checkpoint) {
  Runs straight, runs;
  for (Runs* each : {&straight, &runs}) {
    each->settings.time.step.size = 0.002;
    each->settings.output.frame_every.reset();
  }
  FakeFlow whole;
  straight.run(whole);
  std::optional<test::FileSizeLimit> limit;
  FakeFlow flow({.during_step = [&](long step) {
    if (step == 400) limit.emplace(fs::file_size(runs.file("history.csv")) + 40);
  }});
  const std::string message = message_of<IoError>([&] { runs.run(flow); });
  limit.reset();
  EXPECT_THAT(message, HasSubstr("cannot write " + runs.file("history.csv").string()));
  EXPECT_THAT(message, HasSubstr("fake_00000400.h5 goes on from step 400, t = 0.8"));
  EXPECT_EQ(test::lines_of(runs.file("history.csv")).size(), 401U);
  FakeFlow second;
  runs.go_on(second);
  expect_same(straight, runs);
}

TEST(RunRestart, a_solve_that_fails_leaves_a_checkpoint_of_the_fields_before) {
  const StraightRun straight;
  Runs runs;
  FakeFlow fails({.solve_fails_at_step = 9}), second;
  EXPECT_THAT(message_of<NumericalError>([&] { runs.run(fails); }),
              HasSubstr("the last checkpoint is " +
                        runs.file("checkpoints/fake_00000008.h5").string() + " (step 8, t = 0.4)"));
  runs.go_on(second);
  expect_same(straight, runs);
}

TEST(RunRestart, the_log_goes_on) {
  Runs runs;
  runs.settings.time.max_steps = 7;
  FakeFlow first, second;
  runs.run(first);
  runs.settings.time.max_steps.reset();
  runs.go_on(second);
  const std::string log = test::read_text(runs.file("log.txt"));
  EXPECT_THAT(log, HasSubstr("stopped after 7 steps"));
  EXPECT_THAT(log, HasSubstr("fake_00000007.h5: step 7, t = 0.35, written by hodge test"));
  EXPECT_THAT(log, HasSubstr("reached t = 1\n13 steps in "));
}

// frames/ is away from step 4 on, so that the frame of step 5 cannot be written; at step `back` it
// is there again.
struct AwayFrames {
  void at_step(long step) const {
    if (step == 4) {
      runs.wait_for_frames(1);
      fs::rename(runs.file("frames"), runs.file("away"));
    }
    if (step != back) return;
    std::this_thread::sleep_for(until_it_failed);
    fs::rename(runs.file("away"), runs.file("frames"));
  }
  Runs& runs;
  long back;
  std::chrono::milliseconds until_it_failed{0};
};

// The run ends at the error. Its last checkpoint counted the frame that was never written.
TEST(RunRestart, has_the_frame_whose_first_write_failed) {
  const StraightRun straight;
  std::string error;
  for (std::chrono::milliseconds wait{20}; error.empty() && wait < std::chrono::minutes(1);
       wait *= 4) {  // on a busy machine
    Runs runs;
    const AwayFrames away{runs, 6, wait};
    FakeFlow first({.during_step = [&](long step) { away.at_step(step); }});
    try {
      runs.run(first);
      continue;  // the frame was late, and nothing failed
    } catch (const IoError& failed) {
      error = failed.what();
    }
    EXPECT_EQ(runs.frame_times(), (std::vector<double>{0, 0.25}));
    FakeFlow second;
    runs.go_on(second);
    expect_same(straight, runs);
  }
  EXPECT_THAT(error, testing::AllOf(HasSubstr("fake_000001.vti: No such file or directory"),
                                    HasSubstr("goes on from step ")));
}

TEST(RunRestart, begins_before_a_frame_that_could_not_be_written_at_all) {
  const StraightRun straight;
  Runs runs;
  runs.settings.output.checkpoint.every = 0.1;
  const AwayFrames away{runs, -1};
  FakeFlow first({.during_step = [&](long step) { away.at_step(step); }});
  EXPECT_THAT(message_of<IoError>([&] { runs.run(first); }), HasSubstr("goes on from step 4"));
  fs::rename(runs.file("away"), runs.file("frames"));
  FakeFlow second;
  runs.go_on(second);
  expect_same(straight, runs);
}

TEST(RunRestart, says_which_frames_are_not_there_any_more) {
  Runs runs;
  runs.settings.time.max_steps = 7;
  FakeFlow first, second;
  runs.run(first);
  fs::remove(runs.file("frames/fake_000001.vti"));
  runs.settings.time.max_steps.reset();
  runs.go_on(second);
  EXPECT_THAT(test::read_text(runs.file("log.txt")),
              HasSubstr("frames/fake_000001.vti is not there any more: fake.pvd goes on without"));
}

TEST(RunRestart, is_refused_while_a_run_writes_there) {
  Runs runs;
  std::string message;
  FakeFlow first({.during_step = [&](long step) {
    FakeFlow second;
    if (step == 10) message = message_of<ConfigError>([&] { runs.go_on(second); });
  }});
  runs.settings.output.checkpoint.every = 0.1;
  runs.run(first);
  EXPECT_THAT(message, HasSubstr("a run is writing in " + runs.file("").parent_path().string()));
}

}  // namespace
}  // namespace hodge::sim
