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

namespace hodge::sim {
namespace {

const char* const expected_condition =
    "one condition: {value: ...}, {flux: ...} or {convective: {coefficient: ..., value: ...}}";

// The value of a condition, for some beside a coefficient.
ValueReader condition_value(ScalarSide& side, const FormulaScope& scope,
                            const ScalarConditionTraits& traits) {
  const auto any = [&scope](Expression& out) { return with_default(formula(out, scope), ""); };
  if (!traits.has_coefficient()) return any(side.value);
  const auto check = [&side](const YamlNode& node, const std::string& path) {
    if (side.coefficient.is_constant() && side.coefficient({}, 0) < 0)
      throw config_error(node.find("coefficient")->place,
                         "{}.coefficient is {}, expected a number >= 0 or a formula", path,
                         quote(side.coefficient.text()));
  };
  return in_one_line(map_of({required("coefficient", any(side.coefficient), "of the transfer, L/T"),
                             required("value", any(side.value), "beyond the side, [c]")},
                            check));
}

ValueReader condition(ScalarSide& side, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (const ScalarConditionTraits& entry : scalar_condition_table()) {
    const auto make = [scope, &entry](ScalarSide& read) {
      return condition_value(read, scope, entry);
    };
    const auto get = [&side, &entry] {
      return side.kind == entry.kind ? std::optional<ScalarSide>(side) : std::nullopt;
    };
    const auto set = [&side, &entry](const ScalarSide& read, const YamlNode&, const std::string&) {
      side = read;
      side.kind = entry.kind;
    };
    keys.push_back(optional(entry.name, through<ScalarSide>(make, get, set), entry.description));
  }
  ValueReader one = with_one_of(map_of(keys), names_of(keys), "conditions", expected_condition);
  one.expected = expected_condition;
  return in_one_line(one);
}

// What a side of the case `custom` asks of a scalar.
void check_side(const YamlNode* condition, const YamlNode& scalar, const std::string& path,
                const std::string& side, const SideTraits& traits) {
  if (condition != nullptr && !traits.takes_scalar_condition())
    throw config_error(condition->place, "{}.boundaries.{}: {}, expected no condition", path, side,
                       traits.refuses_scalars);
  if (condition != nullptr && traits.takes_entering_value() && condition->find("value") == nullptr)
    throw config_error(condition->place,
                       "{}.boundaries.{}: the side has a given pressure, expected {{value: ...}}, "
                       "what the fluid brings where it enters",
                       path, side);
  if (condition == nullptr && traits.is_inflow())
    throw config_error(scalar.place,
                       "missing key '{}' in {}.boundaries, expected what the inflow brings, as "
                       "{{value: 1}}",
                       side, path);
}

void check_sides(const YamlNode& scalar, const std::string& path, const Boundaries& boundaries,
                 int dim) {
  const YamlNode* conditions = scalar.find("boundaries");
  for (const auto [axis, side] : sides_of_box(dim)) {
    const std::string name = side_name(axis, side);
    check_side(conditions == nullptr ? nullptr : conditions->find(name), scalar, path, name,
               boundaries.sides[axis][side].traits());
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

std::vector<Key> scalar_keys(CustomScalar& scalar, const FormulaScope& scope,
                             const std::vector<std::string>& all, const Boundaries* boundaries) {
  FormulaScope at_start = scope, with_scalars = scope;
  at_start.varies_in_time = false;
  with_scalars.names.variables = all;
  return {required("diffusivity",
                   with_example(constant(scalar.diffusivity, at_least(0), scope), "0.01"), "L^2/T"),
          optional("initial", formula(scalar.initial, at_start), "a formula of x, y, z; [c]"),
          optional("source", formula(scalar.source, scope), "a formula of x, y, z, t; [c]/T"),
          optional("reaction", formula(scalar.reaction, with_scalars),
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

void check_name(const YamlNode& key, const std::string& path, const FormulaScope& scope,
                const std::vector<std::string>& earlier) {
  const auto refuse = [&](const std::string& why) {
    throw config_error(key.place, "{}: {} cannot be the name of a scalar: {}", path,
                       quote(key.scalar), why);
  };
  const std::string& name = key.scalar;
  const std::string refusal =
      key.kind == YamlNode::Kind::scalar ? name_refusal(name) : "it is no text";
  if (!refusal.empty()) refuse(refusal);
  std::vector<std::string> taken = names_of(output_field_table());
  taken.insert(taken.end(), velocity_names.begin(), velocity_names.end());
  const bool is_taken = std::find(taken.begin(), taken.end(), name) != taken.end();
  if (is_taken || averaged_field(name)) refuse("it is another field's");
  if (scope.names.constants.contains(name)) refuse("it is a parameter's");
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
  const NamedValues how{.expected = "a map of scalars, as {heat: {diffusivity: 0.01}}",
                        .pattern = name_pattern,
                        .example = "{dye: {diffusivity: 0.01, initial: exp(-x^2 - y^2)}}",
                        .check_name = [=](const YamlNode& key, const std::string& path) {
                          check_name(key, path, scope, all_names());
                        }};
  return named_values(scalars, how, [=](CustomScalar& scalar) {
    const auto check = [=](const YamlNode& node, const std::string& path) {
      if (boundaries != nullptr) check_sides(node, path, *boundaries, scope.dim);
    };
    return map_of(scalar_keys(scalar, scope, all_names(), boundaries), check);
  });
}

}  // namespace hodge::sim
