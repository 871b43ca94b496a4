#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/level_set.hpp"
#include "sim/discrete/bodies/region_level.hpp"
#include "sim/discrete/bodies/solid_files.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

double width_at(const Axis& axis, double x) {
  const auto above = std::upper_bound(axis.edges.begin() + 1, axis.edges.end() - 1, x);
  return axis.widths[above - axis.edges.begin() - 1];
}

// "0.1 x 0.1": the cell at a point, or the one nearest to it.
std::string cell_size(const Grid& grid, const Point& x) {
  std::string text;
  for (int d = 0; d < grid.dim(); ++d)
    text += fmt::format("{}{:.4g}", d > 0 ? " x " : "", width_at(grid.axis(d), x[d]));
  return text;
}

// Why a body contains no centre of a cell.
std::string without_cells(const Grid& grid, const ShapeExtent& extent, const std::string& name) {
  Point middle{};
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    if (extent.upper[d] <= axis.lower() || extent.lower[d] >= axis.upper())
      return fmt::format(
          "{} lies outside the grid: it goes from {:.6g} to {:.6g} along {}, the grid "
          "from {:.6g} to {:.6g}",
          name, extent.lower[d], extent.upper[d], axis_names[d], axis.lower(), axis.upper());
    middle[d] =
        0.5 * (std::max(extent.lower[d], axis.lower()) + std::min(extent.upper[d], axis.upper()));
  }
  return fmt::format(
      "{} contains no centre of a cell: the cells there are {} large; use more of them, "
      "or a larger body",
      name, cell_size(grid, middle));
}

std::vector<std::uint8_t> cells_in(const LevelSet& body, const PointRows& centres,
                                   const std::string& key) {
  try {
    return body.inside(centres);
  } catch (const ConfigError& error) {
    throw KeyError(key, error.what());
  }
}

}  // namespace

std::vector<std::uint8_t> cell_bodies(const Grid& grid, const std::vector<Solid>& solids,
                                      const std::array<bool, 3>& periodic) {
  if (solids.size() > most_solids)
    throw KeyError("solids", fmt::format("{} solids are given; at most {} are possible",
                                         solids.size(), most_solids));
  const LevelSets sets = level_sets(grid, solids, periodic);
  const std::vector<std::string> names = solid_names(solids);
  const PointRows centres(grid);
  std::vector<std::uint8_t> bodies(centres.size(), 0);
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const std::string key = key_of_shape(solids[k].region, fmt::format("solids[{}]", k));
    const std::vector<std::uint8_t> inside = cells_in(*sets[k], centres, key);
    const ShapeExtent extent = sets[k]->extent();
    if (std::ranges::find(inside, 1) == inside.end())
      throw KeyError(key, without_cells(grid, extent, text_of_solid(names[k])));
    if (std::ranges::find(inside, 0) == inside.end())
      throw KeyError(key, fmt::format("{}, {}, fills every cell of the grid; some fluid is needed",
                                      text_of_solid(names[k]), text_of(extent, grid.dim())));
    const auto number = static_cast<std::uint8_t>(k + 1);
    for (std::size_t cell = 0; cell < bodies.size(); ++cell)
      if (inside[cell] != 0 && bodies[cell] == 0) bodies[cell] = number;
  }
  if (std::ranges::find(bodies, 0) == bodies.end())
    throw KeyError("solids", "the solids fill every cell of the grid; some fluid is needed");
  return bodies;
}

}  // namespace hodge::sim
