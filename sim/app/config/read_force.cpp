// force: what drives the fluid, as a list (per unit of mass), or as a map with flow rates:
//
//   force: [0.01, 0, 0]
//   force: {flow_rate: [1, 0, free], acceleration: [0, 0, "0.1*sin(t)"]}
//   force: ["-0.5*u", "9.81*0.003*(temperature - 300)"]
//
// and rotation, of every case.
#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr const char* free_axis = "free";

std::string expected_flow_rate() {
  return fmt::format("a number, a formula of t, or {}", free_axis);
}

// What YAML writes of a flow rate.
std::string flow_rate_text(const std::optional<Expression>& rate) {
  return rate ? double_quoted(rate->text()) : free_axis;
}

ValueReader flow_rate(std::optional<Expression>& out, const FormulaScope& scope) {
  const std::string expected = expected_flow_rate();
  const auto read = [&out, scope, expected](const ConfigValue& value) {
    out.reset();
    if (value.is(YamlNode::Kind::scalar) && value.node.scalar == free_axis) return;
    if (!value.is(YamlNode::Kind::scalar)) throw value.wrong(expected);
    Expression rate = 0;
    formula(rate, scope).read(value);
    for (int d = 0; d < 3; ++d)
      if (rate.depends_on(d))
        throw value.error(": the formula {} has {} in it, expected {}", quote(value.node.scalar),
                          axis_names[d], expected);
    out = rate;
  };
  const auto describe = [&out, scope, expected] {
    Expression rate = 0;
    std::string word;
    return ValueShape{
        .kind = ValueShape::Kind::choice,
        .expected = expected,
        .value = flow_rate_text(out),
        .choices = {formula(rate, scope).describe(), one_of(word, "word", {free_axis}).describe()}};
  };
  return {expected, read, describe, [&out] { return flow_rate_text(out); }};
}

ValueReader flow_rates(FlowRates& out, const FormulaScope& scope) {
  const std::string expected = fmt::format("a list of {} flow rates, one an axis", scope.dim);
  return each_axis(out, scope.dim, expected, expected,
                   [scope](std::optional<Expression>& item) { return flow_rate(item, scope); });
}

ValueReader force_map(CustomSettings& custom, const FormulaScope& scope,
                      const FormulaScope& of_flow) {
  return in_one_line(
      map_of({required("flow_rate", flow_rates(custom.flow_rate, scope),
                       "per axis the flow through a section, held by a mean pressure gradient; "
                       "formulas of t; L^3/T, in 2D L^2/T; free: not held"),
              optional("acceleration", formulas(custom.force, of_flow),
                       "as the list: per unit of mass, added to what the flow rates take")}));
}

}  // namespace

ValueReader force_section(CustomSettings& custom, const FormulaScope& scope,
                          const std::vector<std::string>& variables) {
  FormulaScope of_flow = scope;
  of_flow.names.variables = variables;
  const ValueReader list = formulas(custom.force, of_flow), map = force_map(custom, scope, of_flow);
  const std::string expected = list.expected + ", or a map with flow_rate";
  return {expected,
          [=](const ConfigValue& value) {
            if (value.is(YamlNode::Kind::map)) return map.read(value);
            if (!value.is(YamlNode::Kind::list)) throw value.wrong(expected);
            list.read(value);
          },
          [=] {
            const ValueShape alone = list.describe();
            return ValueShape{.kind = ValueShape::Kind::choice,
                              .expected = expected,
                              .value = alone.value,
                              .choices = {alone, map.describe()}};
          },
          [=, &custom] { return has_flow_rate(custom.flow_rate) ? map.write() : list.write(); }};
}

ValueReader rotation_section(std::optional<Point>& rotation, const FormulaScope& scope) {
  const std::string expected =
      scope.dim == 2 ? "a number, or a list of 3 numbers, [0, 0, Omega]" : "a list of 3 numbers";
  return optional_value(rotation, [=](Point& out) {
    const ValueReader list = each_axis(out, 3, expected, expected,
                                       [scope](double& item) { return constant(item, {}, scope); });
    const auto read = [=, &out](const ConfigValue& value) {
      out = {};
      if (scope.dim == 2 && value.is(YamlNode::Kind::scalar))
        return constant(out[2], {}, scope).read(value);
      list.read(value);
      for (std::size_t d = 0; scope.dim == 2 && d < 2; ++d)
        if (out[d] != 0)
          throw value.item(d).error(" is {}, and the grid is 2D, expected 0: it rotates about z",
                                    number_text(out[d]));
    };
    const auto describe = [=, &out] {
      const ValueShape three = list.describe();
      if (scope.dim != 2) return three;
      return ValueShape{.kind = ValueShape::Kind::choice,
                        .expected = expected,
                        .value = three.value,
                        .choices = {constant(out[2], {}, scope).describe(), three}};
    };
    return ValueReader{expected, read, describe, list.write};
  });
}

// Along an axis whose sides are walls nothing flows, which 0 says too.
void check_flow_rates(const ConfigValue& force, const CustomSettings& custom, int dim) {
  const auto rates = force.is(YamlNode::Kind::map) ? force.find("flow_rate") : std::nullopt;
  for (int axis = 0; rates && axis < dim; ++axis) {
    const std::optional<Expression>& rate = custom.flow_rate[axis];
    if (!rate || custom.boundaries.periodic(axis)) continue;
    const auto& sides = custom.boundaries.sides[axis];
    const bool is_closed = sides[0].traits().is_closed() && sides[1].traits().is_closed();
    if (is_closed && rate->is_zero()) continue;
    throw rates->item(static_cast<std::size_t>(axis))
        .error(" is {}, and the sides along {} are not periodic, expected {}: {}",
               quote(rate->text()), axis_names[axis], is_closed ? "0" : free_axis,
               is_closed ? "nothing flows through walls" : "the sides decide what flows");
  }
}

}  // namespace hodge::sim
