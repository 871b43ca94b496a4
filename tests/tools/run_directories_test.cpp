// Run directories under two programs at once, under users who remove files, and as `hodge verify`
// sees them; by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "linalg/files/atomic_file.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/verify/verify.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using test::ProgramResult;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// With everything that a run can write.
constexpr const char* file_of_everything = R"yaml(
case: custom
grid: {cells: [16, 12], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)", 0]}
  x_upper: outflow
solids: [{name: block, box: {lower: [0.8, 0.3], upper: [1.2, 0.7]}}]
time: {end: 0.2, step: {size: 0.01}}
output: {frames: {every: 0.05}, checkpoint: {every: 0.05, keep: 2}}
probes:
  points: {wake: [1.5, 0.5]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 5}}
  averages: {from: 0.05}
compare: {steps: [2, 5], give_up: never, histories: true, guesses: true}
device: cpu
)yaml";

struct RunDirectories : testing::Test {
  RunDirectories() { test::write_text(folder / "run.yaml", file_of_everything); }
  ProgramResult hodge(const Words& words) const { return test::run_hodge(words, folder.path()); }
  ProgramResult run(const Words& more = {}) const {
    Words words{"run", "run.yaml", "--output", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return hodge(words);
  }
  fs::path out(const std::string& file = "") const { return folder / "out" / file; }
  void expect_whole() const {
    const ProgramResult result = hodge({"verify", "out"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
  // As `hodge verify` does, without a process.
  bool is_broken() const {
    try {
      return sim::verify_run(out()).broken() > 0;
    } catch (const std::exception&) {
      return true;
    }
  }
  test::TemporaryDirectory folder;
};

struct LongRun : RunDirectories {
  // A run that lasts until it is ended, after its first checkpoint.
  LongRun()
      : running({"run", "run.yaml", "--output", "out", "--set", "time.end=1000", "--set",
                 "output.frames.every=0.1", "--set", "compare.steps=[2]", "--set",
                 "output.checkpoint.keep=1000"},
                folder.path()) {
    while (!fs::exists(out("checkpoints/run_00000010.h5")))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  test::RunningHodge running;
};

TEST_F(RunDirectories, the_manifest_lists_every_file_that_a_run_leaves) {
  ASSERT_EQ(run().exit_code, 0);
  const auto manifest = sim::Manifest::read(out());
  ASSERT_TRUE(manifest);
  for (const auto& entry : fs::recursive_directory_iterator(out())) {
    const std::string name = entry.path().lexically_relative(out()).generic_string();
    const bool is_listed = manifest->lists(name) || name == "manifest.txt" || name == ".lock";
    EXPECT_TRUE(is_listed || !entry.is_regular_file()) << name;
  }
  for (const std::string& name : manifest->names())
    EXPECT_TRUE(name.find('#') != std::string::npos || fs::exists(out(name))) << name;
}

TEST_F(RunDirectories, overwriting_leaves_exactly_the_files_of_the_new_run) {
  ASSERT_EQ(run().exit_code, 0);
  test::write_text(out("other.pvd"), "mine");
  ASSERT_EQ(run({"--overwrite", "--set", "output.frames.every=0.1"}).exit_code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(out("frames")), {}), 3);
  EXPECT_EQ(test::read_text(out("other.pvd")), "mine");
  expect_whole();
}

TEST_F(RunDirectories, a_run_goes_on_from_its_own_configuration_under_the_name_of_its_first_file) {
  ASSERT_EQ(run({"--set", "time.steps=2"}).exit_code, 0);
  const std::string steps = "time.steps=4";
  fs::rename(folder / "run.yaml", folder / "renamed.yaml");
  for (const char* file : {"out/config.yaml", "renamed.yaml"}) {
    const ProgramResult result =
        hodge({"run", file, "--output", "out", "--restart", "latest", "--set", steps});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("open in ParaView: out/run.pvd\n"));
    expect_whole();
    for (const auto& entry : fs::directory_iterator(out()))
      EXPECT_TRUE(entry.path().extension() != ".pvd" || entry.path() == out("run.pvd"));
  }
  ASSERT_EQ(hodge({"run", "renamed.yaml", "--output", "out", "--overwrite"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(out("renamed.pvd")));
  EXPECT_FALSE(fs::exists(out("run.pvd"))) << "files of the run before";
  for (const auto& entry : fs::directory_iterator(out("frames")))
    EXPECT_TRUE(entry.path().filename().string().starts_with("renamed_")) << entry.path();
}

TEST_F(RunDirectories, a_folder_that_is_no_run_directory_is_not_overwritten) {
  fs::create_directory(out());
  test::write_text(out("history.csv"), "mine");
  const ProgramResult result = run({"--overwrite"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("out is no run directory: it has no manifest.txt"));
  EXPECT_EQ(test::read_text(out("history.csv")), "mine");
  const ProgramResult root = hodge({"run", "run.yaml", "--output", "/", "--overwrite"});
  EXPECT_EQ(root.exit_code, 2);
  EXPECT_THAT(root.err, HasSubstr("is the root of the file system"));
}

// The second run removed the files of the first, which ended with 0.
TEST_F(LongRun, keeps_a_second_run_out_with_a_line_that_names_it) {
  for (const char* how : {"--overwrite", "--restart=latest", "--quiet"}) {
    const ProgramResult second = run({how});
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.err, AllOf(HasSubstr("a run is writing in out: process "), HasSubstr(" on "),
                                  HasSubstr(", since 20")));
  }
  const ProgramResult seen = hodge({"verify", "out"});
  EXPECT_THAT(seen.out, HasSubstr("is being written"));
  running.send(SIGTERM);
  EXPECT_EQ(running.wait().exit_code, 128 + SIGTERM);
  expect_whole();
}

TEST_F(LongRun, leaves_no_lock_when_it_is_killed) {
  running.send(SIGKILL);
  running.wait();
  const std::string steps = std::to_string(test::newest_checkpoint(out()) + 2);
  EXPECT_EQ(run({"--restart", "latest", "--set", "output.frames.every=0.1", "--set",
                 "time.end=1000", "--set", "time.steps=" + steps})
                .exit_code,
            0);
  expect_whole();
}

TEST_F(LongRun, ends_with_4_when_its_directory_is_removed) {
  fs::rename(out(), folder / "gone");
  fs::create_directories(out("frames"));
  const ProgramResult result = running.wait();
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_TRUE(fs::is_empty(out("frames")));
}

TEST_F(RunDirectories, files_that_a_kill_left_half_written_are_removed_by_the_next_run) {
  ASSERT_EQ(run({"--set", "time.steps=10"}).exit_code, 0);
  const fs::path mine = out(".mine.00c0ffee.tmp");
  test::write_text(mine, "mine");
  for (const char* file :
       {"config.yaml", "frames/run_000009.vti", "lines/across.csv", "checkpoints/run_00000099.h5"})
    test::write_text(temporary_path(out(file)), "half");
  EXPECT_THAT(hodge({"verify", "out"}).out, HasSubstr("left over"));
  ASSERT_EQ(run({"--restart", "latest"}).exit_code, 0);
  EXPECT_THAT(hodge({"verify", "out"}).out, testing::Not(HasSubstr("left over")));
  EXPECT_EQ(test::read_text(mine), "mine");
}

TEST_F(RunDirectories, verify_names_what_is_broken) {
  ASSERT_EQ(run().exit_code, 0);
  expect_whole();
  const auto broken_by = [&](const std::string& file, const auto& change, const std::string& how) {
    const std::string whole = test::read_text(out(file));
    test::write_text(out(file), change(whole));
    const ProgramResult result = hodge({"verify", "out"});
    EXPECT_EQ(result.exit_code, 4) << file;
    EXPECT_THAT(result.out, HasSubstr(how)) << file;
    EXPECT_EQ(result.err.substr(0, result.err.find('\n') + 1), result.err);
    test::write_text(out(file), whole);
  };
  const auto cut = [](const std::string& text) { return text.substr(0, text.size() - 5); };
  const auto flipped = [](std::string text) {
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 4);
    return text;
  };
  const auto without_a_line = [](std::string text) {
    const std::size_t begin = text.find('\n', text.size() / 2);
    return text.erase(begin, text.find('\n', begin + 1) - begin);
  };
  broken_by("checkpoints/run_00000020.h5", flipped, "run_00000020.h5 is damaged");
  broken_by("frames/run_000002.vti", cut,
            "run_000002.vti is cut off: it does not end with </VTKFile>");
  broken_by("run.pvd", without_a_line, "a frame before it is missing");
  broken_by("run.pvd", cut, "the file is cut off");
  for (const char* file : {"history.csv", "forces.csv", "probes.csv", "averages.csv", "compare.csv",
                           "lines/across.csv", "summary.json", "log.txt", "config.yaml"})
    broken_by(file, cut, std::string(file) + " is damaged");
  broken_by("history.csv", without_a_line, "history.csv is damaged: line ");
  fs::remove(out("frames/run_000001.vti"));
  fs::remove(out("frames/run_000002.vti"));
  fs::remove(out("probes.csv"));
  const ProgramResult result = hodge({"verify", "out"});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("run_000001.vti is missing"), HasSubstr("run_000002.vti is missing"),
                    HasSubstr("probes.csv is missing")));
}

TEST_F(RunDirectories, verify_counts_the_rows_of_every_table) {
  ASSERT_EQ(run().exit_code, 0);
  const std::string said = hodge({"verify", "out"}).out;
  int tables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out())) {
    if (entry.path().extension() != ".csv") continue;
    const std::string name = entry.path().lexically_relative(out()).generic_string();
    const auto rows = test::lines_of(entry.path()).size() - 1;
    const std::string line = said.substr(std::min(said.find("  " + name + " "), said.size()));
    EXPECT_THAT(line.substr(0, line.find('\n')), HasSubstr(" " + std::to_string(rows) + " rows"));
    ++tables;
  }
  EXPECT_EQ(tables, 8);
}

// Of every file: a line, a byte, all of it; at the beginning, in the middle and at the end. Lines
// of binary files are none.
TEST_F(RunDirectories, verify_notices_what_any_file_has_less) {
  ASSERT_EQ(run({"--set", "time.end=0.1"}).exit_code, 0);
  for (const auto& entry : fs::recursive_directory_iterator(out())) {
    const std::string name = entry.path().lexically_relative(out()).generic_string();
    if (!entry.is_regular_file() || name == ".lock") continue;
    const std::string whole = test::read_text(entry.path());
    const bool is_binary = name.starts_with("frames/") || name.starts_with("checkpoints/");
    const auto without = [&](std::size_t first, std::size_t count) {
      test::write_text(entry.path(), std::string(whole).erase(first, count));
      EXPECT_TRUE(is_broken()) << name << " without " << count << " bytes at " << first;
    };
    const std::size_t size = whole.size();
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 2}) {
      without(at, 1);
      if (is_binary) continue;
      const std::size_t before = at == 0 ? at : whole.rfind('\n', at - 1) + 1;
      without(before, whole.find('\n', at) + 1 - before);
    }
    fs::remove(entry.path());
    const bool is_known = !name.starts_with("checkpoints/") && name != "checksums.txt";
    EXPECT_TRUE(!is_known || is_broken()) << name;
    test::write_text(entry.path(), whole);
  }
  expect_whole();
}

// While a run goes on there are no checksums: by the rows themselves, and what checkpoints count.
TEST_F(RunDirectories, verify_notices_rows_in_another_order_and_those_that_checkpoints_miss) {
  ASSERT_EQ(run().exit_code, 0);
  fs::remove(out("checksums.txt"));
  expect_whole();
  const auto expect_noticed = [&](const fs::path& file, std::vector<std::string> lines) {
    const std::string whole = test::read_text(file);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    test::write_text(file, text);
    EXPECT_TRUE(is_broken()) << file;
    test::write_text(file, whole);
  };
  for (const char* name : {"history.csv", "forces.csv", "probes.csv", "lines/across.csv",
                           "compare.csv", "compare_guess.csv", "compare_history.csv"}) {
    const std::vector<std::string> rows = test::lines_of(out(name));
    std::vector<std::string> turned = rows;
    std::swap(turned[1], turned.back());
    expect_noticed(out(name), turned);
    if (std::string(name).starts_with("compare")) continue;
    for (const std::size_t at : {rows.size() / 2, rows.size() - 1}) {
      std::vector<std::string> fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      expect_noticed(out(name), fewer);
    }
  }
}

// Not while it goes on again.
TEST_F(RunDirectories, checksums_are_those_of_the_last_run_that_ended) {
  ASSERT_EQ(run({"--set", "time.steps=10"}).exit_code, 0);
  const std::string first = test::read_text(out("checksums.txt"));
  for (const char* name : {"config.yaml", "history.csv", "lines/across.csv", "manifest.txt",
                           "summary.json", "log.txt", "run.pvd"})
    EXPECT_THAT(first, HasSubstr(std::string("  ") + name + "\n"));
  EXPECT_THAT(first, testing::Not(HasSubstr("frames/")));
  ASSERT_EQ(run({"--restart", "latest"}).exit_code, 0);
  EXPECT_NE(test::read_text(out("checksums.txt")), first);
  expect_whole();
  test::write_text(out("averages.csv"), test::read_text(out("averages.csv")) + "x,0\n");
  EXPECT_THAT(hodge({"verify", "out"}).out,
              HasSubstr("out/averages.csv has changed since the run ended"));
  ASSERT_EQ(run({"--overwrite", "--set", "time.steps=2"}).exit_code, 0);
  expect_whole();
}

TEST_F(RunDirectories, verify_of_a_damaged_manifest_is_broken) {
  ASSERT_EQ(run().exit_code, 0);
  test::write_text(out("manifest.txt"), "hodge run directory 1\n../precious\n");
  const ProgramResult result = hodge({"verify", "out"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("manifest.txt is damaged: "),
                                HasSubstr("; --overwrite cannot know which files are a run's")));
}

TEST_F(RunDirectories, verify_of_another_directory_is_wrong_input) {
  for (const char* directory : {".", "no/such"}) {
    const ProgramResult result = hodge({"verify", directory});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("is no run directory: it has no manifest.txt"));
  }
}

}  // namespace
}  // namespace hodge::tools
