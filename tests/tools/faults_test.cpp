// What goes wrong around a run, by the real program: one clear line, the exit code of its kind, and
// files that can be gone on from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using test::ProgramResult;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr const char* run_file = R"(
case: lid_driven_cavity
grid: {cells: [24, 24]}
time: {end: 1, step: {cfl: 0.5, max: 0.02}}
output: {frames: {every: 0.2}, checkpoint: {every: 0.2, keep: 2}}
device: cpu
)";

struct Runs {
  Runs() { test::write_text(folder / "run.yaml", run_file); }

  ProgramResult hodge(const std::string& output, const Words& more = {}) const {
    Words words{"run", "run.yaml", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_hodge(words, folder.path());
  }
  // Newest first.
  std::vector<fs::path> checkpoints(const std::string& output) const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder / output / "checkpoints"))
      if (entry.path().extension() == ".h5") paths.push_back(entry.path());
    std::sort(paths.rbegin(), paths.rend());
    return paths;
  }

  test::TemporaryDirectory folder;
};

void expect_one_line(const ProgramResult& result, int exit_code) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Faults, a_damaged_checkpoint_is_refused_and_the_one_before_is_offered) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("out").exit_code, 0);
  const std::vector<fs::path> files = runs.checkpoints("out");
  ASSERT_EQ(files.size(), 2U);
  const std::string whole = test::read_text(files[0]);
  const std::string history = test::read_text(runs.folder / "out/history.csv");
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 4);
  for (const auto& [bytes, reason] :
       {std::pair{whole.substr(0, whole.size() / 3), "were written"},
        std::pair{whole.substr(0, 100), "is cut off in its first lines"},
        std::pair{flipped, "its bytes have changed"}}) {
    test::write_text(files[0], bytes);
    const ProgramResult result = runs.hodge("out", {"--restart", "latest"});
    expect_one_line(result, 4);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(files[0].filename().string() + " is damaged: "), HasSubstr(reason),
                      HasSubstr("the one before is whole: --restart "),
                      HasSubstr(files[1].filename().string())));
    EXPECT_EQ(test::read_text(runs.folder / "out/history.csv"), history);
  }
  EXPECT_EQ(runs.hodge("out", {"--restart", files[1].string()}).exit_code, 0);
  EXPECT_EQ(test::repeatable_rows(runs.folder / "out/history.csv").size(),
            static_cast<std::size_t>(std::count(history.begin(), history.end(), '\n')));
}

TEST(Faults, a_checkpoint_of_another_format_is_wrong_input) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("out").exit_code, 0);
  const fs::path file = runs.checkpoints("out")[0];
  const std::string contents = test::read_text(file).substr(sim::seal_bytes);
  test::write_text(file, sim::seal_text(99, contents, {}) + contents);
  const ProgramResult result = runs.hodge("out", {"--restart", "latest"});
  expect_one_line(result, 2);
  EXPECT_THAT(result.err, HasSubstr("has format 99; this hodge reads format"));
}

TEST(Faults, settings_of_another_run_are_wrong_input_and_touch_nothing) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("out").exit_code, 0);
  const std::string config = test::read_text(runs.folder / "out/config.yaml");
  for (const auto& [change, message] :
       {std::pair{"grid.cells=[32, 24]", "grid.cells is [32, 24], and the checkpoint"},
        std::pair{"parameters.reynolds=77", "parameters.reynolds is 77, and the checkpoint"},
        std::pair{"time.scheme=rk3", "time.scheme is rk3, and the checkpoint"},
        std::pair{"convection.scheme=upwind", "convection.scheme is upwind, and the checkpoint"}}) {
    const ProgramResult result = runs.hodge("out", {"--restart", "latest", "--set", change});
    expect_one_line(result, 2);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(message), HasSubstr("may change nothing but time.end")));
  }
  EXPECT_EQ(test::read_text(runs.folder / "out/config.yaml"), config);
}

TEST(Faults, a_restart_without_a_checkpoint_is_wrong_input) {
  const Runs runs;
  const ProgramResult none = runs.hodge("out", {"--restart", "latest"});
  expect_one_line(none, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no checkpoint in out/checkpoints: start without"));
  EXPECT_FALSE(fs::exists(runs.folder / "out"));
  const ProgramResult missing = runs.hodge("out", {"--restart", "no.h5"});
  expect_one_line(missing, 2);
  EXPECT_THAT(missing.err, HasSubstr("no.h5 is no file, expected a checkpoint or latest"));
  const ProgramResult other = runs.hodge("out", {"--restart", "run.yaml"});
  expect_one_line(other, 2);
  EXPECT_THAT(other.err, HasSubstr("run.yaml is no checkpoint of hodge"));
}

TEST(Faults, a_restart_does_not_overwrite_what_it_starts_from) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("out").exit_code, 0);
  const ProgramResult result = runs.hodge("out", {"--restart", "latest", "--overwrite"});
  expect_one_line(result, 2);
  EXPECT_THAT(result.err, HasSubstr("--overwrite would remove"));
}

TEST(Faults, a_restart_may_go_on_longer_and_in_another_directory) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("out").exit_code, 0);
  ASSERT_EQ(runs.hodge("out", {"--restart", "latest", "--set", "time.end=1.5"}).exit_code, 0);
  const std::string file = runs.checkpoints("out").back().string();
  ASSERT_EQ(runs.hodge("new", {"--restart", file, "--set", "time.end=1.5"}).exit_code, 0);
  const std::vector<std::string> all = test::repeatable_rows(runs.folder / "out/history.csv");
  const std::vector<std::string> tail = test::repeatable_rows(runs.folder / "new/history.csv");
  ASSERT_GT(tail.size(), 2U);
  EXPECT_TRUE(std::equal(tail.rbegin(), tail.rend() - 1, all.rbegin()));
}

// What is left after a full disk: whole rows, frames that open, and a run that can go on.
void expect_resumable(const Runs& runs, const std::string& output, const ProgramResult& result) {
  expect_one_line(result, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot write"), HasSubstr("--restart"),
                                HasSubstr("goes on from step")));
  for (const auto& [time, file] : test::read_collection(runs.folder / output / "run.pvd"))
    EXPECT_EQ(test::time_value(test::read_image(runs.folder / output / file)), time);
  for (const std::string& row : test::repeatable_rows(runs.folder / output / "history.csv"))
    EXPECT_THAT(row, testing::Not(HasSubstr("broken"))) << row;
}

TEST(Faults, a_file_that_cannot_grow_stops_the_run_which_then_goes_on) {
  const Runs runs;
  ASSERT_EQ(runs.hodge("straight").exit_code, 0);
  const auto size = fs::file_size(runs.checkpoints("straight")[0]);
  ProgramResult result;
  {
    // history.csv grows beyond it, and nothing else, a checkpoint with waiting rows included.
    const test::FileSizeLimit limit(size + 10000);
    result = runs.hodge("out", {"--set", "time.step.max=0.0005"});
  }
  expect_resumable(runs, "out", result);
  ASSERT_EQ(runs.hodge("out", {"--restart", "latest", "--set", "time.step.max=0.0005"}).exit_code,
            0);
  ASSERT_EQ(runs.hodge("alone", {"--set", "time.step.max=0.0005"}).exit_code, 0);
  test::expect_same_runs(runs.folder / "alone", runs.folder / "out", "run");
}

// A file system of a few bytes, where the system lets us make one.
class SmallDisk {
 public:
  SmallDisk(fs::path path, const std::string& size) : path_(std::move(path)) {
    fs::create_directories(path_);
    if (::mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0)
      why_not_ = std::strerror(errno);
  }
  ~SmallDisk() {
    if (!why_not_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  const std::optional<std::string>& why_not() const { return why_not_; }
  void grow(const std::string& size) const {
    ::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT, ("size=" + size).c_str());
  }

 private:
  fs::path path_;
  std::optional<std::string> why_not_;
};

TEST(Faults, a_full_disk_stops_the_run_which_then_goes_on) {
  const Runs runs;
  const SmallDisk disk(runs.folder / "disk", "220k");
  if (disk.why_not()) GTEST_SKIP() << "no small file system can be mounted: " << *disk.why_not();
  const ProgramResult result = runs.hodge("disk/out");
  expect_resumable(runs, "disk/out", result);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  disk.grow("10m");
  ASSERT_EQ(runs.hodge("disk/out", {"--restart", "latest"}).exit_code, 0);
  ASSERT_EQ(runs.hodge("straight").exit_code, 0);
  test::expect_same_runs(runs.folder / "straight", runs.folder / "disk/out", "run");
}

TEST(Faults, a_folder_that_cannot_be_written_stops_the_run_before_it_begins) {
  const test::OrdinaryUser user;
  const Runs runs;
  fs::create_directories(runs.folder / "locked");
  ::chmod((runs.folder / "locked").c_str(), 0555);
  const ProgramResult result = runs.hodge("locked/out");
  if (result.exit_code == 127) GTEST_SKIP() << "another user may not start the program";
  expect_one_line(result, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot make the directory locked/out"),
                                HasSubstr("Permission denied")));
}

TEST(Faults, checkpoints_that_cannot_be_written_stop_the_run_with_what_there_is) {
  const test::OrdinaryUser user;
  const Runs runs;
  const ProgramResult begun = runs.hodge("out", {"--set", "time.steps=30"});
  if (begun.exit_code == 127) GTEST_SKIP() << "another user may not start the program";
  ASSERT_EQ(begun.exit_code, 0);
  ::chmod((runs.folder / "out/checkpoints").c_str(), 0555);
  const ProgramResult result = runs.hodge("out", {"--restart", "latest"});
  ::chmod((runs.folder / "out/checkpoints").c_str(), 0755);
  expect_one_line(result, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("Permission denied"), HasSubstr("goes on from step 30")));
  EXPECT_EQ(runs.hodge("out", {"--restart", "latest"}).exit_code, 0);
}

constexpr const char* channel = R"yaml(
case: custom
grid: {cells: [24, 16], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.0001}
force: [0, FORCE]
boundaries:
  x_lower: {kind: inflow, velocity: [PROFILE, 0]}
  x_upper: outflow
time: {scheme: SCHEME, end: 10, step: {size: 0.1}}
output: {frames: {every: 0.1}, checkpoint: {every: 0.1}}
device: cpu
)yaml";

std::string channel_with(const std::string& force, const std::string& profile,
                         const std::string& scheme) {
  std::string text = channel;
  for (const auto& [name, value] :
       {std::pair{"FORCE", force}, {"PROFILE", profile}, {"SCHEME", scheme}})
    text.replace(text.find(name), std::string(name).size(), value);
  return text;
}

// The fields of before are kept as a frame and a checkpoint.
ProgramResult expect_lost(const Runs& runs, const std::string& file) {
  test::write_text(runs.folder / "run.yaml", file);
  const ProgramResult result = runs.hodge("out");
  expect_one_line(result, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("stopped after step "), HasSubstr("; |u| is largest, "),
                                HasSubstr("; the last good frame is out/frames/run_")));
  for (const auto& [time, frame] : test::read_collection(runs.folder / "out/run.pvd"))
    EXPECT_EQ(test::time_value(test::read_image(runs.folder / "out" / frame)), time);
  return result;
}

TEST(Faults, a_formula_that_is_no_number_is_the_cause_that_is_named) {
  const Runs runs;
  const ProgramResult result =
      expect_lost(runs, channel_with("0", "\"6*y*(1 - y)*sqrt(0.35 - t)\"", "bdf2"));
  EXPECT_THAT(result.err,
              AllOf(testing::ContainsRegex(
                        "likely cause: run.yaml:[0-9]+:[0-9]+: boundaries.x_lower.velocity.0.: "
                        "the formula '6.y.*sqrt.0.35 - t.' is no number at .0, 0.03125., t = 0."),
                    HasSubstr("the last checkpoint is out/checkpoints/run_00000003.h5")));
}

TEST(Faults, a_reaction_that_is_no_number_is_named_with_its_place_and_its_formula) {
  const Runs runs;
  test::write_text(runs.folder / "run.yaml",
                   "case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosity: 0.01}\n"
                   "scalars:\n  dye: {diffusivity: 0.1, initial: 1, reaction: -sqrt(0.5 - t)}\n"
                   "time: {end: 2, step: {size: 0.1}}\noutput: {directory: out}\ndevice: cpu\n");
  const ProgramResult result = runs.hodge("out");
  expect_one_line(result, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("reactions: the reaction rate of dye is "),
                    HasSubstr(" in the cell at x = "), HasSubstr("where dye = "),
                    HasSubstr("likely cause: run.yaml:5:49: scalars.dye.reaction: the formula "
                              "'-sqrt(0.5 - t)' is no finite number there")));
}

TEST(Faults, a_fixed_step_that_is_unstable_from_the_start_is_refused_with_the_figure) {
  const Runs runs;
  test::write_text(runs.folder / "run.yaml", channel_with("0", "\"60*y*(1 - y)\"", "rk3"));
  const ProgramResult result = runs.hodge("out");
  expect_one_line(result, 2);
  EXPECT_THAT(result.err, HasSubstr("time.step.size is 0.1; with the initial velocity rk3 with "
                                    "central convection is stable up to 0.0"));
}

TEST(Faults, a_flow_that_outruns_its_fixed_step_has_it_shortened_and_it_is_said_once) {
  const Runs runs;
  test::write_text(runs.folder / "run.yaml", channel_with("0", "\"2*y*(1 - y)*exp(3*t)\"", "rk3"));
  const ProgramResult result = runs.hodge("out", {"--set", "time.end=1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string log = test::read_text(runs.folder / "out/log.txt");
  const std::string said = "steps are shortened from t = ";
  const auto first = log.find(said);
  ASSERT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find(said, first + 1), std::string::npos);
  EXPECT_THAT(log, HasSubstr("rk3 with central convection is stable up to a CFL number of 1.7"));
}

TEST(Faults, a_solver_that_fails_is_the_cause_that_is_named_and_its_fallback_is_counted) {
  const Runs runs;
  const Words weak{"--set", "solvers.pressure={preconditioner: {kind: none}, max_iterations: 20}"};
  const ProgramResult result = runs.hodge("out", weak);
  expect_one_line(result, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("the pressure system of step 1 at t = "),
                                HasSubstr("likely cause: a linear solver that failed")));
  const Words chain{"--set",
                    "solvers.pressure={preconditioner: {kind: none}, max_iterations: 60, fallback: "
                    "[gmres, gauss], restart: 60}"};
  const ProgramResult good = runs.hodge("chain", chain);
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(good.out, testing::ContainsRegex("fallbacks +method +uses +failures"));
  EXPECT_THAT(good.out, testing::ContainsRegex("pressure +gmres +[1-9]"));
  EXPECT_THAT(test::read_text(runs.folder / "chain/log.txt"),
              HasSubstr("the pressure system: cg + none: max_iterations, then gmres"));
}

TEST(Faults, too_little_memory_is_said_with_what_it_is_for) {
  const Runs runs;
  const ProgramResult result =
      runs.hodge("out", {"--set", "grid.cells=[12000, 12000]", "--set",
                         "solvers.transport={method: gmres, restart: 900}"});
  if (result.exit_code != 4) GTEST_SKIP() << "this machine has the memory for a grid of 12000^2";
  expect_one_line(result, 4);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("a grid of 12000 x 12000 cells needs about "),
                    HasSubstr("the transport solver (gmres, jacobi) "), HasSubstr("the fields "),
                    HasSubstr("are available"), HasSubstr("take fewer cells")));
  EXPECT_FALSE(fs::exists(runs.folder / "out"));
}

}  // namespace
}  // namespace hodge::tools
