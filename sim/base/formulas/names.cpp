#include "sim/base/formulas/names.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const std::vector<std::string>& space_and_time() {
  static const std::vector<std::string> names{"x", "y", "z", "t"};
  return names;
}

const std::map<std::string, double>& formula_constants() {
  static const std::map<std::string, double> constants{{"pi", std::numbers::pi},
                                                       {"e", std::numbers::e}};
  return constants;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FormulaFunction& function : formula_function_table())
    names.emplace_back(function.name);
  return names;
}

std::vector<std::string> value_names(const FormulaNames& names) {
  std::vector<std::string> all = space_and_time();
  for (const auto& [name, value] : formula_constants()) all.push_back(name);
  for (const auto& [name, value] : names.constants.map())
    if (!formula_constants().contains(name)) all.push_back(name);
  for (const std::string& name : names.variables)
    if (!contains(all, name)) all.push_back(name);
  return all;
}

std::string name_refusal(const std::string& name) {
  if (!is_identifier(name))
    return "it is no name, expected at most 64 letters, digits and _, a letter first";
  if (contains(space_and_time(), name)) return "formulas know it as a coordinate or the time";
  if (contains(function_names(), name)) return "formulas know it as a function";
  if (name == "pi") return "formulas know it as 3.14159...";
  return "";
}

void check_formula_names(const FormulaNames& names) {
  const auto check = [](const std::string& name) {
    const std::string refusal = name_refusal(name);
    if (!refusal.empty())
      throw ConfigError("the name " + quote(name) + " cannot be used: " + refusal);
  };
  if (!names.constants.are_checked())
    for (const auto& [name, value] : names.constants.map()) check(name);
  std::set<std::string> seen;
  for (const std::string& name : names.variables) {
    check(name);
    if (names.constants.map().contains(name) || !seen.insert(name).second)
      throw ConfigError("the name " + quote(name) + " stands for two things, expected one");
  }
}

}  // namespace hodge::sim
