#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "linalg/version.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;

const std::string cavity = tests::source_dir() / "configs/lid_driven_cavity.yaml";

test::ProgramResult run_anywhere(const std::vector<std::string>& arguments) {
  const test::TemporaryDirectory empty;
  const test::ProgramResult result = test::run_hodge(arguments, empty.path());
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
  return result;
}

void expect_wrong(const std::vector<std::string>& arguments, const std::string& part) {
  const test::ProgramResult result = run_anywhere(arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr(part));
}

TEST(CommandLine, the_version_is_that_of_the_newest_changes) {
  std::string changes = test::read_text(tests::source_dir() / "CHANGELOG.md");
  if (const auto place = changes.find("\n## [Unreleased]"); place != std::string::npos)
    changes.erase(0, place + 1);
  EXPECT_EQ(changes.find(std::string("\n## [") + version + "] - 20"), changes.find("\n## ["));
}

TEST(CommandLine, help_and_version_go_to_stdout_with_exit_code_0) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"run", "--help"}, {"check", "-h"}, {"--version"}}) {
    const test::ProgramResult result = run_anywhere(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out, "");
    EXPECT_EQ(result.err, "");
  }
  EXPECT_THAT(run_anywhere({"--version"}).out, HasSubstr(std::string("hodge ") + version));
  const std::string cuda = HODGE_HAS_CUDA != 0 ? "CUDA: yes, toolkit [0-9.]+, .*GPU.*\n"
                                               : "CUDA: no, built without it\n";
  EXPECT_THAT(run_anywhere({"--version"}).out,
              testing::ContainsRegex("\n" + cuda + "MPI: (yes|no), .+\nNCCL: (yes|no), .+\n"));
  EXPECT_THAT(run_anywhere({"run", "--help"}).out, HasSubstr("--overwrite"));
}

TEST(CommandLine, without_a_command_the_commands_are_named) {
  expect_wrong({}, "known commands: run, sweep, compare, ");
}

TEST(CommandLine, a_wrong_command_gets_the_nearest_one) {
  expect_wrong({"rnu", cavity},
               "hodge: unknown command 'rnu', did you mean 'run'? known commands: ");
  expect_wrong({"--verison"}, "hodge: unknown option '--verison', did you mean '--version'?");
}

TEST(CommandLine, a_wrong_option_gets_the_nearest_one) {
  expect_wrong(
      {"run", cavity, "--devcie", "cpu"},
      "hodge run: unexpected '--devcie', did you mean '--device'? 'hodge run --help' shows "
      "the usage");
  expect_wrong({"cases", "extra"}, "hodge cases: unexpected 'extra'");
}

TEST(CommandLine, missing_arguments_are_named) {
  expect_wrong({"run"}, "FILE is required");
  expect_wrong({"check"}, "FILE is required");
  expect_wrong({"run", cavity, "--set"}, "--set");
  expect_wrong({"run", cavity, "--output", ""}, "--output: expected a name, not an empty text");
  expect_wrong({"run", ""}, "FILE: expected a name, not an empty text");
  expect_wrong({"run", cavity, "--device", "gpu"}, "expected auto, cpu, cuda or cuda:N, not 'gpu'");
}

TEST(CommandLine, files_that_cannot_be_read_are_wrong_input) {
  expect_wrong({"run", "no_such.yaml"},
               "no_such.yaml: cannot be read: No such file or directory\n");
  expect_wrong({"check", "."}, ".: cannot be read: it is a directory, expected a YAML file\n");
}

TEST(CommandLine, wrong_overrides_name_themselves) {
  expect_wrong({"run", cavity, "--set", "time.end=abc"},
               "--set time.end=abc: time.end is 'abc', expected a number > 0\n");
  expect_wrong({"check", cavity, "--set", "time.stop=5"}, "--set time.stop=5: unknown key 'stop'");
  expect_wrong({"run", cavity, "--set", "nonsense"}, "--set nonsense: expected key=value");
}

TEST(CommandLine, overrides_of_lists_reach_the_reader) {
  EXPECT_THAT(run_anywhere({"check", cavity, "--set", "grid.cells=[12, 34]"}).out,
              HasSubstr("12 x 34 cells"));
  EXPECT_THAT(run_anywhere({"check", "--set", "grid.cells.0=12", cavity}).out, HasSubstr("12 x "));
}

TEST(CommandLine, check_goes_through_all_files_and_remembers_a_bad_one) {
  const test::ProgramResult result = run_anywhere({"check", cavity, "no_such.yaml", cavity});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  const std::size_t first = result.out.find(cavity + ": ok");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(result.out.find(cavity + ": ok", first + 1), std::string::npos);
}

TEST(CommandLine, an_unknown_validation_gets_the_nearest_one) {
  expect_wrong({"validate", "taylor_gren"},
               "unknown validation 'taylor_gren', did you mean 'taylor_green'? known: ");
}

// Runs `hodge` in a shell, for redirections.
int shell_exit_code(const std::string& command_line) {
  const std::string program = tests::program_path().string();
  const int status = std::system(("H='" + program + "'; " + command_line).c_str());
  return WEXITSTATUS(status);
}

TEST(CommandLine, a_full_disk_behind_the_output_is_an_error_of_the_machine) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(shell_exit_code("\"$H\" solvers > /dev/full 2> /dev/null"), 4);
  EXPECT_EQ(shell_exit_code("\"$H\" --help > /dev/full 2> /dev/null"), 4);
}

TEST(CommandLine, a_reader_that_goes_away_is_no_error) {
  const std::string program = tests::program_path().string();
  // The second one writes piece by piece, so that the first failure is long past at the end.
  for (const char* command : {"cases", "bench transpose --quick --device cpu"}) {
    FILE* reader = popen(("sleep 0.3; exec '" + program + "' " + command).c_str(), "r");
    ASSERT_NE(reader, nullptr);
    EXPECT_EQ(pclose(reader), 0) << command;  // closes its end before the program begins to write
  }
}

TEST(CommandLine, lists_show_what_a_file_may_name) {
  EXPECT_THAT(run_anywhere({"cases"}).out, HasSubstr("lid_driven_cavity"));
  EXPECT_THAT(run_anywhere({"cases"}).out, HasSubstr("reynolds"));
  EXPECT_THAT(run_anywhere({"solvers"}).out, HasSubstr("bicgstab"));
  EXPECT_THAT(run_anywhere({"solvers"}).out, HasSubstr("ssor_sai"));
  EXPECT_THAT(
      run_anywhere({"solvers"}).out,
      HasSubstr(
          "    omega          relaxation factor; auto, of ssor_sai alone, suits it to the matrix: "
          "default auto, a number between 0 and 2, both excluded, or auto"));
  EXPECT_THAT(run_anywhere({"schemes"}).out, HasSubstr("bdf2"));
  EXPECT_THAT(run_anywhere({"schemes"}).out, HasSubstr("central"));
  for (const char* name : {"mean_FIELD", "rms_FIELD", "reynolds_stress", "flux_SCALAR",
                           "q_criterion", "strain_rate", "speed"})
    EXPECT_THAT(run_anywhere({"schemes"}).out, HasSubstr(std::string("\n  ") + name + " ")) << name;
}

}  // namespace
}  // namespace hodge::tools
