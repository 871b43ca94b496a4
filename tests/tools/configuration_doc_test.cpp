// The tables of sim/CONFIGURATION.md say what the program's own tables say: every key of every
// section with its values, its default and what it is.
//
// A table stands below a line `<!-- keys of time -->` and an empty one. After a change of keys,
//   HODGE_WRITE_TABLES=1 build/tests/hodge_tools_tests --gtest_filter='ConfigurationDoc*'
// writes the tables anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "cases/registry.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/base/text.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using sim::KeyShape;
using sim::ValueShape;
using Kind = sim::ValueShape::Kind;

const std::filesystem::path documentation = tests::source_dir() / "sim/CONFIGURATION.md";

// Sides, axes and solvers have the same keys each, which stand once.
std::string generic(const std::string& key) {
  if (std::regex_match(key, std::regex("[xyz]_(lower|upper)"))) return "SIDE";
  return std::regex_match(key, std::regex("[xyz]")) ? "AXIS" : key;
}

std::string description(const KeyShape& key) {
  const std::string name = generic(key.name);
  if (name == "SIDE") return "one side of the box";
  return name == "AXIS" ? "the cells along one axis" : key.description;
}

std::string value_text(const ValueShape& shape) {
  if (shape.kind == Kind::yes_or_no) return "`true` or `false`";
  if (shape.kind == Kind::map) return shape.named.empty() ? "a map" : "a map of names";
  if (shape.kind == Kind::choice && shape.expected.empty()) return "a kind, or a map";
  if (shape.kind == Kind::text && !shape.names.empty())
    return fmt::format("`{}`", fmt::join(shape.names, "`, `"));
  return shape.expected;
}

std::string default_text(const KeyShape& key) {
  if (key.is_required) return "required";
  return key.value.value.empty() ? "" : "`" + key.value.value + "`";
}

// The rows of all keys below, each once.
class Rows {
 public:
  void add_below(const ValueShape& shape, const std::string& path) {
    for (const KeyShape& key : shape.keys) add(key, path + generic(key.name));
    for (const auto* parts : {&shape.items, &shape.choices})
      for (const ValueShape& part : *parts) add_below(part, path);
    for (const ValueShape& part : shape.named) add_below(part, path + "NAME.");
  }
  const std::string& text() const { return text_; }

 private:
  void add(const KeyShape& key, const std::string& path) {
    if (!known_.insert(path).second || is_known_of_list(path)) return;
    text_ += fmt::format("| `{}` | {} | {} | {} |\n", path, value_text(key.value),
                         default_text(key), description(key));
    const bool repeats = key.value.expected.starts_with("a list of solvers") ||
                         key.value.expected.starts_with("a list of shapes");
    if (!repeats && key.name != "region") add_below(key.value, path + ".");
  }

  // What may be a list, or a map of names, has the same keys in both.
  bool is_known_of_list(const std::string& path) const {
    return path.starts_with("NAME.") && known_.contains(path.substr(5));
  }

  std::set<std::string> known_;
  std::string text_;
};

// Of the case custom in 3D, which has all sections and all keys but one: in 2D forces have a
// length.
std::map<std::string, std::string> tables() {
  const std::vector<sim::CaseSchema> cases = cases::known_cases();
  const auto custom = std::find_if(cases.begin(), cases.end(),
                                   [](const auto& entry) { return entry.described_in_file; });
  std::map<std::string, std::string> all;
  for (const KeyShape& section : sim::file_shape(*custom, 3, cases).keys) {
    Rows rows;
    rows.add_below(section.value, "");
    if (!rows.text().empty())
      all[section.name] =
          "| key | value | default | what it is |\n|---|---|---|---|\n" + rows.text();
  }
  return all;
}

std::string mark_of(const std::string& section) {
  return "<!-- keys of " + section + " -->\n\n";
}

// Where the table of a section stands, from its mark to the next empty line.
std::pair<std::size_t, std::size_t> place_of_table(const std::string& text,
                                                   const std::string& section) {
  const std::size_t mark = text.find(mark_of(section));
  if (mark == std::string::npos) return {mark, 0};
  const std::size_t begin = mark + mark_of(section).size();
  return {begin, text.find("\n\n", begin - 1) + 1 - begin};
}

TEST(ConfigurationDoc, tables_have_every_key_with_its_default_and_description) {
  std::string text = test::read_text(documentation);
  const bool writes = std::getenv("HODGE_WRITE_TABLES") != nullptr;
  for (const auto& [section, table] : tables()) {
    if (section == "solvers") continue;  // its tables are by method and preconditioner
    const auto [begin, size] = place_of_table(text, section);
    ASSERT_NE(begin, std::string::npos) << "no line " << mark_of(section);
    if (writes)
      text.replace(begin, size, table);
    else
      EXPECT_EQ(text.substr(begin, size), table) << "the table of " << section;
  }
  if (writes) std::ofstream(documentation) << text;
}

TEST(ConfigurationDoc, explains_every_section_and_every_key_of_solvers) {
  const std::string text = test::read_text(documentation);
  const std::vector<sim::CaseSchema> cases = cases::known_cases();
  for (const sim::CaseSchema& entry : cases)
    for (const KeyShape& section : sim::file_shape(entry, entry.dimensions.front(), cases).keys) {
      EXPECT_THAT(text, testing::HasSubstr("`" + section.name + "`"));
      if (section.name != "solvers") continue;
      for (const KeyShape& system : section.value.keys)
        for (const KeyShape& key : system.value.keys)
          EXPECT_THAT(text, testing::HasSubstr("`" + key.name + "`"));
    }
}

}  // namespace
}  // namespace hodge::tools
