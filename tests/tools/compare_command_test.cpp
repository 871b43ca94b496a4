// `hodge compare` and `hodge study` as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string small_cavity =
    "case: lid_driven_cavity\n"
    "parameters: {reynolds: 100}\n"
    "grid: {cells: [16, 16]}\n"
    "time: {end: 1, steps: 3}\n"
    "device: cpu\n";

struct Folder {
  explicit Folder(const std::string& text) { std::ofstream(folder / "f.yaml") << text; }
  test::ProgramResult hodge(const std::vector<std::string>& arguments) const {
    return test::run_hodge(arguments, folder.path());
  }
  std::string file(const std::string& name) const { return test::read_text(folder / name); }
  test::TemporaryDirectory folder;
};

TEST(CompareCommand, gives_a_file_without_the_section_a_list_and_says_what_is_best) {
  const Folder folder(small_cavity);
  const auto result = folder.hodge({"compare", "f.yaml", "--give-up", "never"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text : {"pressure: 2 systems of up to 256 unknowns, steps 1 to 2",
                           "transport: 4 systems of up to 240 unknowns", "advice\npressure: ",
                           "cg + ssor_sai order 2 omega 1.6", "gmres(16) + jacobi", "(configured)"})
    EXPECT_THAT(result.out, HasSubstr(text));
  EXPECT_THAT(folder.file("output/f_compare/compare.md"), HasSubstr("# Comparison of solvers"));
  EXPECT_THAT(folder.file("output/f_compare/compare.csv"), HasSubstr(",bicg,jacobi,no,converged,"));
  EXPECT_THAT(folder.file("output/f_compare/config.yaml"), HasSubstr("\ncompare:\n"));
}

TEST(CompareCommand, says_which_solvers_it_gave_up) {
  const Folder folder(small_cavity);
  const auto result = folder.hodge({"compare", "f.yaml", "--give-up", "1.0001"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" (given up): step 1, "));
  EXPECT_THAT(folder.file("output/f_compare/compare.csv"), HasSubstr(",no,given_up,"));
  EXPECT_THAT(folder.file("output/f_compare/config.yaml"), HasSubstr("give_up: 1.0001"));
  const auto wrong = folder.hodge({"compare", "f.yaml", "--give-up", "1"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected a number > 1 or never, not '1'"));
}

TEST(CompareCommand, takes_the_section_of_a_file_that_has_one) {
  const Folder folder(small_cavity +
                      "compare: {every: 1, give_up: never, pressure: [{method: bicg}]}\n");
  const auto result = folder.hodge({"compare", "f.yaml", "--output", "o", "--histories"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("pressure: 3 systems"));
  EXPECT_THAT(result.out, Not(HasSubstr("transport: ")));
  EXPECT_THAT(folder.file("o/compare_history.csv"), HasSubstr("\n3,pressure,bicg,none,0,"));
}

TEST(CompareCommand, the_advice_can_be_put_in_the_file_as_it_stands) {
  const Folder folder(small_cavity +
                      "solvers: {pressure: {method: gmres, restart: 2, preconditioner: {kind: "
                      "none}}}\ncompare: {every: 1, give_up: never, pressure: [{method: cg, "
                      "preconditioner: {kind: jacobi}}]}\n");
  // Of so many solves, the median is not one that other programs have held up.
  const auto result = folder.hodge({"run", "f.yaml", "--set", "time.steps=15"});
  const std::string mark = "put this in the file: ";
  const std::size_t at = result.out.find(mark);
  ASSERT_NE(at, std::string::npos) << result.out;
  const std::string advice =
      result.out.substr(at + mark.size(), result.out.find('\n', at) - at - mark.size());
  EXPECT_THAT(advice, HasSubstr("solvers: {pressure: {method: cg, preconditioner: {kind: jacobi}"));
  EXPECT_THAT(result.out, testing::ContainsRegex(", and saves [0-9.]+ % of a step; put this"));
  std::ofstream(folder.folder / "g.yaml") << small_cavity + advice + "\n";
  const auto changed = folder.hodge({"check", "g.yaml"});
  EXPECT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_THAT(changed.out, HasSubstr("cg with jacobi"));
}

TEST(CompareCommand, refuses_one_directory_for_several_files) {
  const Folder folder(small_cavity);
  EXPECT_EQ(folder.hodge({"compare", "f.yaml", "f.yaml", "--output", "o"}).exit_code, 2);
}

// Solvers that stop too early, so that the advice does not depend on the clock.
const std::string inaccurate_cavity =
    small_cavity +
    "solvers: {pressure: {method: cg, preconditioner: {kind: jacobi}, tolerance: 0.5}, "
    "transport: {tolerance: 0.5}}\n";

TEST(StudyCommand, finds_the_loosest_tolerance_that_changes_nothing) {
  const Folder folder(inaccurate_cavity);
  const auto result = folder.hodge({"study", "f.yaml", "--steps", "3", "--tolerances",
                                    "1e-8,1e-5,0.2", "--within", "1e-3", "--csv", "study.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kinetic_energy = "));
  EXPECT_THAT(result.out,
              HasSubstr("with a tolerance of 1e-05 leaves every quantity within 1e-03"));
  EXPECT_THAT(result.out, testing::ContainsRegex("the solvers of the file change [a-z_]+ by .*, "
                                                 "more than 1e-03\nput this in the file:\n"
                                                 "solvers:\n  pressure: .method: cg"));
  EXPECT_THAT(folder.file("study.csv"), HasSubstr("changed"));
}

// Alone a pressure tolerance of 1e-02 and a transport tolerance of 1e-04 leave everything within
// 2e-05, together they change max |u| by more, so that the pressure has to take a tighter one.
TEST(StudyCommand, recommends_what_it_found_or_says_why_not) {
  const Folder folder(
      inaccurate_cavity +
      "compare: {every: 1, give_up: never, pressure: [{method: cg, preconditioner: {kind: "
      "jacobi}}]}\n");
  const auto result = folder.hodge({"study", "f.yaml", "--steps", "3", "--within", "2e-5", "--set",
                                    "time.step={size: 0.02}", "--set", "parameters.reynolds=30"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text :
       {"pressure alone: cg + jacobi with a tolerance of 1e-02 leaves every quantity within "
        "2e-05\n",
        "transport alone: bicgstab + jacobi with a tolerance of 1e-04 leaves every quantity within "
        "2e-05\n",
        "together they change max_speed by 2.1e-05, more than 2e-05: their changes add up; "
        "pressure, whose own change is the largest, goes from 1e-02 to 1e-03\n"})
    EXPECT_THAT(result.out, HasSubstr(text));
  const std::string advice = result.out.substr(result.out.find("put this in the file:"));
  EXPECT_THAT(advice, testing::ContainsRegex("pressure: .* tolerance: 0.001,"));
  EXPECT_THAT(advice, testing::ContainsRegex("transport: .* tolerance: 1.0e-04,"));
}

TEST(StudyCommand, says_what_part_of_a_step_its_advice_saves) {
  const Folder folder(small_cavity +
                      "solvers: {pressure: {method: gmres, restart: 2, preconditioner: {kind: "
                      "none}, tolerance: 1.0e-11, max_iterations: 20000}}\n");
  const auto result = folder.hodge({"study", "f.yaml", "--steps", "15", "--tolerances", "1e-8,1e-6",
                                    "--within", "1e-3", "--set", "time.steps=15"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("\npressure: [0-9.]+ % of a step saved\n"));
  EXPECT_THAT(result.out, HasSubstr("put this in the file:\nsolvers:\n  pressure: {method: "));
}

}  // namespace
}  // namespace hodge::tools
