#include "sim/discrete/grid/grid.hpp"

#include <cmath>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

void check_axis(const AxisSettings& axis, const std::string& name) {
  if (axis.cells < 1)
    throw ConfigError("the grid has " + std::to_string(axis.cells) + " cells along " + name +
                      "; at least 1 is needed");
  if (!(axis.lower < axis.upper) || !std::isfinite(axis.upper - axis.lower))
    throw ConfigError("the grid along " + name + " goes from " + std::to_string(axis.lower) +
                      " to " + std::to_string(axis.upper) + "; lower < upper is needed");
}

Axis make_axis(const AxisSettings& settings, const std::string& name) {
  const Stretching& stretching = find_stretching(settings.stretching);
  check_axis(settings, name);
  const int n = settings.cells;
  const double length = settings.upper - settings.lower;
  Axis axis;
  axis.uniform = stretching.uniform;
  axis.edges = stretching.edges(settings, name);
  axis.edges.back() = settings.upper;
  for (int i = 0; i < n; ++i)
    axis.widths.push_back(axis.uniform ? length / n : axis.edges[i + 1] - axis.edges[i]);
  for (const double width : axis.widths)
    if (!(width > 0.0))
      throw ConfigError("the grid along " + name + " has a cell of width " + std::to_string(width) +
                        "; lower the stretching's strength");
  return axis;
}

}  // namespace

Grid::Grid(const GridSettings& settings) : dim_(settings.dim) {
  if (dim_ != 2 && dim_ != 3)
    throw ConfigError("the grid has " + std::to_string(dim_) + " dimensions; 2 or 3 are possible");
  for (int d = 0; d < dim_; ++d) axes_[d] = make_axis(settings.axes[d], axis_names[d]);
}

bool Grid::uniform() const {
  for (int d = 0; d < dim_; ++d)
    if (!axes_[d].uniform) return false;
  return true;
}

long long Grid::cell_count() const {
  long long count = 1;
  for (int d = 0; d < dim_; ++d) count *= axes_[d].cells();
  return count;
}

std::string Grid::description() const {
  std::string text;
  for (int d = 0; d < dim_; ++d) text += (d > 0 ? " x " : "") + std::to_string(cells(d));
  return text + " cells";
}

}  // namespace hodge::sim
