#include "sim/discrete/bodies/solid_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/region_level.hpp"

namespace hodge::sim {

ReadSurface read_surface(const SurfaceShape& shape, const std::string& solid) {
  ReadSurface read;
  try {
    read.surface = read_stl(shape.file);
  } catch (const ConfigError& error) {
    throw ConfigError(solid + ": " + error.what());
  }
  for (Point& point : read.surface.points)
    for (int d = 0; d < 3; ++d) point[d] = shape.scale * point[d] + shape.shift[d];
  const std::string name = fmt::format("{} ({})", solid, one_line(shape.file));
  read.told = orient_shells(read.surface, name);
  if (!read.told.empty()) read.told = name + ": " + read.told;
  return read;
}

ShapeExtent extent(const Surface& surface) {
  ShapeExtent result{surface.points.front(), surface.points.front()};
  for (const Point& point : surface.points)
    for (int d = 0; d < 3; ++d) {
      result.lower[d] = std::min(result.lower[d], point[d]);
      result.upper[d] = std::max(result.upper[d], point[d]);
    }
  return result;
}

std::string text_of(const ShapeExtent& extent, int dim) {
  std::string lower, upper;
  for (int d = 0; d < dim; ++d) {
    lower += fmt::format("{}{:.6g}", d > 0 ? ", " : "", extent.lower[d]);
    upper += fmt::format("{}{:.6g}", d > 0 ? ", " : "", extent.upper[d]);
  }
  return fmt::format("from ({}) to ({})", lower, upper);
}

std::string text_of_solid(const std::string& name) {
  return "solid " + quote(name);
}

std::vector<std::string> solid_names(const std::vector<Solid>& solids) {
  std::vector<std::string> names;
  for (const Solid& solid : solids) {
    const std::string name =
        solid.name.empty() ? fmt::format("solid{}", names.size() + 1) : solid.name;
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw KeyError(fmt::format("solids[{}]", names.size()),
                     fmt::format("two solids have the name {}; each needs its own", quote(name)));
    names.push_back(name);
  }
  return names;
}

std::vector<SurfaceOfSolid> surfaces_of(const std::vector<Solid>& solids) {
  const std::vector<std::string> names = solid_names(solids);
  std::vector<SurfaceOfSolid> all;
  for (std::size_t k = 0; k < solids.size(); ++k)
    for_each_surface(solids[k].region, fmt::format("solids[{}]", k),
                     [&](const SurfaceShape& shape, const std::string& key) {
                       const auto [surface, told] = read_surface(shape, text_of_solid(names[k]));
                       const auto [lower, upper] = extent(surface);
                       all.push_back({key, shape.file, told, lower, upper});
                     });
  return all;
}

}  // namespace hodge::sim
