// solids: a list of bodies, each a region (read_regions.hpp) and, where it should have one, a name:
//
//   solids:
//     - {name: step, box: {lower: [0, 0], upper: [1, 0.5]}}
//     - sphere: {centre: [2, 1], radius: 0.3}
//
// or a map, whose keys are the names:
//
//   solids: {step: {box: {lower: [0, 0], upper: [1, 0.5]}}}
//
// forces: the scales and directions of drag and lift coefficients.
//
//   forces: {speed: 1, length: 1}                                      # 2D: drag along x, lift y
//   forces: {speed: 1, area: 0.785, drag: [1, 0, 0], lift: [0, 0, 1]}  # 3D
#include <algorithm>
#include <cmath>

#include "sim/app/config/read_regions.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

ValueReader heat(HeatInside& out, const FormulaScope& scope) {
  return in_one_line(map_of(
      {required("conductivity",
                with_example(with_default(constant(out.conductivity, above(0), scope), ""), "1"),
                "over the fluid's capacity, L^2/T; the fluid has its diffusivity"),
       optional("capacity", constant(out.capacity, above(0), scope),
                "per volume, over the fluid's"),
       optional("source", formula(out.source, scope),
                "per volume, over the fluid's capacity; [c]/T"),
       optional("resistance", constant(out.resistance, at_least(0), scope),
                "of the surface: a jump of c over the flux, T/L")}));
}

ValueReader nusselt(NusseltScales& out, const FormulaScope& scope) {
  const auto number = [&scope](double& scale, Range range) {
    return with_example(with_default(constant(scale, range, scope), ""), "1");
  };
  const auto check = [&out](const ConfigValue& value) {
    if (out.difference == 0) value.refuse("difference", " is 0, expected another number");
  };
  return in_one_line(
      map_of({required("length", number(out.length, above(0)), "of reference, L"),
              required("difference", number(out.difference, {}), "of reference, [c]"),
              required("surface", number(out.surface, above(0)),
                       "of the body, L^2; in 2D its perimeter, L")},
             check));
}

// One of the conditions, or heat.
ValueReader solid_scalar(SolidScalar& out, const FormulaScope& scope) {
  std::vector<Key> keys = scalar_condition_keys(out.surface, scope);
  for (Key& key : keys) key.value = written_if(key.value, [&out] { return !out.heat.has_value(); });
  const ValueReader inside =
      optional_value(out.heat, [scope](HeatInside& read) { return heat(read, scope); });
  keys.push_back(optional("heat", inside, "the scalar is in the body, too, which conducts it"));
  const std::vector<std::string> one = names_of(keys);
  const ValueReader scales =
      optional_value(out.nusselt, [scope](NusseltScales& read) { return nusselt(read, scope); });
  keys.push_back(optional("nusselt", scales, "scales of its Nusselt or Sherwood number"));
  return in_one_line(with_one_of(map_of(keys), one, "conditions", "one of " + join(one)));
}

ValueReader solid_scalars(std::vector<SolidScalar>& out, const FormulaScope& scope) {
  const NamedValues how{.expected = "a map of scalars, as {temperature: {value: 1}}",
                        .pattern = name_pattern,
                        .example = "{temperature: {value: 1}}",
                        .check_name = [](const ConfigValue&) {}};
  return in_one_line(
      named_values(out, how, [scope](SolidScalar& scalar) { return solid_scalar(scalar, scope); }));
}

ValueReader treatment(Solid& solid) {
  static const std::vector<std::string> names{"staircase", "sharp", "auto"};
  return through<std::string>(
      [](std::string& name) { return one_of(name, "treatment", names); },
      [&solid] {
        return std::optional<std::string>(names[solid.treatment_is_open ? 2 : solid.sharp ? 1 : 0]);
      },
      [&solid](const std::string& name, const ConfigValue&) {
        solid.sharp = name == names[1];
        solid.treatment_is_open = name == names[2];
      });
}

constexpr const char* body_name = "a name of letters, digits and _";
constexpr const char* body_name_pattern = "^[A-Za-z0-9_]+$";

Key name_key(Solid& solid) {
  const ValueReader name = text_like(solid.name, body_name, body_name_pattern);
  return optional("name", in_quotes(name), "of its columns in forces.csv");
}

std::vector<Key> solid_keys(Solid& solid, const FormulaScope& scope) {
  return {optional("treatment", treatment(solid),
                   "sharp: the surface cuts through cells; staircase: whole cells are solid; auto: "
                   "sharp where it can be"),
          optional("scalars", solid_scalars(solid.scalars, scope),
                   "what it is to each; without: closed")};
}

// x to a hundredth of the leading digit of the extent: an example need not be exact.
double to_three_digits(double x, double extent) {
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(extent)));
  return std::round(x * scale) / scale;
}

// A ball in the middle, of two fifths of the smallest extent; none where that is less than the four
// cells of equal size that have room for three, wherever the middle is.
std::string example_solids(const GridSettings& grid) {
  double extent = std::numeric_limits<double>::infinity(), cell = 0;
  for (int d = 0; d < grid.dim; ++d) {
    const double length = grid.axes[d].upper - grid.axes[d].lower;
    extent = std::min(extent, length);
    cell = std::max(cell, length / grid.axes[d].cells);
  }
  if (0.4 * extent < 4 * cell) return "";
  Point middle = middle_of(grid);
  for (double& x : middle) x = to_three_digits(x, extent);
  return fmt::format("[{{name: ball, sphere: {{centre: {}, radius: {}}}}}]",
                     point_text(middle, grid), yaml_number(to_three_digits(0.2 * extent, extent)));
}

ValueReader solid_map(Solid& solid, std::vector<Key> keys, const GridSettings& grid,
                      const FormulaScope& scope) {
  for (Key& key : solid_keys(solid, scope)) keys.push_back(std::move(key));
  return in_one_line(region_map(solid.region, std::move(keys), scope, grid));
}

ValueReader named_solids(std::vector<Solid>& solids, const std::string& expected,
                         const GridSettings& grid, const FormulaScope& scope) {
  const auto check_name = [&solids](const ConfigValue& key) {
    std::string name;
    text_like(name, body_name, body_name_pattern).read(key);
    if (std::ranges::find(solids, name, &Solid::name) != solids.end())
      throw key.error(": the name {} is given twice, expected once", quote(name));
  };
  const NamedValues how{
      .expected = expected, .pattern = body_name_pattern, .example = "", .check_name = check_name};
  return named_values(solids, how,
                      [&grid, scope](Solid& solid) { return solid_map(solid, {}, grid, scope); });
}

ValueReader direction(Point& out, const GridSettings& grid) {
  return checked(point(out, grid), [&out](const ConfigValue& value) {
    if (out == Point{}) throw value.error(" is 0, expected a direction");
  });
}

ValueReader body_box(BodyBox& box, const GridSettings& grid) {
  const auto check = [&box, &grid](const ConfigValue& value) {
    for (int d = 0; d < grid.dim; ++d)
      if (!(box.lower[d] < box.upper[d]))
        throw value.error(" goes from {} to {} along {}, expected lower < upper",
                          number_text(box.lower[d]), number_text(box.upper[d]), axis_names[d]);
  };
  return in_one_line(map_of(
      {required("body", text_like(box.body, "the name of a body", "^[A-Za-z0-9_]+$"),
                "the name that its columns in forces.csv have"),
       required("lower", point(box.lower, grid), "lower corner, L; the next face of the grid"),
       required("upper", point(box.upper, grid), "upper corner, L; the next face of the grid")},
      check));
}

std::vector<Key> force_keys(const GridSettings& grid, ForceSettings& forces) {
  const bool flat = grid.dim == 2;
  const ValueReader about =
      optional_value(forces.about, [&grid](Point& x) { return point(x, grid); });
  const ValueReader list =
      list_of(forces.boxes, "a list of boxes, as [{body: wing, lower: [0, 0], upper: [1, 1]}]",
              [&grid](BodyBox& box) { return body_box(box, grid); });
  const ValueReader boxes = written_if(list, [&forces] { return !forces.boxes.empty(); });
  std::vector<Key> keys{
      required("speed", number(forces.speed, above(0)), "of the undisturbed flow, L/T"),
      required(flat ? "length" : "area", number(forces.area, above(0)),
               flat ? "of the body across the flow, L" : "of the body across the flow, L^2")};
  if (!flat)
    keys.push_back(optional(
        "length", optional_value(forces.length, [](double& out) { return number(out, above(0)); }),
        "of the body, L: for the Reynolds and Strouhal numbers and coefficients of moments"));
  keys.push_back(
      optional("drag", direction(forces.drag, grid), "direction of drag, of any length"));
  keys.push_back(
      optional("lift", direction(forces.lift, grid), "direction of lift, of any length"));
  keys.push_back(
      optional("about", about, "point of the moments, L; without: the centroid of each body"));
  keys.push_back(
      optional("boxes", boxes, "around bodies, for the force by the balance of momentum"));
  return keys;
}

}  // namespace

ValueReader solids_section(std::vector<Solid>& solids, const GridSettings& grid,
                           const FormulaScope& scope) {
  const ValueReader list = list_of(solids, solids_expected, [&grid, scope](Solid& solid) {
    return solid_map(solid, {name_key(solid)}, grid, scope);
  });
  const ValueReader map = named_solids(solids, solids_expected, grid, scope);
  ValueReader either = described(list, [&grid, map](ValueShape& shape) {
    shape.example = example_solids(grid);
    shape.most = most_solids;
    ValueShape both = shape;
    both.kind = ValueShape::Kind::choice;
    both.choices = {shape, map.describe()};
    shape = both;
  });
  either.read = [&solids, list, map](const ConfigValue& value) {
    const bool is_map = value.is(YamlNode::Kind::map);
    const std::size_t count = value.node.items.size() + value.node.entries.size();
    if (count > most_solids) throw value.error(" has {}, expected at most {}", count, most_solids);
    solids.clear();
    (is_map ? map : list).read(value);
  };
  return either;
}

ValueReader forces_section(std::optional<ForceSettings>& forces, const GridSettings& grid) {
  return optional_value(forces,
                        [&grid](ForceSettings& read) { return map_of(force_keys(grid, read)); });
}

}  // namespace hodge::sim
