// A viscosity or diffusivity: a number, a formula of place, time, the shear rate and scalars; a
// viscosity also as a model of the shear rate:
//
//   viscosity: "0.01*exp(-0.5*temperature)"
//   viscosity: {model: power_law, consistency: 0.1, exponent: 0.5, least_shear_rate: 1.0e-3}
#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {
namespace {

// What a model has and lacks of the keys.
void check_rheology(const ConfigValue& value, const std::string& name) {
  const auto model = std::ranges::find(
      rheology_table(), name, [](const RheologyModel& of) { return std::string(of.name); });
  for (const RheologyParameter& parameter : rheology_parameters()) {
    const bool has = value.has(parameter.name);
    const bool needs = std::ranges::count(model->parameters, parameter.name) > 0;
    if (needs && !has)
      throw value.missing(parameter.name,
                          fmt::format("a number{}, which {} needs", parameter.range.text(), name));
    if (has && !needs)
      value.refuse(parameter.name, ": {} has no such parameter, expected {}", name,
                   join(model->parameters));
  }
}

ValueReader rheology_map(Rheology& fluid, const FormulaScope& scope) {
  std::vector<std::string> models;
  for (const RheologyModel& model : rheology_table()) models.emplace_back(model.name);
  std::vector<Key> keys{required("model", one_of(fluid.model, "model of a viscosity", models),
                                 "how it depends on the shear rate")};
  for (const RheologyParameter& parameter : rheology_parameters()) {
    const std::string name = parameter.name;
    ValueReader value = through<double>(
        [scope, range = parameter.range](double& out) { return constant(out, range, scope); },
        [&fluid, name] {
          const auto found = fluid.parameters.find(name);
          return found == fluid.parameters.end() ? std::optional<double>() : found->second;
        },
        [&fluid, name](double read, const ConfigValue&) { fluid.parameters[name] = read; });
    keys.push_back(optional(name, with_default(std::move(value), ""), parameter.description));
  }
  return in_one_line(map_of(
      std::move(keys), [&fluid](const ConfigValue& value) { check_rheology(value, fluid.model); }));
}

}  // namespace

FormulaScope coefficient_scope(FormulaScope scope, const std::vector<std::string>& scalars) {
  scope.names.variables = coefficient_variables(scalars);
  return scope;
}

ValueReader coefficient(double& number, std::optional<Expression>& varying,
                        const FormulaScope& scope) {
  const ValueReader fixed = constant(number, at_least(0), scope);
  const std::string expected = "a number >= 0 or a formula";
  const auto read = [=, &number, &varying](const ConfigValue& value) {
    varying.reset();
    if (!value.is(YamlNode::Kind::scalar)) throw value.wrong(expected);
    Expression f = 0;
    formula(f, scope).read(value);
    if (f.is_constant()) return fixed.read(value);
    varying = f;
    number = 0;
  };
  const auto describe = [=] {
    ValueShape shape = with_example(fixed, "0.01").describe();
    shape.expected = expected;
    return shape;
  };
  const auto write = [=, &varying] {
    return varying ? formula(varying, scope).write() : fixed.write();
  };
  return {expected, read, describe, write};
}

ValueReader viscosity(CustomSettings& custom, const FormulaScope& scope) {
  const ValueReader number = coefficient(custom.viscosity, custom.varying_viscosity, scope);
  const ValueReader model = rheology_map(custom.rheology, scope);
  const std::string expected = number.expected + ", or a map with model";
  const auto read = [=, &custom](const ConfigValue& value) {
    custom.rheology = {};
    if (!value.is(YamlNode::Kind::map)) {
      if (!value.is(YamlNode::Kind::scalar)) throw value.wrong(expected);
      return number.read(value);
    }
    if (!collect(value, [&] { model.read(value); })) return;
    custom.viscosity = 0;
    custom.varying_viscosity = viscosity_of(custom.rheology);
  };
  return {expected, read,
          [=] {
            const ValueShape alone = number.describe();
            return ValueShape{.kind = ValueShape::Kind::choice,
                              .expected = expected,
                              .value = alone.value,
                              .example = alone.example,
                              .choices = {alone, model.describe()}};
          },
          [=, &custom] { return custom.rheology.model.empty() ? number.write() : model.write(); }};
}

// The default of the constant is the model's.
ValueReader turbulence_section(Turbulence& turbulence) {
  const auto complete = [&turbulence](const ConfigValue& value) {
    for (const Closure& closure : closure_table())
      if (closure.name == turbulence.model && !value.has("constant"))
        turbulence.constant = closure.constant;
  };
  return in_one_line(map_of(
      {required("model", one_of(turbulence.model, "turbulence model", names_of(closure_table())),
                "of the eddy viscosity"),
       optional("constant", with_default(number(turbulence.constant, above(0)), ""),
                "C of the model; without it smagorinsky 0.1, wale 0.325, vreman 0.07, sigma 1.35; "
                "of dynamic_smagorinsky the largest C_s that it may find, without it 0.3"),
       optional("average",
                written_if(one_of(turbulence.average, "average",
                                  {average_names.begin(), average_names.end()}),
                           [&turbulence] { return !turbulence.average.empty(); }),
                "of dynamic_smagorinsky: over all periodic axes (the default where there are any), "
                "or local: over 27 cells"),
       optional("prandtl", number(turbulence.prandtl, above(0)),
                "eddy viscosity over eddy diffusivity, of all scalars")},
      complete));
}

}  // namespace hodge::sim
