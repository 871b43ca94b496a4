// Starter files: right as they are, and with any one of their settings set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tools/hodge/init/starter_file.hpp"
#include "tools/hodge/program/job.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;

std::vector<std::string> case_names() {
  return sim::names_of(cases::case_table());
}

std::string starter(const std::string& name) {
  const std::vector<sim::CaseSchema> schemas = case_schemas();
  const auto schema = std::find_if(schemas.begin(), schemas.end(),
                                   [&](const auto& entry) { return entry.name == name; });
  return starter_text(*cases::find_case(name),
                      sim::file_shape(*schema, schema->dimensions.front(), schemas),
                      name + ".yaml");
}

// The complaint about a file; empty where there is none.
std::string complaint(const std::string& text) {
  try {
    const sim::YamlNode root = sim::parse_yaml(text, "starter.yaml");
    sim::settings_from_yaml(root, "starter", case_schemas());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Starter : public testing::TestWithParam<std::string> {};

TEST_P(Starter, passes_check) {
  EXPECT_EQ(complaint(starter(GetParam())), "") << starter(GetParam());
}

TEST_P(Starter, stays_right_with_any_one_of_its_other_settings) {
  const std::vector<std::string> lines = lines_of_text(starter(GetParam()));
  int settings = 0;
  bool header = true;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    header = header && lines[k].starts_with("#");
    const std::size_t mark = lines[k].find_first_not_of(' ');
    if (header || mark == std::string::npos || lines[k].compare(mark, 2, "# ") != 0) continue;
    std::vector<std::string> changed = lines;
    changed[k].erase(mark, 2);
    EXPECT_EQ(complaint(joined(changed)), "") << changed[k];
    ++settings;
  }
  EXPECT_GE(settings, 12);
}

TEST_P(Starter, sets_what_the_table_says) {
  const std::string text = starter(GetParam());
  for (const auto& [path, value] : cases::find_case(GetParam())->starter) {
    const std::string key = path.substr(path.rfind('.') + 1);
    EXPECT_THAT(text, testing::ContainsRegex("\n *" + key + ": ")) << path;
    EXPECT_THAT(text, HasSubstr(key + ": " + value)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Starter, testing::ValuesIn(case_names()),
                         [](const auto& name) { return name.param; });

TEST(Starters, every_case_has_one) {
  for (const cases::Case& entry : cases::case_table()) EXPECT_FALSE(entry.starter.empty());
}

TEST(InitCommand, writes_a_file_that_check_and_run_take) {
  const test::TemporaryDirectory folder;
  const test::ProgramResult made = test::run_hodge({"init", "taylor_green"}, folder.path());
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.out, "taylor_green.yaml: edit it, then: hodge run taylor_green.yaml\n");
  EXPECT_EQ(test::read_text(folder.path() / "taylor_green.yaml"), starter("taylor_green"));
  EXPECT_EQ(test::run_hodge({"check", "taylor_green.yaml"}, folder.path()).exit_code, 0);
  EXPECT_EQ(test::run_hodge({"run", "taylor_green.yaml", "--device", "cpu", "--set", "time.steps=2",
                             "--set", "grid.cells=[8, 8]"},
                            folder.path())
                .exit_code,
            0);
}

TEST(InitCommand, replaces_a_file_only_if_asked) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "mine.yaml") << "mine\n";
  const test::ProgramResult refused = test::run_hodge({"init", "duct", "mine.yaml"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("mine.yaml is there already"));
  EXPECT_EQ(test::read_text(folder.path() / "mine.yaml"), "mine\n");
  EXPECT_EQ(test::run_hodge({"init", "duct", "mine.yaml", "--overwrite"}, folder.path()).exit_code,
            0);
  EXPECT_THAT(test::read_text(folder.path() / "mine.yaml"), HasSubstr("case: duct"));
}

TEST(InitCommand, a_wrong_case_gets_the_nearest_one) {
  const test::TemporaryDirectory folder;
  const test::ProgramResult result = test::run_hodge({"init", "taylor_gren"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown case 'taylor_gren', did you mean 'taylor_green'?"));
}

}  // namespace
}  // namespace hodge::tools
