#include "sim/app/config/formula_values.hpp"

#include <algorithm>

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

// A formula such as max(x, 0) without quotes, of which a list in brackets makes two items.
bool was_cut_at_a_comma(const YamlNode& list) {
  return std::any_of(list.items.begin(), list.items.end(), [](const YamlNode& item) {
    return std::count(item.scalar.begin(), item.scalar.end(), '(') !=
           std::count(item.scalar.begin(), item.scalar.end(), ')');
  });
}

// Reads a list of one item an axis.
template <typename T, typename ReadItem>
void read_vector(std::array<T, 3>& out, const YamlNode& value, const std::string& path, int dim,
                 const std::string& expected, ReadItem read_item) {
  if (value.kind != YamlNode::Kind::list) throw wrong_value(value, path, expected);
  if (static_cast<int>(value.items.size()) != dim) {
    throw config_error(value.place, "{} is a list of {}, expected {}{}", path, value.items.size(),
                       expected,
                       was_cut_at_a_comma(value) ? "; a formula with commas stands in quotes" : "");
  }
  out = {};
  for (int d = 0; d < dim; ++d) {
    out[d] = read_item(value.items[d], fmt::format("{}[{}]", path, d));
  }
}

std::string expected_list(const char* of, const FormulaScope& scope) {
  return fmt::format("a list of {} {}, one an axis", scope.dim, of);
}

ValueShape formula_shape(const std::string& expected, const Range& range) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::formula;
  shape.expected = expected;
  shape.range = range;
  return shape;
}

ValueShape shape_of(const Expression& out, const FormulaScope& scope) {
  ValueShape shape = formula_shape("a number or a formula of " + variables(scope), {});
  shape.value = out.text();
  return shape;
}

ValueShape shape_of(const std::optional<Expression>&, const FormulaScope& scope) {
  return formula_shape("a number or a formula of " + variables(scope), {});
}

// Of a list of one an axis; `values` are the defaults, where there are any.
ValueShape list_shape(const std::string& expected, const ValueShape& item, int dim,
                      const std::vector<std::string>& values) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::list;
  shape.expected = expected;
  shape.items = {item};
  shape.fewest = shape.most = static_cast<std::size_t>(dim);
  if (!values.empty()) shape.value = fmt::format("[{}]", join(values));
  return shape;
}

std::vector<std::string> texts(const std::array<Expression, 3>& values, int dim) {
  std::vector<std::string> all;
  for (int d = 0; d < dim; ++d) all.push_back(values[d].text());
  return all;
}

std::vector<std::string> texts(const std::array<double, 3>& values, int dim) {
  std::vector<std::string> all;
  for (int d = 0; d < dim; ++d) all.push_back(number_text(values[d]));
  return all;
}

}  // namespace

ValueReader formula(Expression& out, const FormulaScope& scope) {
  return {"a number or a formula of " + variables(scope),
          [&out, scope](const YamlNode& value, const std::string& path) {
            out = parse_formula_value(value, path, scope);
          },
          [&out, scope] { return shape_of(out, scope); }};
}

ValueReader formula(std::optional<Expression>& out, const FormulaScope& scope) {
  return {"a number or a formula of " + variables(scope),
          [&out, scope](const YamlNode& value, const std::string& path) {
            out = parse_formula_value(value, path, scope);
          },
          [&out, scope] { return shape_of(out, scope); }};
}

ValueReader formulas(std::array<Expression, 3>& out, const FormulaScope& scope) {
  const std::string expected = expected_list("formulas", scope);
  return {expected,
          [&out, scope, expected](const YamlNode& value, const std::string& path) {
            read_vector(out, value, path, scope.dim, expected,
                        [&scope](const YamlNode& item, const std::string& item_path) {
                          return parse_formula_value(item, item_path, scope);
                        });
          },
          [&out, scope, expected] {
            return list_shape(expected, shape_of(std::optional<Expression>(), scope), scope.dim,
                              texts(out, scope.dim));
          }};
}

ValueReader formulas(std::optional<std::array<Expression, 3>>& out, const FormulaScope& scope) {
  return {expected_list("formulas", scope),
          [&out, scope](const YamlNode& value, const std::string& path) {
            formulas(out.emplace(), scope).read(value, path);
          },
          [scope] {
            return list_shape(expected_list("formulas", scope),
                              shape_of(std::optional<Expression>(), scope), scope.dim, {});
          }};
}

ValueReader constant(double& out, Range range, const FormulaScope& scope) {
  const std::string expected = "a number" + range.text() + " or a formula of the parameters";
  return {expected,
          [&out, range, scope](const YamlNode& value, const std::string& path) {
            out = parse_constant(value, path, range, scope);
          },
          [&out, range, expected] {
            ValueShape shape = formula_shape(expected, range);
            if (range.contains(out)) shape.value = number_text(out);
            return shape;
          }};
}

ValueReader constants(std::array<double, 3>& out, const FormulaScope& scope) {
  const std::string expected = expected_list("numbers", scope);
  return {expected,
          [&out, scope, expected](const YamlNode& value, const std::string& path) {
            read_vector(out, value, path, scope.dim, expected,
                        [&scope](const YamlNode& item, const std::string& item_path) {
                          return parse_constant(item, item_path, {}, scope);
                        });
          },
          [&out, scope, expected] {
            const std::string item = "a number or a formula of the parameters";
            return list_shape(expected, formula_shape(item, {}), scope.dim, texts(out, scope.dim));
          }};
}

}  // namespace hodge::sim
