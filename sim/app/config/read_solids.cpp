// solids: a list of bodies, each a map of one shape and, where it should have one, a name:
//
//   solids:
//     - {name: step, box: {lower: [0, 0], upper: [1, 0.5]}}
//     - sphere: {centre: [2, 1], radius: 0.3}
//     - cylinder: {axis: z, centre: [2, 1, 0], radius: 0.3}
//     - surface: {file: wing.stl}
//
// The file of a surface is looked for from the folder of the YAML file, one that the command line
// names from the working directory.
#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/app/config/read_point.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

constexpr std::array<const char*, 4> shape_names{"box", "sphere", "cylinder", "surface"};

// Reads `value` with the reader made for a new shape, and makes that the shape of the solid.
template <class Shape, class MakeReader>
ValueReader shape(Solid& solid, MakeReader make_reader) {
  Shape described;  // names its keys in messages
  return {make_reader(described).expected,
          [&solid, make_reader](const YamlNode& value, const std::string& path) {
            Shape read;
            make_reader(read).read(value, path);
            solid.shape = read;
          },
          [make_reader] {
            Shape fresh;
            return make_reader(fresh).describe();
          }};
}

ValueReader box(Solid& solid, const GridSettings& grid) {
  return shape<BoxShape>(solid, [&grid](BoxShape& box) {
    const auto check = [&box, &grid](const YamlNode& node, const std::string& path) {
      for (int d = 0; d < grid.dim; ++d)
        if (!(box.lower[d] < box.upper[d]))
          throw config_error(node.place, "{} goes from {} to {} along {}, expected lower < upper",
                             path, number_text(box.lower[d]), number_text(box.upper[d]),
                             axis_names[d]);
    };
    return map_of({required("lower", point(box.lower, grid), "its lower corner, L"),
                   required("upper", point(box.upper, grid), "its upper corner, L")},
                  check);
  });
}

ValueReader sphere(Solid& solid, const GridSettings& grid) {
  return shape<SphereShape>(solid, [&grid](SphereShape& sphere) {
    return map_of({required("centre", point(sphere.centre, grid), "L"),
                   required("radius", number(sphere.radius, above(0)), "L")});
  });
}

ValueReader axis(int& out, const GridSettings& grid) {
  return {"an axis: x, y, z",
          [&out, &grid](const YamlNode& value, const std::string& path) {
            std::string name;
            const std::vector<std::string> names{"x", "y", "z"};
            one_of(name, "axis", names).read(value, path);
            out = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
            if (grid.dim == 2 && out != 2) throw wrong_value(value, path, "z, as the grid is 2D");
          },
          [&grid] {
            std::string name;
            std::vector<std::string> names{"x", "y", "z"};
            if (grid.dim == 2) names = {"z"};
            return one_of(name, "axis", names).describe();
          }};
}

ValueReader cylinder(Solid& solid, const GridSettings& grid) {
  return shape<CylinderShape>(solid, [&grid](CylinderShape& cylinder) {
    return map_of({required("axis", axis(cylinder.axis, grid), "along which it is endless"),
                   required("centre", point(cylinder.centre, grid), "a point of its axis, L"),
                   required("radius", number(cylinder.radius, above(0)), "L")});
  });
}

// Absolute, so that the resolved configuration can be read from any folder.
ValueReader file_name(std::string& out) {
  ValueReader name = text(out);
  return {name.expected,
          [&out, read = name.read](const YamlNode& value, const std::string& path) {
            namespace fs = std::filesystem;
            read(value, path);
            const bool in_a_file = value.place.line > 0;
            const fs::path folder =
                in_a_file ? fs::path(*value.place.source).parent_path() : fs::path();
            out = fs::absolute(folder / out).lexically_normal().string();
          },
          name.describe};
}

ValueReader surface(Solid& solid, const GridSettings& grid) {
  return shape<SurfaceShape>(solid, [&grid](SurfaceShape& surface) {
    const auto check = [&grid](const YamlNode& node, const std::string& path) {
      if (grid.dim == 3) return;
      throw config_error(node.place, "{} is a surface in space, expected a grid of 3 dimensions",
                         path);
    };
    return map_of({required("file", file_name(surface.file),
                            "a closed STL surface, looked for from the folder of this file")},
                  check);
  });
}

// Names become columns of forces.csv.
ValueReader solid_name(std::string& out) {
  const std::string expected = "a name of letters, digits and _";
  return {expected,
          [&out, expected](const YamlNode& value, const std::string& path) {
            const auto allowed = [](char c) {
              return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_';
            };
            const std::string& name = value.scalar;
            const bool good = value.kind == YamlNode::Kind::scalar && !name.empty() &&
                              std::all_of(name.begin(), name.end(), allowed);
            if (!good) throw wrong_value(value, path, expected);
            out = name;
          },
          [expected] {
            ValueShape shape;
            shape.kind = ValueShape::Kind::text;
            shape.expected = expected;
            shape.pattern = "^[A-Za-z0-9_]+$";
            return shape;
          }};
}

std::vector<Key> solid_keys(const GridSettings& grid, Solid& solid) {
  return {optional("name", solid_name(solid.name), "of its columns in forces.csv"),
          optional("box", box(solid, grid), "all between two corners"),
          optional("sphere", sphere(solid, grid), "in 2D a circle"),
          optional("cylinder", cylinder(solid, grid), "endless along its axis; in 2D a circle"),
          optional("surface", surface(solid, grid), "what a closed STL surface encloses; 3D")};
}

ValueShape solid_shape(const GridSettings& grid) {
  Solid solid;
  ValueShape shape = map_shape(solid_keys(grid, solid));
  if (grid.dim == 2) shape.keys.pop_back();  // surface
  for (const KeyShape& key : shape.keys)
    if (key.name != "name") shape.one_key_of.push_back(key.name);
  return shape;
}

// A ball in the middle, of a quarter of the smallest extent.
std::string example_solids(const GridSettings& grid) {
  std::vector<std::string> centre;
  double extent = std::numeric_limits<double>::infinity();
  for (int d = 0; d < grid.dim; ++d) {
    const AxisSettings& axis = grid.axes[d];
    centre.push_back(number_text(0.5 * (axis.lower + axis.upper)));
    extent = std::min(extent, axis.upper - axis.lower);
  }
  return fmt::format("[{{name: ball, sphere: {{centre: [{}], radius: {}}}}}]", join(centre),
                     number_text(0.125 * extent));
}

void read_solid(const YamlNode& node, const std::string& path, const GridSettings& grid,
                Solid& solid) {
  read_map(node, path, solid_keys(grid, solid));
  const auto count =
      std::count_if(shape_names.begin(), shape_names.end(),
                    [&node](const char* name) { return node.find(name) != nullptr; });
  if (count == 1) return;
  throw config_error(node.place, "{} has {} shapes, expected one of {}", path, count,
                     fmt::join(shape_names, ", "));
}

}  // namespace

ValueReader solids_section(std::vector<Solid>& solids, const GridSettings& grid) {
  const std::string expected = "a list of solids, as [{box: {lower: [0, 0], upper: [1, 1]}}]";
  return {expected,
          [&solids, &grid, expected](const YamlNode& node, const std::string& path) {
            if (node.kind != YamlNode::Kind::list) throw wrong_value(node, path, expected);
            if (node.items.size() > most_solids)
              throw config_error(node.place, "{} is a list of {}, expected at most {}", path,
                                 node.items.size(), most_solids);
            solids.assign(node.items.size(), {});
            for (std::size_t k = 0; k < solids.size(); ++k)
              read_solid(node.items[k], fmt::format("{}[{}]", path, k), grid, solids[k]);
          },
          [&grid, expected] {
            ValueShape shape;
            shape.kind = ValueShape::Kind::list;
            shape.expected = expected;
            shape.items = {solid_shape(grid)};
            shape.example = example_solids(grid);
            shape.most = most_solids;
            return shape;
          }};
}

}  // namespace hodge::sim
