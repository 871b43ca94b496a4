// The files that a configuration names belong to the run: what a restart, a sweep and the other
// processes say where one of them is another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/checkpoint/seal.hpp"
#include "sim/base/blake2b.hpp"
#include "tests/support/program_in_processes.hpp"
#include "tests/support/stl_files.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using tests::mpiexec;

constexpr const char* without_a_state =
    "case: custom\ngrid: {cells: [8, 8, 8]}\nparameters: {nu: \"table('nu.csv', 0)\"}\n"
    "fluid: {viscosity: nu}\nsolids: [{surface: {file: ball.stl}}]\n"
    "boundaries: {y_upper: {kind: wall, velocity: [\"table('lid.csv', t)\", 0, 0]}}\n"
    "time: {scheme: cn_ab2, end: 0.2, step: {size: 0.1}}\ndevice: cpu\n";

std::string ball(double radius) {
  return test::stl_text(test::sphere_surface({0.5, 0.5, 0.5}, radius, 6));
}

// in/x.yaml names two tables, a surface and a run to begin with.
class NamedFiles : public tests::Processes {
 protected:
  NamedFiles() {
    fs::create_directory(folder / "in");
    write("nu.csv", "x,nu\n0,0.1\n1,0.2\n");
    write("lid.csv", "t,u\n0,0\n1,1\n");
    write("ball.stl", ball(0.3));
    write("before.yaml", without_a_state);
    write("x.yaml", std::string(without_a_state) + "initial: {from: before}\n");
  }
  void write(const std::string& name, const std::string& text) const {
    test::write_text(folder / "in" / name, text);
  }
  void expect(const std::string& arguments) {
    const auto result = shell("\"$H\" " + arguments + " --quiet");
    ASSERT_EQ(result.exit_code, 0) << arguments << ": " << result.err;
  }
  void run_both() {
    expect("run in/before.yaml --output in/before");
    expect("run in/x.yaml --output r");
  }
  // One line, and exit code 2.
  std::string refusal(const std::string& arguments) {
    const auto result = shell("\"$H\" " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments << result.out;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  }
  std::string restarted(const std::string& file = "in/x.yaml") const {
    return "run " + file + " --output r --restart latest --set time.end=" + end_;
  }
  std::string path(const std::string& name) const { return (folder / "in" / name).string(); }
  nlohmann::json inputs_of(const std::string& run) const {
    return nlohmann::json::parse(test::read_text(folder / run / "summary.json"))["inputs"];
  }

  std::string end_ = "0.3";
};

TEST_F(NamedFiles, stand_with_their_digests_in_summary_and_checkpoint) {
  run_both();
  const auto newest = [&](const char* run) { return sim::CheckpointFolder(folder / run).newest(); };
  nlohmann::json expected{{path("before"), sim::digest_in_seal(newest("in/before"))}};
  for (const char* name : {"nu.csv", "lid.csv", "ball.stl"})
    expected[path(name)] = sim::blake2b(test::read_text(path(name)));
  EXPECT_EQ(inputs_of("r"), expected);
  nlohmann::json in_checkpoint;
  const sim::CheckpointReader checkpoint(newest("r"));
  for (const auto& [file, digest] : *checkpoint.header().inputs) in_checkpoint[file] = digest;
  EXPECT_EQ(in_checkpoint, expected);
}

TEST_F(NamedFiles, that_have_changed_end_a_restart_before_anything_is_written) {
  run_both();
  const std::string rows = test::read_text(folder / "r/history.csv");
  for (const auto& [name, other] : {std::pair<std::string, std::string>{"nu.csv", "0,0.1\n1,0.3\n"},
                                    {"lid.csv", "t,u\n0,0\n1,2\n"},
                                    {"ball.stl", ball(0.35)}}) {
    const std::string before = test::read_text(path(name));
    write(name, other);
    EXPECT_THAT(refusal(restarted()),
                AllOf(StartsWith(path(name) + " has changed since the checkpoint"),
                      HasSubstr("a restart goes on with the same files")));
    EXPECT_EQ(test::read_text(folder / "r/history.csv"), rows);
    write(name, before);
  }
  expect(restarted());
}

TEST_F(NamedFiles, may_move_before_a_restart) {
  run_both();
  fs::rename(folder / "in", folder / "elsewhere");
  expect(restarted("elsewhere/x.yaml"));
  for (const char* name : {"nu.csv", "lid.csv", "ball.stl", "before"})
    EXPECT_TRUE(inputs_of("r").contains((folder / "elsewhere" / name).string())) << name;
  fs::copy_file(folder / "elsewhere/lid.csv", folder / "lid.csv");
  end_ = "0.4";
  expect(restarted("elsewhere/x.yaml") +
         " --set boundaries.y_upper.velocity.0=\"table('lid.csv', t)\"");
  test::write_text(folder / "other.csv", "t,u\n0,0\n1,3\n");
  EXPECT_THAT(refusal(restarted("elsewhere/x.yaml") +
                      " --set boundaries.y_upper.velocity.0=\"table('other.csv', t)\""),
              StartsWith("boundaries.y_upper.velocity is "));
}

TEST_F(NamedFiles, the_state_at_the_start_is_not_needed_by_a_restart_and_may_be_no_other) {
  run_both();
  expect("run in/before.yaml --output in/before --restart latest --set time.end=0.3");
  const nlohmann::json at_the_start = inputs_of("r")[path("before")];
  expect(restarted());  // the other run has gone on
  fs::copy(folder / "in/before", folder / "other", fs::copy_options::recursive);
  end_ = "0.4";
  EXPECT_THAT(refusal(restarted() + " --set initial.from=other"), StartsWith("initial.from is "));
  fs::remove_all(folder / "in/before");
  expect(restarted());
  EXPECT_EQ(inputs_of("r")[path("before")], at_the_start);
}

TEST_F(NamedFiles, of_a_checkpoint_to_begin_with_are_the_bodies_of_then) {
  expect("run in/before.yaml --output in/before");
  write("ball.stl", ball(0.35));
  EXPECT_THAT(refusal("run in/x.yaml --output r"),
              AllOf(HasSubstr("initial.from: " + path("ball.stl") + " has changed since"),
                    HasSubstr("begin with a frame of that run, which has them")));
}

TEST_F(NamedFiles, that_have_changed_make_no_run_of_a_sweep_finished) {
  expect("run in/before.yaml --output in/before");
  const std::string sweep = "sweep in/x.yaml --output s --over time.step.size=0.1";
  const auto is_finished = [&] {
    const auto again = shell("\"$H\" " + sweep);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    return again.out.find("is finished already") != std::string::npos;
  };
  expect(sweep);
  EXPECT_TRUE(is_finished());
  for (const auto& [name, other] : {std::pair<std::string, std::string>{"nu.csv", "0,0.1\n1,0.3\n"},
                                    {"lid.csv", "t,u\n0,0\n1,2\n"},
                                    {"ball.stl", ball(0.35)}}) {
    const std::string before = test::read_text(path(name));
    write(name, other);
    EXPECT_THAT(refusal(sweep), AllOf(StartsWith(path(name) + " has changed since the run in "),
                                      HasSubstr("s/size=0.1"), HasSubstr("--overwrite")));
    write(name, before);
  }
  EXPECT_TRUE(is_finished());
  fs::rename(folder / "in/before", folder / "kept");
  EXPECT_TRUE(is_finished());
  expect("run in/before.yaml --output in/before --set time.end=0.3");
  EXPECT_THAT(refusal(sweep), StartsWith(path("before") + " has changed since the run in "));
  expect(sweep + " --overwrite");
  EXPECT_EQ(inputs_of("s/size=0.1")[path("before")],
            sim::digest_in_seal(sim::CheckpointFolder(folder / "in/before").newest()));
}

// Of two processes, each in a folder of its own, /proc/self/cwd is the same path to other files.
class FilesOfProcesses : public NamedFiles {
 protected:
  FilesOfProcesses() {
    std::string yaml = std::string(without_a_state) + "initial: {from: before}\n";
    for (const char* name : {"nu.csv", "lid.csv", "ball.stl", "before"})
      yaml.insert(yaml.find(name), "/proc/self/cwd/");
    write("x.yaml", yaml);
  }
  // One message, no run.
  std::string refusal_of_two(const std::string& first, const std::string& second) {
    const auto result =
        launch(mpiexec + " -n 1 -wdir in \"$H\" " + first + " : -n 1 -wdir other \"$H\" " + second);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(fs::exists(folder / "in/r"));
    EXPECT_FALSE(fs::exists(folder / "other/r"));
    return result.err;
  }
};

TEST_F(FilesOfProcesses, that_are_others_in_one_of_them_are_refused_by_all) {
  HODGE_NEEDS_MPI();
  expect("run in/before.yaml --output in/before");
  fs::copy(folder / "in", folder / "other", fs::copy_options::recursive);
  const std::string run = "run x.yaml --output r";
  const auto with_other = [&](const std::string& name, const std::string& text) {
    const std::string before = test::read_text(folder / "other" / name);
    test::write_text(folder / "other" / name, text);
    const std::string said = refusal_of_two(run, run);
    test::write_text(folder / "other" / name, before);
    return said;
  };
  const std::string here = " is another file here than in process 0, expected the same contents\n";
  EXPECT_EQ(with_other("lid.csv", "t,u\n0,0\n1,2\n"), "rank 1: /proc/self/cwd/lid.csv" + here);
  EXPECT_EQ(with_other("ball.stl", ball(0.35)), "rank 1: /proc/self/cwd/ball.stl" + here);
  EXPECT_EQ(with_other("x.yaml", std::string(without_a_state)), "rank 1: x.yaml" + here);
  expect("run in/before.yaml --output other/before --restart latest --set time.end=0.3");
  EXPECT_EQ(refusal_of_two(run, run), "rank 1: /proc/self/cwd/before" + here);
}

TEST_F(FilesOfProcesses, and_other_command_lines_are_refused_by_all_with_one_message) {
  HODGE_NEEDS_MPI();
  fs::create_directory(folder / "other");
  const std::string run = "run x.yaml --output r";
  for (const std::string other :
       {"--version", "solve a.mtx", "run x.yaml --output r --set time.end=1", "check x.yaml",
        "run --no-such-option", "cases"}) {
    const std::string both = "`hodge " + other + "`, and process 0 as `hodge " + run + "`";
    EXPECT_EQ(refusal_of_two(run, other),
              "rank 1: was started as " + both + ": expected one command line for all\n");
  }
  EXPECT_THAT(refusal_of_two("--version", run), StartsWith("rank 1: was started as `hodge run"));
}

}  // namespace
}  // namespace hodge::tools
