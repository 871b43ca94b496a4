// scalars: what the fluid carries, by name.
//
//   scalars:
//     heat:
//       diffusivity: 0.01
//       initial: "1 - x"
//       boundaries: {x_lower: {value: 1}, y_upper: {convective: {coefficient: 2, value: 0}}}
#include <algorithm>
#include <array>

#include "sim/app/config/sections.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

const char* const expected_condition =
    "one condition: {value: ...}, {flux: ...} or {convective: {coefficient: ..., value: ...}}";

// One side for each condition, of which the file gives one.
using ConditionSides = std::array<ScalarSide, scalar_condition_table().size()>;

std::vector<Key> condition_keys(ConditionSides& read, const FormulaScope& scope) {
  const auto any = [&scope](Expression& out) { return with_default(formula(out, scope), ""); };
  std::vector<Key> keys;
  for (std::size_t k = 0; k < read.size(); ++k) {
    const ScalarConditionTraits& traits = scalar_condition_table()[k];
    ScalarSide& side = read[k];
    const ValueReader value = any(side.value);
    const auto relation = [&] {
      return map_of({required("coefficient", any(side.coefficient), "of the transfer, L/T"),
                     required("value", value, "beyond the side, [c]")});
    };
    keys.push_back(
        optional(traits.name, traits.has_coefficient() ? relation() : value, traits.description));
  }
  return keys;
}

ValueShape condition_shape(const FormulaScope& scope) {
  ConditionSides sides;
  ValueShape shape = map_shape(condition_keys(sides, scope));
  for (const KeyShape& key : shape.keys) shape.one_key_of.push_back(key.name);
  return shape;
}

void read_condition(ScalarSide& out, const YamlNode& node, const std::string& path,
                    const FormulaScope& scope) {
  ConditionSides read;
  read_map(node, path, condition_keys(read, scope));
  if (node.entries.size() != 1)
    throw config_error(node.place, "{} has {} conditions, expected {}", path, node.entries.size(),
                       expected_condition);
  const auto table = scalar_condition_table();
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (node.find(table[k].name) == nullptr) continue;
    out = read[k];
    out.kind = table[k].kind;
  }
  const Expression& coefficient = out.coefficient;
  if (coefficient.is_constant() && coefficient({}, 0) < 0)
    throw config_error(node.find(out.traits().name)->find("coefficient")->place,
                       "{}.{}.coefficient is {}, expected a number >= 0 or a formula", path,
                       out.traits().name, quote(coefficient.text()));
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
  for (int axis = 0; axis < dim; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const std::string name = side_name(axis, side);
      check_side(conditions == nullptr ? nullptr : conditions->find(name), scalar, path, name,
                 boundaries.sides[axis][side].traits());
    }
  }
}

ValueReader sides_section(ScalarSides& sides, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (int axis = 0; axis < scope.dim; ++axis) {
    for (int side = 0; side < 2; ++side) {
      ScalarSide& out = sides[axis][side];
      keys.push_back(optional(side_name(axis, side),
                              {expected_condition,
                               [&out, scope](const YamlNode& node, const std::string& path) {
                                 read_condition(out, node, path, scope);
                               },
                               [scope] { return condition_shape(scope); }},
                              side_description(axis, side)));
    }
  }
  return map_of(std::move(keys));
}

std::vector<Key> scalar_keys(CustomScalar& scalar, const FormulaScope& scope,
                             const std::vector<std::string>& all) {
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
                   "acceleration of the fluid a unit of c above neutral; L/(T^2 [c])"),
          optional("neutral", constant(scalar.neutral, {}, scope), "the c without buoyancy; [c]"),
          optional("exact", formula(scalar.exact, scope),
                   "a formula of x, y, z, t; the run reports errors against it"),
          optional("boundaries", sides_section(scalar.sides, scope),
                   "a condition a side; without one nothing passes it by diffusion")};
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
  const std::string expected = "a map of scalars, as {heat: {diffusivity: 0.01}}";
  return {expected,
          [=, &scalars](const YamlNode& node, const std::string& path) {
            if (node.kind != YamlNode::Kind::map) throw wrong_value(node, path, expected);
            std::vector<std::string> names = of_the_case;
            for (const YamlEntry& entry : node.entries) {
              check_name(entry.key, path, scope, names);
              names.push_back(entry.key.scalar);
            }
            for (const YamlEntry& entry : node.entries) {
              const std::string item_path = path + "." + entry.key.scalar;
              CustomScalar& scalar = scalars.emplace_back();
              scalar.name = entry.key.scalar;
              read_map(entry.value, item_path, scalar_keys(scalar, scope, names));
              if (boundaries != nullptr)
                check_sides(entry.value, item_path, *boundaries, scope.dim);
            }
          },
          [scope] {
            CustomScalar scalar;
            return named_shape(map_shape(scalar_keys(scalar, scope, {})),
                               "^[A-Za-z_][A-Za-z0-9_]*$",
                               "{dye: {diffusivity: 0.01, initial: exp(-x^2 - y^2)}}");
          }};
}

}  // namespace hodge::sim
