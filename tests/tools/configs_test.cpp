// Every file of configs/ is accepted and can be run.
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/yaml_files.hpp"

namespace hodge::tools {
namespace {

const std::filesystem::path configs = tests::source_dir() / "configs";

class Config : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Config, passes_check_without_writing_anything) {
  const test::TemporaryDirectory empty;
  const test::ProgramResult result = test::run_hodge({"check", GetParam().string()}, empty.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with(GetParam().string() + ": ok\n")) << result.out;
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

TEST_P(Config, runs_its_first_two_steps_on_a_small_grid) {
  const test::TemporaryDirectory empty;
  const std::string text = test::read_text(GetParam());
  if (text.find("solids:") != std::string::npos || text.find("cylinder") != std::string::npos)
    GTEST_SKIP()
        << "8 cells a side miss its body; .ci/run takes these steps on the file's own grid";
  const bool three = std::regex_search(text, std::regex("\\n  cells: \\[\\d+, \\d+, \\d+\\]"));
  const test::ProgramResult result = test::run_hodge(
      {"run", GetParam().string(), "--device", "cpu", "--set", "time.steps=2", "--set",
       three ? "grid.cells=[8, 8, 8]" : "grid.cells=[8, 8]", "--output", "out"},
      empty.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(empty.path() / "out/config.yaml"));
}

INSTANTIATE_TEST_SUITE_P(Files, Config, testing::ValuesIn(test::yaml_files(configs)),
                         [](const auto& file) { return test::test_name(file.param); });

}  // namespace
}  // namespace hodge::tools
