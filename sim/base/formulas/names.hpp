// The names that formulas know, and those that parameters and scalars may have.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hodge::sim {

// What a formula may name beside x, y, z, t, pi and the functions.
struct FormulaNames {
  std::map<std::string, double> constants{};  // the parameters of a case
  std::vector<std::string> variables{};       // such as the scalars of a reaction
};

const std::vector<std::string>& space_and_time();          // x, y, z, t: the first variables
const std::map<std::string, double>& formula_constants();  // pi, e

// What keeps a parameter or a scalar from having this name in formulas ("it is a function"), or
// nothing. The constant e gives way.
std::string name_refusal(const std::string& name);

// Errors: ConfigError for a name that is refused or stands twice.
void check_formula_names(const FormulaNames& names);

// All that may stand where a value is meant, and all functions.
std::vector<std::string> value_names(const FormulaNames& names);
std::vector<std::string> function_names();

}  // namespace hodge::sim
