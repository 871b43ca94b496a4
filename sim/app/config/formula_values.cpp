#include <algorithm>
#include <utility>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/formulas/formula_errors.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// Whether the formula has a name in it whose parameter, or whose scalar's name, is wrong.
bool has_wrong_name(const ConfigValue& value, const FormulaScope& scope) {
  if (value.mistakes == nullptr || value.mistakes->count() == 0) return false;
  const auto is_wrong = [&](const std::string& name) {
    const auto& scalars = scope.names.variables;
    return value.is_wrong_at("parameters." + name) ||
           (value.is_wrong_at("scalars." + name) &&
            std::find(scalars.begin(), scalars.end(), name) == scalars.end());
  };
  std::string name;
  for (const char c : value.node.scalar + " ") {
    const bool goes_on = is_letter(c) || (!name.empty() && c >= '0' && c <= '9');
    if (goes_on)
      name += c;
    else if (!name.empty() && is_wrong(std::exchange(name, {})))
      return true;
  }
  return false;
}

// Those of x, y, z, t that may not stand there, by their numbers.
using Refused = std::vector<int>;

std::vector<std::string> known_names(const FormulaScope& scope, const Refused& refused) {
  std::vector<std::string> names = value_names(scope.names);
  for (const int variable : refused) std::erase(names, space_and_time()[variable]);
  return names;
}

void note_tables(const Expression& formula, const FormulaScope& scope) {
  if (scope.inputs == nullptr) return;
  for (const InputFile& file : formula.files())
    if (std::ranges::count(*scope.inputs, file) == 0) scope.inputs->push_back(file);
}

// Without quotes `- y > 0.5 ? 1 : 0` is a map with one key to YAML.
[[noreturn]] void refuse_no_formula(const ConfigValue& value, const std::string& expected) {
  const auto& entries = value.node.entries;
  if (entries.size() == 1 && entries[0].key.scalar.find('?') != std::string::npos)
    throw value.error(
        " is a map, expected {}; a formula with ? and : stands in quotes, expected {}", expected,
        double_quoted(entries[0].key.scalar + " : " + entries[0].value.scalar));
  throw value.wrong(expected);
}

Expression parse(const ConfigValue& value, const FormulaScope& scope, const std::string& expected,
                 const Refused& refused) {
  if (!value.is(YamlNode::Kind::scalar)) refuse_no_formula(value, expected);
  if (has_wrong_name(value, scope)) throw FollowsFromMistake();
  try {
    FormulaNames names = scope.names;
    names.folder = folder_of(value);
    Expression formula = Expression::parse(value.node.scalar, names);
    note_tables(formula, scope);
    return formula;
  } catch (const UnknownName& error) {
    const UnknownName here(value.node.scalar, error.token, error.at, known_names(scope, refused));
    throw value.error(": {}", here.what());
  } catch (const ConfigError& error) {
    throw value.error(": {}", error.what());
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

Expression parse_formula_value(const ConfigValue& value, const FormulaScope& scope,
                               const std::string& expected) {
  constexpr int z = 2, t = 3;
  Refused refused;
  if (scope.dim == 2) refused.push_back(z);
  if (!scope.varies_in_time) refused.push_back(t);
  Expression formula = parse(value, scope, expected, refused);
  for (const int variable : refused)
    if (formula.depends_on(variable))
      throw value.error(": the formula {} has {} in it, {}, expected {}", quote(value.node.scalar),
                        space_and_time()[variable],
                        variable == z ? "and the grid is 2D" : "which is not known there",
                        expected);
  return formula;
}

double parse_constant(const ConfigValue& value, const FormulaScope& scope,
                      const ValueShape& shape) {
  const Expression formula = parse(value, scope, shape.expected, {0, 1, 2, 3});
  const std::string written = quote(value.node.scalar);
  if (!formula.is_constant())
    throw value.error(
        ": the formula {} varies in space or time, which is not supported yet, expected {}",
        written, shape.expected);
  const double number = formula({}, 0);
  if (shape.range.contains(number)) return number;
  const std::string shown = number_text(number);
  if (shown == value.node.scalar) throw value.wrong(shape.expected);
  throw value.error(" is {} = {}, expected {}", written, shown, shape.expected);
}

std::string expected_list(const char* of, const FormulaScope& scope) {
  return fmt::format("a list of {} {}, one an axis", scope.dim, of);
}

}  // namespace

// Written in quotes, because a formula may look like anything else to YAML.
ValueReader formula(Expression& out, const FormulaScope& scope) {
  const ValueShape shape{.kind = ValueShape::Kind::formula,
                         .expected = "a number or a formula of " + variables(scope)};
  return in_quotes(single(
      out, shape,
      [=](const ConfigValue& value) { return parse_formula_value(value, scope, shape.expected); },
      [](const Expression& value) { return value.text(); }));
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
  const ValueShape shape{.kind = ValueShape::Kind::formula,
                         .expected = "a number" + range.text() + " or a formula of the parameters",
                         .range = range};
  return single(
      out, shape, [=](const ConfigValue& value) { return parse_constant(value, scope, shape); },
      [range](double value) { return range.contains(value) ? number_text(value) : ""; });
}

ValueReader constants(std::array<double, 3>& out, const FormulaScope& scope) {
  const std::string expected = expected_list("numbers", scope);
  return each_axis(out, scope.dim, expected, expected,
                   [scope](double& item) { return constant(item, {}, scope); });
}

}  // namespace hodge::sim
