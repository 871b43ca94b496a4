// boundaries: what each side of the box is.
//
//   boundaries:
//     x_lower: {kind: inflow, velocity: ["4*y*(1 - y)", 0]}
//     x_upper: outflow                     # short for {kind: outflow}
#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

ValueReader kind(Side& side) {
  const auto set = [&side](const std::string& name, const YamlNode&, const std::string&) {
    for (const SideTraits& entry : side_kind_table())
      if (name == entry.name) side.kind = entry.kind;
  };
  return through<std::string>(
      [](std::string& name) { return one_of(name, "kind of side", names_of(side_kind_table())); },
      [&side] { return std::optional<std::string>(side.traits().name); }, set);
}

bool moves(const Side& side) {
  return std::any_of(side.velocity.begin(), side.velocity.end(),
                     [](const Expression& f) { return !f.is_zero(); });
}

ValueReader side_map(Side& side, const CustomSettings& custom, const FormulaScope& scope) {
  const auto velocity_is_said = [&custom, &side] {
    return !custom.prescribed_velocity &&
           (side.traits().is_inflow() || (side.traits().takes_velocity() && moves(side)));
  };
  const auto pressure_is_said = [&custom, &side] {
    return !custom.prescribed_velocity && side.traits().is_open() && !side.pressure.is_zero();
  };
  const ValueReader velocity = with_default(formulas(side.velocity, scope), "");
  return in_one_line(
      map_of({required("kind", kind(side), "what the side is; `hodge schemes` describes the kinds"),
              optional("velocity", written_if(velocity, velocity_is_said),
                       "of an inflow, or of a wall that moves in its own plane; L/T"),
              optional("pressure", written_if(formula(side.pressure, scope), pressure_is_said),
                       "in an outflow or pressure side, M/(L T^2); 0 unless said")}));
}

void check_side(const CustomSettings& custom, const Side& side, int axis, const YamlNode& node,
                const std::string& path) {
  const YamlNode* velocity = node.find("velocity");
  const SideTraits& traits = side.traits();
  if (velocity != nullptr && custom.prescribed_velocity)
    throw config_error(velocity->place,
                       "{}.velocity: prescribed_velocity gives the velocity everywhere, expected "
                       "no such key",
                       path);
  if (velocity != nullptr && !traits.takes_velocity())
    throw config_error(velocity->place,
                       "{}.velocity has no meaning for kind {}, expected no such key", path,
                       traits.name);
  const YamlNode* pressure = node.find("pressure");
  if (pressure != nullptr && custom.prescribed_velocity)
    throw config_error(pressure->place,
                       "{}.pressure: prescribed_velocity leaves no pressure to be found, expected "
                       "no such key",
                       path);
  if (pressure != nullptr && !traits.is_open())
    throw config_error(pressure->place,
                       "{}.pressure has no meaning for kind {}, expected no such key", path,
                       traits.name);
  if (velocity == nullptr && traits.is_inflow() && !custom.prescribed_velocity)
    throw config_error(node.place, "missing key 'velocity' in {}, expected {}", path,
                       "the velocity of an inflow, one formula an axis");
  if (velocity != nullptr && traits.moves_in_plane() && !side.velocity[axis].is_zero())
    throw config_error(velocity->items[axis].place,
                       "{}.velocity[{}] is {}, expected 0: a wall moves in its own plane, and "
                       "fluid enters through a side of kind inflow",
                       path, axis, quote(side.velocity[axis].text()));
}

void check_periods(const YamlNode& node, const std::string& path, const CustomSettings& custom,
                   int dim) {
  for (int axis = 0; axis < dim; ++axis) {
    const auto& sides = custom.boundaries.sides[axis];
    for (int side = 0; side < 2; ++side) {
      const SideTraits &here = sides[side].traits(), &there = sides[1 - side].traits();
      if (!here.is_periodic() || there.is_periodic()) continue;
      throw config_error(node.find(side_name(axis, side))->place,
                         "{0}.{1} is periodic and {0}.{2} is {3}, expected both or none to be",
                         path, side_name(axis, side), side_name(axis, 1 - side), there.name);
    }
  }
}

// A map, or the kind alone where nothing else is to be said.
ValueReader side_section(Side& side, const CustomSettings& custom, const FormulaScope& scope,
                         int axis) {
  const ValueReader alone = kind(side), map = side_map(side, custom, scope);
  return {"a kind of side: " + join(names_of(side_kind_table())),
          [=, &side, &custom](const YamlNode& node, const std::string& path) {
            (node.kind == YamlNode::Kind::scalar ? alone : map).read(node, path);
            check_side(custom, side, axis, node, path);
          },
          [=] {
            return ValueShape{.kind = ValueShape::Kind::choice,
                              .value = alone.write(),
                              .choices = {alone.describe(), map.describe()}};
          },
          [=] {
            const std::string text = map.write();
            return text == "{kind: " + alone.write() + "}" ? alone.write() : text;
          }};
}

}  // namespace

std::string side_description(int axis, int side) {
  return fmt::format("the side of the box with the {} {}", side == 0 ? "smallest" : "largest",
                     axis_names[axis]);
}

ValueReader boundaries_section(CustomSettings& custom, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (const auto [axis, side] : sides_of_box(scope.dim))
    keys.push_back(optional(side_name(axis, side),
                            side_section(custom.boundaries.sides[axis][side], custom, scope, axis),
                            side_description(axis, side)));
  return map_of(std::move(keys),
                [&custom, dim = scope.dim](const YamlNode& node, const std::string& path) {
                  check_periods(node, path, custom, dim);
                });
}

}  // namespace hodge::sim
