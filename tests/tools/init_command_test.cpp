// Starter files: right as they are, and with any one of their settings set; what they call a
// default is the one of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <tuple>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tools/hodge/init/starter_file.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;

std::vector<std::string> case_names() {
  return sim::names_of(cases::case_table());
}

std::string starter(const std::string& name, StarterForm form = StarterForm::brief) {
  return starter_text(*cases::find_case(name), cases::known_cases(), name + ".yaml", form);
}

sim::Settings settings_of(const std::string& text, const std::string& name) {
  return sim::settings_from_yaml(sim::parse_yaml(text, name + ".yaml"), name, cases::known_cases());
}

// What a run writes as config.yaml, or the complaint about the file.
std::string resolved(const std::string& text, const std::string& name) {
  try {
    return sim::settings_to_yaml(settings_of(text, name));
  } catch (const Error& error) {
    return std::string("wrong: ") + error.what();
  }
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

// A case and a form of its file.
class Starter : public testing::TestWithParam<std::tuple<std::string, StarterForm>> {
 protected:
  const std::string name = std::get<0>(GetParam());
  const StarterForm form = std::get<1>(GetParam());
  const std::string text = starter(name, form);
};

TEST_P(Starter, passes_check) {
  EXPECT_THAT(resolved(text, name), testing::StartsWith("case: " + name)) << text;
}

TEST_P(Starter, says_defaults_that_change_nothing_and_examples_that_are_right) {
  const std::string plain = resolved(text, name);
  const std::vector<std::string> lines = lines_of_text(text);
  int defaults = 0, examples = 0;
  bool header = true;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    header = header && lines[k].starts_with("#");
    const std::size_t mark = lines[k].find_first_not_of(' ');
    if (header || mark == std::string::npos || lines[k].compare(mark, 2, "# ") != 0) continue;
    std::vector<std::string> changed = lines;
    changed[k].erase(mark, 2);
    const std::string other = resolved(joined(changed), name);
    const bool is_example = lines[k].find("# example") != std::string::npos;
    ++(is_example ? examples : defaults);
    if (is_example)
      EXPECT_THAT(other, testing::Not(testing::StartsWith("wrong: "))) << changed[k];
    else
      EXPECT_EQ(other, plain) << changed[k];
  }
  EXPECT_GE(defaults, form == StarterForm::brief ? 3 : 10);
  EXPECT_GE(examples, form == StarterForm::brief ? 0 : 6);
}

TEST_P(Starter, sets_what_the_table_says) {
  for (const auto& [path, value] : cases::find_case(name)->starter) {
    const std::string key = path.substr(path.rfind('.') + 1);
    EXPECT_THAT(text, testing::ContainsRegex("\n *([a-z]+: [{])*" + key + ": ")) << path;
    EXPECT_THAT(text, HasSubstr(key + ": " + value)) << path;
  }
}

TEST_P(Starter, keeps_scalars_bounded_unless_it_asks_for_a_scheme) {
  const sim::Settings settings = settings_of(text, name);
  const bool asks = std::ranges::any_of(cases::find_case(name)->starter, [](const auto& value) {
    return value.path == "convection.scalars";
  });
  EXPECT_TRUE(asks || !settings.carries_scalars || sim::keeps_bounds(settings, {}));
}

TEST_P(Starter, fits_on_a_screen_unless_all_is_asked_for) {
  const std::vector<std::string> lines = lines_of_text(text);
  if (form == StarterForm::whole) {
    EXPECT_GT(lines.size(), 45u);
    return;
  }
  EXPECT_LE(lines.size(), 40u) << text;
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80u) << line;
}

INSTANTIATE_TEST_SUITE_P(Cases, Starter,
                         testing::Combine(testing::ValuesIn(case_names()),
                                          testing::Values(StarterForm::brief, StarterForm::whole)),
                         [](const auto& param) {
                           return std::get<0>(param.param) +
                                  (std::get<1>(param.param) == StarterForm::brief ? "" : "_all");
                         });

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

TEST(InitCommand, writes_every_setting_if_asked) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(test::run_hodge({"init", "custom", "a.yaml", "--all"}, folder.path()).exit_code, 0);
  const std::string brief = test::run_hodge({"init", "custom", "-"}, folder.path()).out;
  EXPECT_EQ(brief, starter("custom"));
  EXPECT_THAT(brief, HasSubstr("--all"));
  EXPECT_THAT(test::read_text(folder.path() / "a.yaml"), HasSubstr("# compare: "));
  EXPECT_EQ(test::run_hodge({"check", "a.yaml"}, folder.path()).exit_code, 0);
}

TEST(Starters, have_examples_of_solids_that_are_wide_enough) {
  EXPECT_THAT(starter("lid_driven_cavity", StarterForm::whole),
              HasSubstr("# solids: [{name: ball"));
  for (const std::string& name : case_names()) {
    const std::string text = starter(name, StarterForm::whole);
    const test::TemporaryDirectory folder;
    test::write_text(folder / "f.yaml",
                     std::regex_replace(text, std::regex("\n# solids:"), "\nsolids:"));
    EXPECT_THAT(test::run_hodge({"check", "f.yaml"}, folder.path()).err,
                testing::Not(HasSubstr("cells wide")))
        << name;
  }
}

TEST(InitCommand, replaces_a_file_only_if_asked) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "mine.yaml") << "mine\n";
  const test::ProgramResult refused = test::run_hodge({"init", "duct", "mine.yaml"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("mine.yaml: is there already"));
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
