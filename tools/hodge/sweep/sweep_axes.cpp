#include <algorithm>
#include <array>
#include <set>

#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {
namespace {

constexpr const char* expected_form =
    "expected KEY=VALUE,VALUE,..., for example parameters.reynolds=50,100 or "
    "'grid.cells=[64, 64],[128, 128]'";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// At commas that stand in no brackets and no quotes. Empty where these do not close.
std::vector<std::string> values_in(const std::string& list) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = 0;
  for (const char c : list) {
    const bool opens = c == '[' || c == '{' || c == '(', closes = c == ']' || c == '}' || c == ')';
    if (quote == 0 && depth == 0 && c == ',') {
      values.emplace_back();
      continue;
    }
    values.back() += c;
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (opens || closes) {
      depth += opens ? 1 : -1;
    }
  }
  if (depth != 0 || quote != 0) return {};
  std::ranges::transform(values, values.begin(), trimmed);
  return values;
}

SweepAxis axis_of(const std::string& over) {
  const std::size_t equals = over.find('=');
  if (equals == std::string::npos || equals == 0)
    throw wrong_input("--over {}: {}", sim::one_line(over), expected_form);
  const SweepAxis axis{over.substr(0, equals), "", values_in(over.substr(equals + 1)), {}};
  if (axis.values.empty())
    throw wrong_input("--over {}: a bracket or a quote does not close; {}", sim::one_line(over),
                      expected_form);
  std::set<std::string> seen;
  for (const std::string& value : axis.values) {
    if (value.empty())
      throw wrong_input("--over {}: an empty value; {}", sim::one_line(over), expected_form);
    if (!seen.insert(value).second)
      throw wrong_input("--over {}: the value {} stands there twice, expected once",
                        sim::one_line(over), sim::quote(value));
  }
  if (axis.key == "output" || axis.key.starts_with("output.directory"))
    throw wrong_input(
        "--over {}: a sweep names the run directories itself; --output DIR is the folder of all",
        sim::one_line(over));
  return axis;
}

std::string last_part(const std::string& key) {
  return key.substr(key.rfind('.') + 1);  // npos + 1 is 0
}

// Numbers pick items of lists; the names are those of other columns (sweep_table.cpp).
bool says_too_little(const std::string& name) {
  constexpr std::array taken{"run", "status",  "exit_code", "end", "steps",
                             "t",   "seconds", "from",      "to",  "message"};
  return name.find_first_not_of("0123456789") == std::string::npos ||
         std::ranges::find(taken, name) != taken.end();
}

}  // namespace

std::vector<SweepAxis> sweep_axes(const std::vector<std::string>& over) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : over) {
    axes.push_back(axis_of(text));
    const std::string& key = axes.back().key;
    if (std::ranges::count(axes, key, &SweepAxis::key) > 1)
      throw wrong_input("--over names {} twice, expected all its values in one list",
                        sim::quote(key));
  }
  for (SweepAxis& axis : axes) {
    const auto ends_alike = [&](const SweepAxis& other) {
      return last_part(other.key) == last_part(axis.key);
    };
    const bool short_name =
        std::ranges::count_if(axes, ends_alike) == 1 && !says_too_little(last_part(axis.key));
    axis.column = short_name ? last_part(axis.key) : axis.key;
  }
  return axes;
}

}  // namespace hodge::tools
