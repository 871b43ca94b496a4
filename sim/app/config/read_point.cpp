#include "sim/app/config/read_point.hpp"

#include "sim/app/config/readers.hpp"

namespace hodge::sim {

ValueReader point(Point& out, const GridSettings& grid) {
  return each_axis(out, grid.dim, "a list of numbers",
                   fmt::format("{} as grid.cells has", grid.dim),
                   [](double& coordinate) { return number(coordinate, {}); });
}

}  // namespace hodge::sim
