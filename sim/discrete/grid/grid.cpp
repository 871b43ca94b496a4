#include "sim/discrete/grid/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/base/key_error.hpp"
#include "sim/discrete/grid/axis_limits.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

void check_axis(const AxisSettings& axis, const std::string& name) {
  if (axis.cells < 1)
    throw ConfigError("the grid has " + std::to_string(axis.cells) + " cells along " + name +
                      "; at least 1 is needed");
  if (!(axis.lower < axis.upper) || !can_be_computed_with(axis.lower, axis.upper))
    throw ConfigError(
        fmt::format("the grid along {} goes from {} to {}; lower < upper is needed, "
                    "within {} of 0 and {} apart",
                    name, axis.lower, axis.upper, largest_coordinate, least_length));
}

// Differences over cells of width h lose eps (length / h)^2 of what they should be: cells much
// smaller than sqrt(eps) of the length make a flow of rounding errors. Widths are differences of
// edges, of which rounding leaves eps abs(edge) / h.
constexpr double least_of_length = 0x1p-24, least_of_edges = 0x1p-32;

void check_widths(const Axis& axis, const AxisSettings& settings, const std::string& name) {
  const double smallest = *std::ranges::min_element(axis.widths);
  const double edge = std::max(std::abs(settings.lower), std::abs(settings.upper));
  const double least = std::max(least_of_length * axis.length(), least_of_edges * edge);
  if (smallest >= least) return;
  const bool is_core = settings.stretching == "core";
  throw KeyError(
      fmt::format("grid.stretching.{}.{}", name, is_core ? "cells" : "strength"),
      fmt::format(
          "the smallest cell along {} is {:.2g} wide, and double precision needs at least "
          "{:.2g} between {:.6g} and {:.6g}: take {}",
          name, smallest, least, settings.lower, settings.upper,
          is_core ? "fewer cells in the core or a wider one" : "a lower strength or fewer cells"));
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
  if (!axis.uniform) check_widths(axis, settings, name);
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

Grid Grid::part(const std::array<int, 3>& lower, const std::array<int, 3>& upper) const {
  Grid part = *this;
  for (int d = 0; d < dim_; ++d) {
    const Axis& all = axes_[d];
    const auto k = static_cast<std::size_t>(d);
    Axis& own = part.axes_[d];
    own.edges.assign(all.edges.begin() + lower[k], all.edges.begin() + upper[k] + 1);
    own.widths.assign(all.widths.begin() + lower[k], all.widths.begin() + upper[k]);
  }
  return part;
}

std::string Grid::description() const {
  std::string text;
  for (int d = 0; d < dim_; ++d) text += (d > 0 ? " x " : "") + std::to_string(cells(d));
  return text + " cells";
}

}  // namespace hodge::sim
