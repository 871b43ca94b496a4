#include "sim/flow/output_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr double cell_rounding = 1e-9;  // of a cell

// The narrowest cell that an interval of an axis has a part of.
double narrowest_cell(const Axis& axis, double lower, double upper) {
  double narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < axis.widths.size(); ++i)
    if (axis.edges[i] < upper && axis.edges[i + 1] > lower)
      narrowest = std::min(narrowest, axis.widths[i]);
  return narrowest;
}

}  // namespace

CellRange cells_of(const OutputRegion& region, const Grid& grid) {
  CellRange cells;
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    const auto k = static_cast<std::size_t>(d);
    const auto ends_before = [&](int i, double x) {
      return axis.edges[static_cast<std::size_t>(i) + 1] <=
             x + cell_rounding * axis.widths[static_cast<std::size_t>(i)];
    };
    int lower = 0;
    while (lower < axis.cells() - 1 && ends_before(lower, region.lower[k])) ++lower;
    int upper = lower + 1;
    while (upper < axis.cells() &&
           axis.edges[static_cast<std::size_t>(upper)] <
               region.upper[k] - cell_rounding * axis.widths[static_cast<std::size_t>(upper)])
      ++upper;
    cells.lower[k] = lower;
    cells.upper[k] = upper;
  }
  return cells;
}

void check_regions(const Settings& settings, const Grid& grid) {
  for (const OutputRegion& region : settings.output.regions) {
    const std::string key = "output.regions." + region.name;
    if (edit_distance(region.name, settings.run_name()) == 0)
      throw KeyError(key, fmt::format("{} has the name of the run, whose frames are called so; "
                                      "another name is needed",
                                      key));
    for (int d = 0; d < grid.dim(); ++d) {
      const double extent = region.upper[d] - region.lower[d];
      const double cell = narrowest_cell(grid.axis(d), region.lower[d], region.upper[d]);
      if (extent > 0 && extent < (1 - cell_rounding) * cell)
        throw KeyError(key,
                       fmt::format("{} is {:.6g} long along {}, expected at least a cell there, "
                                   "{:.6g}, or equal coordinates: a plane of cells",
                                   key, extent, axis_names[d], cell));
    }
  }
}

}  // namespace hodge::sim
