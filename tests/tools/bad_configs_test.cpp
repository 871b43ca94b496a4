// Every file of bad_configs is wrong in one way. Its first line says what `hodge check` answers,
// and `hodge run` with and without --dry-run:
//
//   # expect: 4:9: time.end is 'abc', expected a number > 0
//
// which is the whole of stderr behind the file's name and a colon; where it ends in `...`, as the
// list of all cases does, the beginning of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/yaml_files.hpp"

namespace hodge::tools {
namespace {

const std::filesystem::path bad_configs = tests::source_dir() / "tests/tools/bad_configs";

std::string expected_message(const std::filesystem::path& file) {
  const std::string text = test::read_text(file), mark = "# expect: ";
  if (!text.starts_with(mark)) return "a first line '# expect: ...'";
  return text.substr(mark.size(), text.find('\n') - mark.size());
}

void expect_message(const std::string& err, std::string expected) {
  if (expected.ends_with("...")) {
    EXPECT_TRUE(err.ends_with('\n') && std::count(err.begin(), err.end(), '\n') == 1) << err;
    expected.resize(expected.size() - 3);
    EXPECT_EQ(err.substr(0, expected.size()), expected);
  } else {
    EXPECT_EQ(err, expected + "\n");
  }
}

class BadConfig : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadConfig, is_refused_in_one_line_and_nothing_is_written) {
  const test::TemporaryDirectory empty;
  const std::string file = GetParam().string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", file}, {"run", file, "--dry-run"}, {"run", file}}) {
    const test::ProgramResult result = test::run_hodge(words, empty.path());
    EXPECT_EQ(result.exit_code, 2);
    expect_message(result.err, file + ":" + expected_message(file));
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadConfig, testing::ValuesIn(test::yaml_files(bad_configs)),
                         [](const auto& file) { return test::test_name(file.param); });

TEST(BadConfigs, are_many) {
  EXPECT_GE(test::yaml_files(bad_configs).size(), 35u);
}

}  // namespace
}  // namespace hodge::tools
