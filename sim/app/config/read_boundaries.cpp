// boundaries: what each side of the box is.
//
//   boundaries:
//     x_lower: {kind: inflow, velocity: ["4*y*(1 - y)", 0]}
//     x_upper: outflow                     # short for {kind: outflow}
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

struct SideReader {
  const CustomSettings& custom;
  FormulaScope scope;
  int axis;

  void read(Side& side, const YamlNode& node, const std::string& path) const {
    std::string kind;
    if (node.kind == YamlNode::Kind::scalar) {
      name(kind).read(node, path);
    } else {
      read_map(node, path, keys(kind, side));
    }
    for (const SideTraits& entry : side_kind_table())
      if (kind == entry.name) side.kind = entry.kind;
    check(side, node, path);
  }

  ValueShape describe(Side& side) const {
    std::string kind = side.traits().name;
    ValueShape shape;
    shape.kind = ValueShape::Kind::choice;
    shape.choices = {name(kind).describe(), map_shape(keys(kind, side))};
    shape.value = kind;
    return shape;
  }

 private:
  static ValueReader name(std::string& kind) {
    return one_of(kind, "kind of side", names_of(side_kind_table()));
  }

  std::vector<Key> keys(std::string& kind, Side& side) const {
    return {required("kind", name(kind), "what the side is; `hodge schemes` describes the kinds"),
            optional("velocity", with_default(formulas(side.velocity, scope), ""),
                     "of an inflow, or of a wall that moves in its own plane; L/T"),
            optional("pressure", formula(side.pressure, scope),
                     "in an outflow or pressure side, M/(L T^2); 0 unless said")};
  }

  void check(const Side& side, const YamlNode& node, const std::string& path) const {
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
      throw config_error(
          pressure->place,
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
};

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

}  // namespace

std::string side_description(int axis, int side) {
  return fmt::format("the side of the box with the {} {}", side == 0 ? "smallest" : "largest",
                     axis_names[axis]);
}

ValueReader boundaries_section(CustomSettings& custom, const FormulaScope& scope) {
  std::vector<Key> keys;
  for (int axis = 0; axis < scope.dim; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const SideReader reader{custom, scope, axis};
      Side& out = custom.boundaries.sides[axis][side];
      keys.push_back(optional(side_name(axis, side),
                              {"a kind of side: " + join(names_of(side_kind_table())),
                               [reader, &out](const YamlNode& node, const std::string& path) {
                                 reader.read(out, node, path);
                               },
                               [reader, &out] { return reader.describe(out); }},
                              side_description(axis, side)));
    }
  }
  return map_of(std::move(keys),
                [&custom, dim = scope.dim](const YamlNode& node, const std::string& path) {
                  check_periods(node, path, custom, dim);
                });
}

}  // namespace hodge::sim
