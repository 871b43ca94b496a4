#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/cell_rows.hpp"
#include "sim/discrete/bodies/shapes.hpp"
#include "sim/discrete/bodies/surface.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

struct Body {
  std::string name;     // for messages
  std::uint8_t number;  // 1 + its position in the list
};

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

[[noreturn]] void fail_without_cells(const Grid& grid, const Extent& extent,
                                     const std::string& name) {
  Point middle{};
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    if (extent.upper[d] <= axis.lower() || extent.lower[d] >= axis.upper())
      throw ConfigError(fmt::format(
          "{} lies outside the grid: it goes from {:.6g} to {:.6g} along {}, the grid "
          "from {:.6g} to {:.6g}",
          name, extent.lower[d], extent.upper[d], axis_names[d], axis.lower(), axis.upper()));
    middle[d] =
        0.5 * (std::max(extent.lower[d], axis.lower()) + std::min(extent.upper[d], axis.upper()));
  }
  throw ConfigError(fmt::format(
      "{} contains no centre of a cell: the cells there are {} large; use more of them, "
      "or a larger body",
      name, cell_size(grid, middle)));
}

Extent extent(const Surface& surface) {
  Extent result{surface.points.front(), surface.points.front()};
  for (const Point& point : surface.points)
    for (int d = 0; d < 3; ++d) {
      result.lower[d] = std::min(result.lower[d], point[d]);
      result.upper[d] = std::max(result.upper[d], point[d]);
    }
  return result;
}

// Writes the number of the body into the cells where inside(cell, centre) holds and that no earlier
// body has. Errors: ConfigError where it holds nowhere.
template <class Inside>
void mark(const Grid& grid, const Extent& extent, const Body& body, Inside inside,
          std::vector<std::uint8_t>& bodies) {
  const CellRows rows(grid);
  long long count = 0;  // of the cells inside, including those of earlier bodies
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (int row = 0; row < rows.count(); ++row) {
    std::size_t cell = rows.first_cell(row);
    Point centre = rows.centre(0, row);
    for (const double x : rows.centres(0)) {
      centre[0] = x;
      if (inside(cell, centre)) {
        ++count;
        if (bodies[cell] == 0) bodies[cell] = body.number;
      }
      ++cell;
    }
  }
  if (count == 0) fail_without_cells(grid, extent, body.name);
}

template <class Shape>
void add(const Grid& grid, const Shape& shape, const Body& body,
         std::vector<std::uint8_t>& bodies) {
  check_shape(shape, grid.dim(), body.name);
  const auto inside = [&](std::size_t, const Point& centre) {
    return contains(shape, centre, grid.dim());
  };
  mark(grid, extent(shape), body, inside, bodies);
}

// `told`: what had to be mended, after the names.
Surface read_surface(const std::string& file, const std::string& solid, std::string& told) {
  Surface surface;
  try {
    surface = read_stl(file);
  } catch (const ConfigError& error) {
    throw ConfigError(solid + ": " + error.what());
  }
  const std::string name = fmt::format("{} ({})", solid, one_line(file));
  told = orient_shells(surface, name);
  if (!told.empty()) told = name + ": " + told;
  return surface;
}

std::string text_of(const std::string& name) {
  return "solid " + quote(name);
}

// Of a solid of the problem, what says the shape.
std::string key_of(const std::vector<Solid>& solids, std::size_t k) {
  const bool is_surface = std::holds_alternative<SurfaceShape>(solids[k].shape);
  return fmt::format("solids[{}]{}", k, is_surface ? ".surface.file" : "");
}

void add(const Grid& grid, const SurfaceShape& shape, const Body& body,
         std::vector<std::uint8_t>& bodies) {
  if (grid.dim() != 3)
    throw ConfigError(fmt::format("{} is a surface; the grid must have 3 dimensions", body.name));
  std::string told;
  const Surface surface = read_surface(shape.file, body.name, told);
  const std::vector<std::uint8_t> cells = cells_inside(grid, surface);
  const auto inside = [&](std::size_t cell, const Point&) { return cells[cell] != 0; };
  mark(grid, extent(surface), body, inside, bodies);
}

}  // namespace

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

std::vector<MendedSurface> mended_surfaces(const std::vector<Solid>& solids) {
  const std::vector<std::string> names = solid_names(solids);
  std::vector<MendedSurface> mended;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const auto* const shape = std::get_if<SurfaceShape>(&solids[k].shape);
    if (shape == nullptr) continue;
    std::string told;
    (void)read_surface(shape->file, text_of(names[k]), told);
    if (!told.empty()) mended.push_back({key_of(solids, k), told});
  }
  return mended;
}

std::vector<std::uint8_t> cell_bodies(const Grid& grid, const std::vector<Solid>& solids) {
  if (solids.size() > most_solids)
    throw KeyError("solids", fmt::format("{} solids are given; at most {} are possible",
                                         solids.size(), most_solids));
  const std::vector<std::string> names = solid_names(solids);
  std::vector<std::uint8_t> bodies(static_cast<std::size_t>(grid.cell_count()), 0);
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const Body body{text_of(names[k]), static_cast<std::uint8_t>(k + 1)};
    try {
      std::visit([&](const auto& shape) { add(grid, shape, body, bodies); }, solids[k].shape);
    } catch (const ConfigError& error) {
      throw KeyError(key_of(solids, k), error.what());
    }
  }
  if (std::find(bodies.begin(), bodies.end(), 0) == bodies.end())
    throw KeyError("solids", "the solids fill every cell of the grid; some fluid is needed");
  return bodies;
}

}  // namespace hodge::sim
