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
  const auto set = [&side](const std::string& name, const ConfigValue&) {
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
  const auto of_time_alone = [&side](const ConfigValue& value) {
    for (int d = 0; d < 3; ++d)
      if (side.flow_rate->depends_on(d))
        throw value.error(": the formula {} has {} in it, expected a number or a formula of t",
                          quote(value.node.scalar), axis_names[d]);
  };
  return in_one_line(
      map_of({required("kind", kind(side), "what the side is; `hodge schemes` describes the kinds"),
              optional("velocity", written_if(velocity, velocity_is_said),
                       "of an inflow, or of a wall that moves in its own plane; L/T"),
              optional("flow_rate", checked(formula(side.flow_rate, scope), of_time_alone),
                       "of an inflow, into the box: its velocity is a profile that is scaled to "
                       "this; a formula of t; L^3/T, in 2D L^2/T"),
              optional("pressure", written_if(formula(side.pressure, scope), pressure_is_said),
                       "in an outflow or pressure side, M/(L T^2); 0 unless said")}));
}

void check_side(const CustomSettings& custom, const Side& side, int axis,
                const ConfigValue& value) {
  const SideTraits& traits = side.traits();
  const auto refuse = [&value](const char* key, const std::string& why) {
    value.refuse(key, "{}, expected no such key", why);
  };
  if (custom.prescribed_velocity) {
    refuse("velocity", ": prescribed_velocity gives the velocity everywhere");
    refuse("flow_rate", ": prescribed_velocity gives the velocity everywhere");
    refuse("pressure", ": prescribed_velocity leaves no pressure to be found");
  }
  const std::string no_meaning = fmt::format(" has no meaning for kind {}", traits.name);
  if (!traits.takes_velocity()) refuse("velocity", no_meaning);
  if (!traits.is_inflow()) refuse("flow_rate", no_meaning);
  if (!traits.is_open()) refuse("pressure", no_meaning);
  const auto velocity = value.find("velocity");
  if (!velocity && traits.is_inflow() && !custom.prescribed_velocity)
    throw value.missing("velocity", "the velocity of an inflow, one formula an axis");
  for (const Expression& profile : side.velocity)
    if (velocity && side.flow_rate && profile.depends_on_time())
      throw velocity->error(
          ": the formula {} has t in it, and flow_rate scales a profile that does not change, "
          "expected t in flow_rate alone",
          quote(profile.text()));
  if (velocity && traits.moves_in_plane() && !side.velocity[axis].is_zero())
    throw velocity->item(axis).error(
        " is {}, expected 0: a wall moves in its own plane, and fluid enters through a side "
        "of kind inflow",
        quote(side.velocity[axis].text()));
}

void check_periods(const ConfigValue& value, const CustomSettings& custom, int dim) {
  for (const auto [axis, side] : sides_of_box(dim)) {
    const auto& sides = custom.boundaries.sides[axis];
    const SideTraits &here = sides[side].traits(), &there = sides[1 - side].traits();
    if (here.is_periodic() && !there.is_periodic())
      throw value.find(side_name(axis, side))
          ->error(" is periodic and {}.{} is {}, expected both or none to be", value.path,
                  side_name(axis, 1 - side), there.name);
  }
}

// An inflow has a velocity, unless that is prescribed everywhere: then no side says one.
ValueShape side_shape(ValueShape alone, ValueShape map, bool velocity_is_prescribed) {
  if (velocity_is_prescribed) {
    std::erase_if(map.keys, [](const KeyShape& key) { return key.name != "kind"; });
  } else {
    std::vector<std::string> inflows;
    for (const SideTraits& entry : side_kind_table())
      if (entry.is_inflow()) inflows.emplace_back(entry.name);
    for (const std::string& name : inflows) std::erase(alone.names, name);
    map.needed_keys.push_back({"kind", std::move(inflows), "velocity"});
  }
  return {.kind = ValueShape::Kind::choice, .choices = {std::move(alone), std::move(map)}};
}

// A map, or the kind alone where nothing else is to be said.
ValueReader side_section(Side& side, const CustomSettings& custom, const FormulaScope& scope,
                         int axis) {
  const ValueReader alone = kind(side), map = side_map(side, custom, scope);
  return {"a kind of side: " + join(names_of(side_kind_table())),
          [=, &side, &custom](const ConfigValue& value) {
            const ValueReader& reader = value.is(YamlNode::Kind::scalar) ? alone : map;
            if (collect(value, [&] { reader.read(value); }) &&
                !value.is_wrong_at("prescribed_velocity"))
              check_side(custom, side, axis, value);
          },
          [=, &custom] {
            ValueShape shape = side_shape(alone.describe(), map.describe(),
                                          custom.prescribed_velocity.has_value());
            shape.value = alone.write();
            return shape;
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
  return map_of(std::move(keys), [&custom, dim = scope.dim](const ConfigValue& value) {
    check_periods(value, custom, dim);
  });
}

}  // namespace hodge::sim
