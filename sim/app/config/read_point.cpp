#include "sim/app/config/read_point.hpp"

#include "sim/app/config/readers.hpp"

namespace hodge::sim {

ValueReader point(Point& out, const GridSettings& grid) {
  return each_axis(out, grid.dim, "a list of numbers",
                   fmt::format("{} as grid.cells has", grid.dim),
                   [](double& coordinate) { return number(coordinate, {}); });
}

std::string point_text(const Point& at, const GridSettings& grid) {
  Point written = at;
  return point(written, grid).write();
}

Point lower_corner(const GridSettings& grid) {
  return {grid.axes[0].lower, grid.axes[1].lower, grid.axes[2].lower};
}

Point upper_corner(const GridSettings& grid) {
  return {grid.axes[0].upper, grid.axes[1].upper, grid.axes[2].upper};
}

Point middle_of(const GridSettings& grid) {
  const Point lower = lower_corner(grid), upper = upper_corner(grid);
  return {0.5 * (lower[0] + upper[0]), 0.5 * (lower[1] + upper[1]), 0.5 * (lower[2] + upper[2])};
}

}  // namespace hodge::sim
