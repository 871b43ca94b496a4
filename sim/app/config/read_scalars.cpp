// scalars: what the fluid carries, by name.
//
//   scalars:
//     heat:
//       diffusivity: 0.01
//       initial: "1 - x"
//       boundaries: {x_lower: {value: 1}, y_upper: {convective: {coefficient: 2, value: 0}}}
#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t most_carried_scalars = 1000;
const char* const expected_condition =
    "one condition: {value: ...}, {flux: ...} or {convective: {coefficient: ..., value: ...}}";

// The value of a condition, for some beside a coefficient.
ValueReader condition_value(ScalarSide& side, const FormulaScope& scope,
                            const ScalarConditionTraits& traits) {
  const auto any = [&scope](Expression& out) { return with_default(formula(out, scope), ""); };
  if (!traits.has_coefficient()) return any(side.value);
  const auto check = [&side](const ConfigValue& value) {
    if (side.coefficient.is_constant() && side.coefficient({}, 0) < 0)
      value.refuse("coefficient", " is {}, expected a number >= 0 or a formula",
                   quote(side.coefficient.text()));
  };
  return in_one_line(map_of({required("coefficient", any(side.coefficient), "of the transfer, L/T"),
                             required("value", any(side.value), "beyond the side, [c]")},
                            check));
}

}  // namespace

std::vector<Key> scalar_condition_keys(ScalarSide& side, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (const ScalarConditionTraits& entry : scalar_condition_table()) {
    const auto make = [scope, &entry](ScalarSide& read) {
      return condition_value(read, scope, entry);
    };
    const auto get = [&side, &entry] {
      return side.kind == entry.kind ? std::optional<ScalarSide>(side) : std::nullopt;
    };
    const auto set = [&side, &entry](const ScalarSide& read, const ConfigValue&) {
      side = read;
      side.kind = entry.kind;
    };
    keys.push_back(optional(entry.name, through<ScalarSide>(make, get, set), entry.description));
  }
  return keys;
}

namespace {

ValueReader condition(ScalarSide& side, const FormulaScope& scope) {
  const std::vector<Key> keys = scalar_condition_keys(side, scope);
  ValueReader one = with_one_of(map_of(keys), names_of(keys), "conditions", expected_condition);
  one.expected = expected_condition;
  return in_one_line(one);
}

// What the sides of the case `custom` ask of a scalar.
void check_sides(const ConfigValue& scalar, const Boundaries& boundaries, int dim) {
  const auto conditions = scalar.find("boundaries");
  for (const auto [axis, side] : sides_of_box(dim)) {
    const SideTraits& traits = boundaries.sides[axis][side].traits();
    const std::string name = side_name(axis, side);
    const auto condition = conditions ? conditions->find(name) : std::nullopt;
    if (condition && !traits.takes_scalar_condition())
      throw condition->error(": {}, expected no condition", traits.refuses_scalars);
    if (condition && traits.takes_entering_value() && !condition->has("value"))
      throw condition->error(
          ": the side has a given pressure, expected {{value: ...}}, what the fluid brings where "
          "it enters");
    if (!condition && traits.is_inflow())
      throw ConfigValue{scalar.node, scalar.path_of("boundaries"), scalar.mistakes}.missing(
          name, "what the inflow brings, as {value: 1}");
  }
}

// A flux of 0 is what a side has without a condition, but on an inflow it must be said.
bool is_said(const ScalarSide& condition, const Side* side) {
  return !condition.is_without_flux() || (side != nullptr && side->traits().is_inflow());
}

ValueReader sides_section(ScalarSides& sides, const FormulaScope& scope,
                          const Boundaries* boundaries) {
  std::vector<Key> keys;
  for (const auto [axis, side] : sides_of_box(scope.dim)) {
    ScalarSide& out = sides[axis][side];
    const Side* of_fluid = boundaries == nullptr ? nullptr : &boundaries->sides[axis][side];
    keys.push_back(optional(
        side_name(axis, side),
        written_if(condition(out, scope), [&out, of_fluid] { return is_said(out, of_fluid); }),
        side_description(axis, side)));
  }
  return map_of(std::move(keys));
}

// Reactions are integrated implicitly, so their derivatives have to fit, too.
void check_derivatives(const ConfigValue& value, const Expression& rate,
                       const std::vector<std::string>& scalars) {
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    const int variable = first_extra_variable + static_cast<int>(k);
    if (!rate.depends_on(variable)) continue;
    try {
      (void)rate.derivative(variable);
    } catch (const ConfigError& error) {
      throw value.error(": its derivative by {}: {}", scalars[k], error.what());
    }
  }
}

std::vector<Key> scalar_keys(CustomScalar& scalar, const FormulaScope& scope,
                             const std::vector<std::string>& all, const Boundaries* boundaries) {
  FormulaScope at_start = scope, with_scalars = scope;
  at_start.varies_in_time = false;
  with_scalars.names.variables = all;
  return {required("diffusivity",
                   coefficient(scalar.diffusivity, scalar.varying_diffusivity,
                               coefficient_scope(scope, all)),
                   "L^2/T: a number, or a formula of x, y, z, t, shear_rate and the scalars"),
          optional("initial",
                   checked(formula(scalar.initial, at_start),
                           [&scalar](const ConfigValue&) { scalar.has_initial = true; }),
                   "a formula of x, y, z; [c]"),
          optional("source", formula(scalar.source, scope), "a formula of x, y, z, t; [c]/T"),
          optional("reaction",
                   checked(formula(scalar.reaction, with_scalars),
                           [&scalar, all](const ConfigValue& value) {
                             check_derivatives(value, *scalar.reaction, all);
                           }),
                   "a formula of x, y, z, t and all scalars, integrated implicitly; [c]/T"),
          optional("buoyancy", constants(scalar.buoyancy, scope),
                   "acceleration of the fluid per unit of c above neutral; L/(T^2 [c])"),
          optional("neutral", constant(scalar.neutral, {}, scope),
                   "the value of c without buoyancy; [c]"),
          optional("exact", formula(scalar.exact, scope),
                   "a formula of x, y, z, t; the run reports errors against it"),
          optional("boundaries", sides_section(scalar.sides, scope, boundaries),
                   "a condition per side; without one the diffusive flux is 0")};
}

void check_count(const ConfigValue& scalars, std::size_t of_the_case) {
  const auto& entries = scalars.node.entries;
  if (of_the_case + entries.size() > most_carried_scalars)
    throw config_error(entries[most_carried_scalars - of_the_case].key.place,
                       "{}: there are more than {} scalars, expected at most so many", scalars.path,
                       most_carried_scalars);
}

void check_name(const ConfigValue& key, const FormulaScope& scope,
                const std::vector<std::string>& earlier) {
  const std::string& name = key.node.scalar;
  const auto refuse = [&](const std::string& why) {
    throw key.error(": {} cannot be the name of a scalar: {}", quote(name), why);
  };
  const std::string refusal = key.is(YamlNode::Kind::scalar) ? name_refusal(name) : "it is no text";
  if (!refusal.empty()) refuse(refusal);
  std::vector<std::string> taken = names_of(output_field_table());
  taken.insert(taken.end(), velocity_names.begin(), velocity_names.end());
  const bool is_taken = std::find(taken.begin(), taken.end(), name) != taken.end();
  if (is_taken || find_statistic(name)) refuse("it is another field's");
  if (name == "e") refuse("formulas know it as 2.71828...");
  if (name == shear_rate_name) refuse("viscosities know it as that of the velocity");
  if (name == reactions_entry) refuse("the history has columns of that name");
  if (scope.names.constants.map().contains(name)) refuse("it is a parameter's");
  if (std::find(earlier.begin(), earlier.end(), name) != earlier.end())
    refuse("there is another scalar of that name");
}

}  // namespace

ValueReader scalars_section(std::vector<CustomScalar>& scalars, const FormulaScope& scope,
                            const std::vector<std::string>& of_the_case,
                            const Boundaries* boundaries) {
  const auto all_names = [&scalars, of_the_case] {
    std::vector<std::string> names = of_the_case;
    for (const CustomScalar& scalar : scalars) names.push_back(scalar.name);
    return names;
  };
  const NamedValues how{
      .expected = "a map of scalars, as {heat: {diffusivity: 0.01}}",
      .pattern = name_pattern,
      .example = "{dye: {diffusivity: 0.01, initial: exp(-x^2 - y^2)}}",
      .check_name = [=](const ConfigValue& key) { check_name(key, scope, all_names()); }};
  ValueReader section = named_values(scalars, how, [=](CustomScalar& scalar) {
    const auto check = [=](const ConfigValue& value) {
      if (boundaries != nullptr && !value.is_wrong_at("boundaries"))
        check_sides(value, *boundaries, scope.dim);
    };
    return map_of(scalar_keys(scalar, scope, all_names(), boundaries), check);
  });
  section.read = [read = section.read, of_the_case](const ConfigValue& map) {
    check_count(map, of_the_case.size());
    read(map);
  };
  return section;
}

}  // namespace hodge::sim
