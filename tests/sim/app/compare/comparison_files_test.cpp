// compare.csv, compare_history.csv and compare.md from solves that are made up.
#include "sim/app/compare/comparison_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Commas outside quotes.
long commas(const std::string& line) {
  long count = 0;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    count += !inside && c == ',';
  }
  return count;
}

ComparedSystem system_with_all_outcomes() {
  ComparedSystem system;
  system.step = 3;
  system.time = 0.25;
  system.name = "pressure";
  system.rhs_mean = 1e-17;
  system.reference = "gauss";
  ComparedSolve solve;
  solve.configured = true;
  solve.report.status = linalg::SolveStatus::converged;
  solve.report.iterations = 2;
  solve.report.history = {1, 0.125, 1e-9};
  solve.difference = 1e-10;
  system.solves.push_back(solve);
  solve.configured = false;
  solve.settings.method = "gmres";
  solve.report.status = linalg::SolveStatus::breakdown;
  solve.report.breakdown = linalg::Breakdown::indefinite_operator;
  solve.report.history = {1};
  system.solves.push_back(solve);
  solve = {};
  solve.not_run = "it needs 3 GB, and \"2\" are there";
  system.solves.push_back(solve);
  return system;
}

TEST(ComparisonFiles, every_row_has_every_column) {
  const test::TemporaryDirectory folder;
  ComparisonFiles files(folder.path(), std::nullopt, {});
  files.add(system_with_all_outcomes());
  const auto lines = lines_of(test::read_text(folder / "compare.csv"));
  ASSERT_EQ(lines.size(), 4U);
  for (const std::string& line : lines) EXPECT_EQ(commas(line), commas(lines[0])) << line;
  EXPECT_THAT(lines[1], HasSubstr("3,0.25,pressure,pressure,0,0,cg,none,yes,converged,,2,"));
  EXPECT_THAT(lines[2], HasSubstr("gmres(30),none,no,breakdown,\"p.Ap <= 0"));
  EXPECT_THAT(lines[3], HasSubstr("not_run,\"it needs 3 GB, and \"\"2\"\" are there\""));
  EXPECT_FALSE(std::filesystem::exists(folder / "compare_history.csv"));
}

TEST(ComparisonFiles, histories_are_written_where_they_are_asked_for) {
  const test::TemporaryDirectory folder;
  CompareSettings settings;
  settings.histories = true;
  ComparisonFiles files(folder.path(), std::nullopt, settings);
  files.add(system_with_all_outcomes());
  EXPECT_EQ(test::read_text(folder / "compare_history.csv"),
            "step,system,method,preconditioner,iteration,residual\n"
            "3,pressure,cg,none,0,1\n3,pressure,cg,none,1,0.125\n3,pressure,cg,none,2,1e-09\n"
            "3,pressure,gmres(30),none,0,1\n");
}

TEST(ComparisonFiles, a_run_that_goes_on_keeps_the_rows_before_it) {
  const test::TemporaryDirectory folder;
  ComparedSystem system = system_with_all_outcomes();
  {
    ComparisonFiles files(folder.path(), std::nullopt, {});
    files.add(system);
    system.step = 9;
    files.add(system);
  }
  const auto before = lines_of(test::read_text(folder / "compare.csv"));
  ComparisonFiles files(folder.path(), 8, {});
  auto kept = lines_of(test::read_text(folder / "compare.csv"));
  EXPECT_EQ(kept, std::vector<std::string>(before.begin(), before.begin() + 4));
  files.add(system);
  EXPECT_EQ(lines_of(test::read_text(folder / "compare.csv")), before);
}

TEST(ComparisonFiles, the_summary_is_written_at_the_end_and_said) {
  const test::TemporaryDirectory folder;
  ComparisonFiles files(folder.path(), std::nullopt, {});
  files.add(system_with_all_outcomes());
  EXPECT_FALSE(std::filesystem::exists(folder / "compare.md"));
  EXPECT_THAT(files.finish(), HasSubstr("pressure: keep cg + none"));
  EXPECT_THAT(test::read_text(folder / "compare.md"), HasSubstr("**pressure: keep cg + none"));
}

}  // namespace
}  // namespace hodge::sim
