#include "sim/app/config/formula_values.hpp"

#include "sim/app/config/readers.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

Expression parse(const YamlNode& value, const std::string& path, const FormulaScope& scope,
                 const std::string& expected) {
  if (value.kind != YamlNode::Kind::scalar) throw wrong_value(value, path, expected);
  try {
    return Expression::parse(value.scalar, scope.names);
  } catch (const ConfigError& error) {
    throw config_error(value.place, "{}: {}", path, error.what());
  }
}

std::string variables(const FormulaScope& scope) {
  std::vector<std::string> names{"x", "y"};
  if (scope.dim == 3) names.emplace_back("z");
  if (scope.varies_in_time) names.emplace_back("t");
  const auto& extra = scope.names.variables;
  names.insert(names.end(), extra.begin(), extra.end());
  return join(names);
}

Expression parse_formula_value(const YamlNode& value, const std::string& path,
                               const FormulaScope& scope) {
  const std::string expected = "a number or a formula of " + variables(scope);
  Expression formula = parse(value, path, scope, expected);
  const auto refuse = [&](int variable, const char* why) {
    if (!formula.depends_on(variable)) return;
    throw config_error(value.place, "{}: the formula {} has {} in it, {}, expected {}", path,
                       quote(value.scalar), space_and_time()[variable], why, expected);
  };
  if (scope.dim == 2) refuse(2, "and the grid is 2D");
  if (!scope.varies_in_time) refuse(3, "which is not known there");
  return formula;
}

double parse_constant(const YamlNode& value, const std::string& path, const Range& range,
                      const FormulaScope& scope) {
  const std::string expected = "a number" + range.text() + " or a formula of the parameters";
  const Expression formula = parse(value, path, scope, expected);
  if (!formula.is_constant()) {
    throw config_error(value.place, "{}: the formula {} varies in space or time, expected {}", path,
                       quote(value.scalar), expected);
  }
  const double number = formula({}, 0);
  if (range.contains(number)) return number;
  const std::string shown = number_text(number);
  if (shown == value.scalar) throw wrong_value(value, path, expected);
  throw config_error(value.place, "{} is {} = {}, expected {}", path, quote(value.scalar), shown,
                     expected);
}

ValueShape formula_shape(std::string expected, const Range& range) {
  return {.kind = ValueShape::Kind::formula, .expected = std::move(expected), .range = range};
}

std::string expected_list(const char* of, const FormulaScope& scope) {
  return fmt::format("a list of {} {}, one an axis", scope.dim, of);
}

}  // namespace

// Written in quotes, because a formula may look like anything else to YAML.
ValueReader formula(Expression& out, const FormulaScope& scope) {
  const ValueReader reader = single(
      out, formula_shape("a number or a formula of " + variables(scope), {}),
      [scope](const YamlNode& value, const std::string& path) {
        return parse_formula_value(value, path, scope);
      },
      [](const Expression& value) { return value.text(); });
  return in_quotes(reader);
}

ValueReader formula(std::optional<Expression>& out, const FormulaScope& scope) {
  return optional_value(out, [scope](Expression& value) { return formula(value, scope); });
}

ValueReader formulas(Formulas3& out, const FormulaScope& scope) {
  const std::string expected = expected_list("formulas", scope);
  return each_axis(out, scope.dim, expected, expected,
                   [scope](Expression& item) { return formula(item, scope); });
}

ValueReader formulas(std::optional<Formulas3>& out, const FormulaScope& scope) {
  return optional_value(out, [scope](Formulas3& value) { return formulas(value, scope); });
}

ValueReader constant(double& out, Range range, const FormulaScope& scope) {
  return single(
      out, formula_shape("a number" + range.text() + " or a formula of the parameters", range),
      [range, scope](const YamlNode& value, const std::string& path) {
        return parse_constant(value, path, range, scope);
      },
      [range](double value) { return range.contains(value) ? number_text(value) : ""; });
}

ValueReader constants(std::array<double, 3>& out, const FormulaScope& scope) {
  const std::string expected = expected_list("numbers", scope);
  return each_axis(out, scope.dim, expected, expected,
                   [scope](double& item) { return constant(item, {}, scope); });
}

}  // namespace hodge::sim
