// Runs that are killed, stopped, or denied the disk, by the real program: nothing before the
// last checkpoint is lost, and what goes on is, bit for bit, the run that was left alone.
//
// HODGE_KILLS=50 in the environment sets how often a run is killed; 4 without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/support/failing_file_system.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using std::chrono::duration;
using testing::HasSubstr;

// Some seconds of work with many frames and checkpoints; a body, a scalar, probes, averages.
constexpr const char* long_run_file = R"yaml(
case: custom
grid: {cells: [32, 24], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.005}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.2*sin(9*t))", 0]}
  x_upper: outflow
solids: [{name: block, box: {lower: [0.8, 0.3], upper: [1, 0.7]}}]
scalars: {dye: {diffusivity: 0.005, boundaries: {x_lower: {value: y}}}}
time: {end: 0.9, step: {cfl: 0.5, max: 0.006}}
output:
  frames: {every: 0.05}
  fields: [velocity, pressure, dye, mean_velocity, reynolds_stress, rms_pressure, flux_dye]
  statistics: {start: 0.1, end: 0.8}
  regions: {wake: {lower: [1, 0], upper: [2, 1], every: 0.03}}
  checkpoint: {every: 0.04, keep: 2}
probes:
  points: {wake: [1.5, 0.5]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 5}}
  averages: {from: 0.1, covariances: true}
device: cpu
)yaml";

using Words = std::vector<std::string>;

struct LongRuns {
  LongRuns() { test::write_text(folder / "run.yaml", long_run_file); }

  static Words words(const std::string& output, const Words& more) {
    Words words{"run", "run.yaml", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  test::ProgramResult hodge(const std::string& output, const Words& more = {}) const {
    return test::run_hodge(words(output, more), folder.path());
  }
  bool has_checkpoint(const std::string& output) const {
    const fs::path checkpoints = folder / output / "checkpoints";
    if (!fs::exists(checkpoints)) return false;
    for (const auto& entry : fs::directory_iterator(checkpoints))
      if (entry.path().extension() == ".h5" && !entry.path().filename().string().starts_with("."))
        return true;
    return false;
  }
  void expect_frames_open(const std::string& output) const {
    const fs::path collection = folder / output / "run.pvd";
    if (!fs::exists(collection)) return;
    for (const auto& [time, file] : test::read_collection(collection))
      EXPECT_EQ(test::time_value(test::read_image(folder / output / file)), time) << file;
  }

  test::TemporaryDirectory folder;
};

int kills_wanted() {
  const char* text = std::getenv("HODGE_KILLS");
  return text == nullptr ? 4 : std::atoi(text);
}

TEST(Kills, lose_nothing_before_the_last_checkpoint) {
  const LongRuns runs;
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(runs.hodge("straight").exit_code, 0);
  const duration<double> whole = std::chrono::steady_clock::now() - start;
  std::mt19937 random(std::random_device{}());
  std::uniform_real_distribution<double> moment(0.0, 0.7 * whole.count());
  int kills = 0, restarts = 0, finished = 0;
  for (bool fresh = true; kills < kills_wanted();) {
    const Words more = fresh ? Words{"--overwrite"} : Words{"--restart", "latest"};
    test::RunningHodge run(LongRuns::words("killed", more), runs.folder.path());
    std::this_thread::sleep_for(duration<double>(moment(random)));
    run.send(SIGKILL);
    const test::ProgramResult result = run.wait();
    ASSERT_TRUE(result.exit_code == 128 + SIGKILL || result.exit_code == 0) << result.err;
    kills += result.exit_code == 0 ? 0 : 1;
    restarts += fresh ? 0 : 1;
    runs.expect_frames_open("killed");
    if (result.exit_code == 0) {
      ++finished;
      test::expect_same_runs(runs.folder / "straight", runs.folder / "killed", "run");
      if (testing::Test::HasFailure()) return;
    }
    fresh = result.exit_code == 0 || !runs.has_checkpoint("killed");
  }
  const Words last =
      runs.has_checkpoint("killed") ? Words{"--restart", "latest"} : Words{"--overwrite"};
  const test::ProgramResult result = runs.hodge("killed", last);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_same_runs(runs.folder / "straight", runs.folder / "killed", "run");
  std::printf("%d kills, %d restarts, %d runs came to their end in between\n", kills, restarts,
              finished);
}

// The steps that history.csv has.
std::size_t steps_of(const fs::path& run) {
  return test::lines_of(run / "history.csv").size() - 2;  // the header, the start
}

void wait_for_steps(const fs::path& run, std::size_t steps) {
  while (!fs::exists(run / "history.csv") || test::lines_of(run / "history.csv").size() < 2 ||
         steps_of(run) < steps)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(Signals, end_the_run_after_the_step_with_a_checkpoint) {
  const LongRuns runs;
  ASSERT_EQ(runs.hodge("straight").exit_code, 0);
  for (const auto& [number, name] :
       {std::pair{SIGTERM, "SIGTERM"}, std::pair{SIGINT, "SIGINT"}, std::pair{SIGHUP, "SIGHUP"},
        std::pair{SIGUSR1, "SIGUSR1"}, std::pair{SIGXCPU, "SIGXCPU"}}) {
    const std::string output = name;
    test::ProgramResult result;
    ASSERT_TRUE(test::in_time([&, signal = number] {
      fs::remove_all(runs.folder / output);
      test::RunningHodge run(LongRuns::words(output, {"--set", "output.checkpoint={}"}),
                             runs.folder.path());
      wait_for_steps(runs.folder / output, 20);
      run.send(signal);
      result = run.wait();
      return result.exit_code != 0;
    }));
    EXPECT_EQ(result.exit_code, 128 + number) << result.err;
    EXPECT_THAT(result.out, HasSubstr(name));
    EXPECT_TRUE(fs::exists(runs.folder / output / "summary.json"));
    runs.expect_frames_open(output);
    EXPECT_TRUE(runs.has_checkpoint(output));
    ASSERT_EQ(runs.hodge(output, {"--restart", "latest"}).exit_code, 0);
    test::expect_same_runs(runs.folder / "straight", runs.folder / output, "run");
  }
}

}  // namespace
}  // namespace hodge::tools
