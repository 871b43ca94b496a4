// Regions: maps of one shape each, which may be turned and inside out.
//
//   box: {lower: [0, 0], upper: [1, 0.5]}
//   sphere: {centre: [2, 1], radius: 0.3}
//   cylinder: {axis: z, centre: [2, 1, 0], radius: 0.3}              # in 2D without axis
//   ellipse: {centre: [2, 1], radii: [0.3, 0.1]}
//   surface: {file: wing.stl, scale: 0.001}
//   level: 'sqrt(x^2 + y^2) - 0.5'                                   # negative in the body
//   union: [{box: ...}, {sphere: ...}]
//   difference: [{box: ...}, {sphere: ...}]
//   turned: {angle: 30}
//   inside: true
//
// The file of a surface is looked for from the folder of the YAML file, one that the command line
// names from the working directory.
#include "sim/app/config/read_regions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/app/config/readers.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr int deepest_parts = 2;  // unions and differences of unions and differences

// Reads a new shape with the reader that make(shape) returns, and makes it that of the region.
template <class Shape, class Make>
ValueReader shape(Region& region, Make make) {
  const auto get = [&region] {
    const Shape* known = std::get_if<Shape>(&region.shape);
    return known == nullptr ? std::nullopt : std::optional<Shape>(*known);
  };
  const auto set = [&region](const Shape& read, const ConfigValue&) { region.shape = read; };
  return through<Shape>([make](Shape& read) { return in_one_line(make(read)); }, get, set);
}

ValueReader box(Region& region, const GridSettings& grid) {
  return shape<BoxShape>(region, [&grid](BoxShape& box) {
    const auto check = [&box, &grid](const ConfigValue& value) {
      for (int d = 0; d < grid.dim; ++d)
        if (!(box.lower[d] < box.upper[d]))
          throw value.error(" goes from {} to {} along {}, expected lower < upper",
                            number_text(box.lower[d]), number_text(box.upper[d]), axis_names[d]);
    };
    return map_of({required("lower", point(box.lower, grid), "its lower corner, L"),
                   required("upper", point(box.upper, grid), "its upper corner, L")},
                  check);
  });
}

ValueReader sphere(Region& region, const GridSettings& grid) {
  return shape<SphereShape>(region, [&grid](SphereShape& sphere) {
    return map_of({required("centre", point(sphere.centre, grid), "L"),
                   required("radius", number(sphere.radius, above(0)), "L")});
  });
}

ValueReader axis(int& out, const GridSettings& grid) {
  const std::vector<std::string> names(axis_names.begin(), axis_names.end());
  const ValueReader reader = through<std::string>(
      [names](std::string& name) { return one_of(name, "axis", names); },
      [&out, names] { return std::optional<std::string>(names[static_cast<std::size_t>(out)]); },
      [&out, &grid, names](const std::string& name, const ConfigValue& value) {
        out = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
        if (grid.dim == 2 && out != 2) throw value.wrong("z, as the grid is 2D");
      });
  return described(reader, [&grid](ValueShape& shape) {
    if (grid.dim == 2) shape.names = {"z"};
  });
}

// Endless without.
ValueReader length(double& out, const GridSettings& grid) {
  const auto get = [&out] { return std::isinf(out) ? std::nullopt : std::optional<double>(out); };
  const auto set = [&out, &grid](double read, const ConfigValue& value) {
    if (grid.dim == 2) throw value.error(" is {}, expected none in 2D", number_text(read));
    out = read;
  };
  return with_default(
      through<double>([](double& read) { return number(read, above(0)); }, get, set), "");
}

ValueReader cylinder(Region& region, const GridSettings& grid) {
  return shape<CylinderShape>(region, [&grid](CylinderShape& cylinder) {
    const bool flat = grid.dim == 2;  // then it can only be z
    return map_of(
        {{"axis", axis(cylinder.axis, grid), !flat,
          flat ? "z, which nothing else can be in 2D" : "along which it lies"},
         required("centre", point(cylinder.centre, grid), "its middle, L"),
         required("radius", number(cylinder.radius, above(0)), "L"),
         optional("length", length(cylinder.length, grid), "along the axis, L; without: endless")});
  });
}

ValueReader radii(std::array<double, 2>& out) {
  const auto get = [&out] { return std::optional<Point>({out[0], out[1], 0}); };
  const auto set = [&out](const Point& read, const ConfigValue&) { out = {read[0], read[1]}; };
  return through<Point>(
      [](Point& read) {
        return each_axis(read, 2, "a list of 2 numbers", "2",
                         [](double& radius) { return number(radius, above(0)); });
      },
      get, set);
}

ValueReader ellipse(Region& region, const GridSettings& grid) {
  return shape<EllipseShape>(region, [&grid](EllipseShape& ellipse) {
    const bool flat = grid.dim == 2;
    return map_of({{"axis", axis(ellipse.axis, grid), !flat,
                    flat ? "z, which nothing else can be in 2D" : "along which it is endless"},
                   required("centre", point(ellipse.centre, grid), "L"),
                   required("radii", radii(ellipse.radii),
                            flat ? "along x and y, L" : "along the two other axes, L")});
  });
}

ValueReader ellipsoid(Region& region, const GridSettings& grid) {
  return shape<EllipsoidShape>(region, [&grid](EllipsoidShape& ellipsoid) {
    const auto in_space = [&grid](const ConfigValue& value) {
      if (grid.dim != 3) throw value.error(" is in space, expected an ellipse in 2D");
    };
    const ValueReader radii = each_axis(ellipsoid.radii, grid.dim, "a list of numbers",
                                        fmt::format("{} as grid.cells has", grid.dim),
                                        [](double& radius) { return number(radius, above(0)); });
    return map_of({required("centre", point(ellipsoid.centre, grid), "L"),
                   required("radii", radii, "along the axes, L")},
                  in_space);
  });
}

ValueReader surface(Region& region, const GridSettings& grid) {
  return shape<SurfaceShape>(region, [&grid](SurfaceShape& surface) {
    const auto check = [&grid](const ConfigValue& value) {
      if (grid.dim != 3)
        throw value.error(" is a surface in space, expected a grid of 3 dimensions");
    };
    return map_of({required("file", file_name(surface.file),
                            "a closed STL surface, looked for from the folder of this file"),
                   optional("scale", number(surface.scale, above(0)),
                            "that makes its coordinates lengths: 0.001 of millimetres in metres"),
                   optional("shift", point(surface.shift, grid), "that is added to them then, L")},
                  check);
  });
}

ValueReader level(Region& region, const FormulaScope& scope) {
  FormulaScope of_place = scope;
  of_place.varies_in_time = false;
  const ValueReader reader = through<LevelShape>(
      [of_place](LevelShape& read) { return formula(read.level, of_place); },
      [&region] {
        const auto* const known = std::get_if<LevelShape>(&region.shape);
        return known == nullptr ? std::nullopt : std::optional<LevelShape>(*known);
      },
      [&region](const LevelShape& read, const ConfigValue&) { region.shape = read; });
  return with_default(reader, "");
}

// UnionShape or DifferenceShape. Its parts stand in one line.
template <class Shape>
ValueReader parts(Region& region, std::size_t fewest, const FormulaScope& scope,
                  const GridSettings& grid, int depth) {
  const auto make = [fewest, scope, &grid, depth](Shape& read) {
    const auto make_part = [scope, &grid, depth](Region& part) {
      return in_one_line(region_map(part, {}, scope, grid, depth + 1));
    };
    ValueReader list = described(
        list_of(read.parts, "a list of shapes, as [{box: {...}}, {sphere: {...}}]", make_part),
        [fewest](ValueShape& shape) { shape.fewest = fewest; });
    list.write = [&read, make_part] {
      std::vector<std::string> items;
      for (Region part : read.parts) items.push_back(make_part(part).write());
      return fmt::format("[{}]", fmt::join(items, ", "));
    };
    return checked(list, [&read, fewest](const ConfigValue& value) {
      if (read.parts.size() < fewest)
        throw value.error(" is a list of {}, expected at least {}", read.parts.size(), fewest);
    });
  };
  return through<Shape>(
      make,
      [&region] {
        const auto* const known = std::get_if<Shape>(&region.shape);
        return known == nullptr ? std::nullopt : std::optional<Shape>(*known);
      },
      [&region](const Shape& read, const ConfigValue&) { region.shape = read; });
}

ValueReader nonzero(Point& out, const GridSettings& grid) {
  return checked(point(out, grid), [&out](const ConfigValue& value) {
    if (out == Point{}) throw value.error(" is 0, expected a direction");
  });
}

ValueReader turning(Turning& turned, const GridSettings& grid) {
  const auto make_point = [&grid](Point& read) { return point(read, grid); };
  std::vector<Key> keys{
      optional("angle", number(turned.angle, {}),
               grid.dim == 2 ? "counterclockwise, degrees" : "about `axis`, degrees")};
  if (grid.dim == 3) {
    keys.push_back(optional(
        "axis", optional_value(turned.axis, [&grid](Point& read) { return nonzero(read, grid); }),
        "that points to where the angle is counterclockwise, of any length"));
    keys.push_back(optional("angles", optional_value(turned.angles, make_point),
                            "about x, then y, then z, degrees"));
  }
  keys.push_back(optional("about", optional_value(turned.about, make_point),
                          "the point that stays where it is, L; without: the middle of the shape"));
  const auto check = [&turned, &grid](const ConfigValue& value) {
    if (turned.angle && turned.angles)
      throw value.error(" has angle and angles, expected only one of them");
    if (!turned.turns())
      throw value.error(" has no angle, expected {}", grid.dim == 2 ? "angle" : "angle or angles");
    if (grid.dim == 3 && turned.angle.has_value() != turned.axis.has_value())
      throw value.error(" has {} alone, expected angle and axis", turned.angle ? "angle" : "axis");
  };
  return map_of(keys, check);
}

ValueReader turning_of(Region& region, const GridSettings& grid) {
  return through<Turning>(
      [&grid](Turning& read) { return in_one_line(turning(read, grid)); },
      [&region] {
        return region.turned.turns() ? std::optional<Turning>(region.turned) : std::nullopt;
      },
      [&region](const Turning& read, const ConfigValue&) { region.turned = read; });
}

std::vector<Key> shape_keys(Region& region, const FormulaScope& scope, const GridSettings& grid,
                            int depth) {
  std::vector<Key> keys{
      optional("box", box(region, grid), "all between two corners"),
      optional("sphere", sphere(region, grid), "in 2D a circle"),
      optional("cylinder", cylinder(region, grid), "in 2D a circle"),
      optional("ellipse", ellipse(region, grid), "in 3D a cylinder of this section"),
      optional("ellipsoid", ellipsoid(region, grid), "3D"),
      optional("surface", surface(region, grid), "what a closed STL surface encloses; 3D"),
      optional("level", level(region, scope), "where a formula of x, y, z is negative")};
  if (depth < deepest_parts) {
    keys.push_back(optional("union", parts<UnionShape>(region, 1, scope, grid, depth),
                            "of shapes, each a map as this one"));
    keys.push_back(optional("difference", parts<DifferenceShape>(region, 2, scope, grid, depth),
                            "the first of some shapes without the others"));
  }
  return keys;
}

// No more than lists of parts may hold: what only space has.
void forget_shapes_of_space(ValueShape& shape) {
  for (const char* name : {"ellipsoid", "surface"}) {
    std::erase_if(shape.keys, [&](const KeyShape& key) { return key.name == name; });
    std::erase(shape.one_key_of, name);
  }
}

}  // namespace

ValueReader region_map(Region& region, std::vector<Key> keys, const FormulaScope& scope,
                       const GridSettings& grid, int depth) {
  const std::vector<Key> shapes = shape_keys(region, scope, grid, depth);
  const std::vector<std::string> names = names_of(shapes);
  keys.insert(keys.end(), shapes.begin(), shapes.end());
  keys.push_back(optional("turned", turning_of(region, grid), "by angles"));
  keys.push_back(optional(
      "inside", written_if(yes_or_no(region.inside_out), [&region] { return region.inside_out; }),
      "whether the fluid is in the shape, and the rest is solid"));
  const ValueReader map = with_one_of(map_of(keys), names, "shapes", "one of " + join(names));
  return described(map, [&grid](ValueShape& shape) {
    if (grid.dim == 2) forget_shapes_of_space(shape);
  });
}

}  // namespace hodge::sim
