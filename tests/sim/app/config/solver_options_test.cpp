// The settings of solvers and preconditioners, which are tables in linalg: the configuration takes
// and writes each of them, and CONFIGURATION.md describes it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "linalg/solve/registry.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using linalg::Option;
using testing::HasSubstr;

// A value that is not the default, at the end of the range.
linalg::OptionValue another_value(const Option& option) {
  if (option.or_number) return 0.5 * (option.range.lower + 1);
  if (!option.names.empty())
    return option.value_text() == option.names.back() ? option.names.front() : option.names.back();
  if (std::holds_alternative<double>(option.value)) return 0.5 * (option.range.lower + 1);
  return static_cast<int>(option.range.upper);
}

// "{kind: ssor_sai, form: truncated, alpha: 0.5}": with what the option needs.
linalg::PreconditionerSettings with_option(const char* kind, const Option& option) {
  linalg::PreconditionerSettings settings = transport_preconditioner(kind);
  const std::size_t space = option.only_with.find(' ');
  if (space != std::string::npos) {
    const std::string value = option.only_with.substr(space + 1);
    settings.options[option.only_with.substr(0, space)] = value.substr(0, value.find(' '));
  }
  settings.options[option.name] = another_value(option);
  return settings;
}

SystemSettings read(const std::string& yaml, bool of_pressure = false) {
  SystemSettings solver = default_transport_solver(false);
  const YamlNode root = parse_yaml(yaml, "f.yaml");
  solver_section(solver, "", of_pressure).read({root, "solver"});
  return solver;
}

TEST(SolverOptions, every_option_of_a_preconditioner_is_read_and_written) {
  for (const auto& entry : linalg::preconditioner_table())
    for (const Option& option : entry.options({})) {
      const auto settings = with_option(entry.name, option);
      const std::string text = preconditioner_to_yaml(settings);
      EXPECT_THAT(
          text, HasSubstr(option.name + ": " + linalg::text_of(settings.options.at(option.name))));
      const auto read_back = read("{preconditioner: " + text + "}").preconditioner;
      EXPECT_EQ(preconditioner_to_yaml(read_back), text);
      EXPECT_EQ(brief_text(linalg::options_of(read_back)),
                brief_text(linalg::options_of(settings)));
      EXPECT_NE(brief_text(linalg::options_of(settings)), brief_text(entry.options({}))) << text;
    }
}

TEST(SolverOptions, every_option_of_a_solver_is_read_and_written) {
  for (const auto& entry : linalg::solver_table())
    for (const Option& option : entry.options({})) {
      const std::string value = linalg::text_of(another_value(option));
      const std::string key = option.name + ": " + value;
      const SystemSettings solver =
          read(fmt::format("{{method: {}, {}}}", entry.name, key), entry.needs_box);
      EXPECT_THAT(method_to_yaml(solver), HasSubstr(key));
    }
}

// Readers and command lines know an option by its name alone, and read what its first owner takes.
TEST(SolverOptions, options_of_one_name_take_values_that_the_first_owner_takes) {
  std::set<std::string> of_solvers;
  for (const auto& [option, owners] : linalg::solver_options()) of_solvers.insert(option.name);
  for (const auto& [first, owners] : linalg::preconditioner_options()) {
    EXPECT_FALSE(of_solvers.contains(first.name)) << first.name;
    for (const std::string& owner : owners) {
      const auto options = linalg::find_preconditioner(owner).options({});
      EXPECT_THAT(first.expected(),
                  testing::StartsWith(find_option(options, first.name)->expected()))
          << first.name;
    }
  }
}

TEST(SolverOptions, a_number_or_a_word_is_read_and_written) {
  for (const char* omega : {"auto", "0.75", "1"}) {
    const std::string map = fmt::format("{{kind: ssor_sai, omega: {}}}", omega);
    const auto settings = read("{preconditioner: " + map + "}").preconditioner;
    EXPECT_THAT(preconditioner_to_yaml(settings), HasSubstr(fmt::format("omega: {}", omega)));
  }
}

TEST(SolverOptions, the_documentation_has_a_row_for_each) {
  const std::string text = test::read_text(tests::source_dir() / "sim" / "CONFIGURATION.md");
  for (const auto& entry : linalg::preconditioner_table())
    for (const Option& option : linalg::options_of(transport_preconditioner(entry.name))) {
      std::string with = option.only_with.empty() ? "" : ", with `" + option.only_with + "`";
      if (const auto other = with.find(" or "); other != std::string::npos)
        with.replace(other, 4, "` or `");
      EXPECT_THAT(
          text, HasSubstr(fmt::format("| `{}` | `{}`{} | {} | {} | {} |\n", entry.name, option.name,
                                      with, option.expected(), option.value_text(), option.text)));
    }
  for (const auto& [option, owners] : linalg::solver_options())
    EXPECT_THAT(
        text, HasSubstr(fmt::format("| `{}` | of {}: {} | {} |\n", option.name,
                                    fmt::join(owners, " and "), option.text, option.value_text())));
}

}  // namespace
}  // namespace hodge::sim
