// scalars: what the fluid carries, by name.
//
//   scalars:
//     heat:
//       diffusivity: 0.01
//       initial: "1 - x"
//       boundaries: {x_lower: {value: 1}, y_upper: {convective: {coefficient: 2, value: 0}}}
#include <algorithm>

#include "sim/config/mean_fields.hpp"
#include "sim/config/output_fields.hpp"
#include "sim/config/sections.hpp"
#include "sim/config/side_names.hpp"
#include "sim/config/text.hpp"
#include "sim/expressions/names.hpp"

namespace hodge::sim {
namespace {

const char* const expected_condition =
    "one condition: {value: ...}, {flux: ...} or {convective: {coefficient: ..., value: ...}}";

void read_condition(ScalarSide& out, const YamlNode& node, const std::string& path,
                    const FormulaScope& scope) {
  ScalarSide read[3];
  const auto convective = map_of({required("coefficient", formula(read[2].coefficient, scope)),
                                  required("value", formula(read[2].value, scope))});
  read_map(node, path,
           {optional("value", formula(read[0].value, scope)),
            optional("flux", formula(read[1].value, scope)), optional("convective", convective)});
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
    throw config_error(node.find("convective")->find("coefficient")->place,
                       "{}.convective.coefficient is {}, expected a number >= 0 or a formula", path,
                       quote(coefficient.text()));
}

// What a side of the case `custom` asks of a scalar.
void check_side(const YamlNode* condition, const YamlNode& scalar, const std::string& path,
                const std::string& side, SideKind kind) {
  const bool needs_none = kind == SideKind::periodic || kind == SideKind::outflow;
  if (condition != nullptr && needs_none)
    throw config_error(condition->place, "{}.boundaries.{}: {}, expected no condition", path, side,
                       kind == SideKind::periodic
                           ? "the side is periodic"
                           : "the side is an outflow, which carries scalars out");
  if (condition == nullptr && kind == SideKind::inflow)
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
                 boundaries.sides[axis][side].kind);
    }
  }
}

ValueReader sides_section(ScalarSides& sides, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (int axis = 0; axis < scope.dim; ++axis) {
    for (int side = 0; side < 2; ++side) {
      ScalarSide& out = sides[axis][side];
      keys.push_back(optional(
          side_name(axis, side),
          {expected_condition, [&out, scope](const YamlNode& node, const std::string& path) {
             read_condition(out, node, path, scope);
           }}));
    }
  }
  return map_of(std::move(keys));
}

void read_scalar(CustomScalar& scalar, const YamlNode& node, const std::string& path,
                 const FormulaScope& scope, const std::vector<std::string>& all) {
  FormulaScope at_start = scope, with_scalars = scope;
  at_start.varies_in_time = false;
  with_scalars.names.variables = all;
  read_map(node, path,
           {required("diffusivity", constant(scalar.diffusivity, at_least(0), scope)),
            optional("initial", formula(scalar.initial, at_start)),
            optional("source", formula(scalar.source, scope)),
            optional("reaction", formula(scalar.reaction, with_scalars)),
            optional("buoyancy", constants(scalar.buoyancy, scope)),
            optional("neutral", constant(scalar.neutral, {}, scope)),
            optional("exact", formula(scalar.exact, scope)),
            optional("boundaries", sides_section(scalar.sides, scope))});
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
  taken.insert(taken.end(), {"u", "v", "w"});
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
  return {expected, [=, &scalars](const YamlNode& node, const std::string& path) {
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
              read_scalar(scalar, entry.value, item_path, scope, names);
              if (boundaries != nullptr)
                check_sides(entry.value, item_path, *boundaries, scope.dim);
            }
          }};
}

}  // namespace hodge::sim
