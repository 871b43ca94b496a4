#include "sim/grid/grid.hpp"

#include <cmath>
#include <string>

#include "linalg/errors.hpp"
#include "sim/grid/stretching.hpp"

namespace hodge::sim {
namespace {

double uniform_map(double s, double /*strength*/) {
  return s;
}

double tanh_map(double s, double strength) {
  return 0.5 * (1.0 + std::tanh(strength * (2.0 * s - 1.0)) / std::tanh(strength));
}

constexpr Stretching stretchings[] = {
    {"uniform", "equal cells", true, uniform_map},
    {"tanh", "cells refined at both ends; strength > 0", false, tanh_map},
};

const Stretching& find_stretching(const std::string& name) {
  std::string known;
  for (const Stretching& stretching : stretchings) {
    if (name == stretching.name) return stretching;
    known += std::string(known.empty() ? "" : ", ") + stretching.name;
  }
  throw ConfigError("unknown grid stretching '" + name + "'; known are " + known);
}

void check(const AxisSettings& axis, const std::string& name, const Stretching& stretching) {
  if (axis.cells < 1)
    throw ConfigError("the grid has " + std::to_string(axis.cells) + " cells along " + name +
                      "; at least 1 is needed");
  if (!(axis.lower < axis.upper) || !std::isfinite(axis.upper - axis.lower))
    throw ConfigError("the grid along " + name + " goes from " + std::to_string(axis.lower) +
                      " to " + std::to_string(axis.upper) + "; lower < upper is needed");
  if (!stretching.uniform && !(axis.strength > 0.0 && std::isfinite(axis.strength)))
    throw ConfigError("the stretching '" + axis.stretching + "' along " + name + " has strength " +
                      std::to_string(axis.strength) +
                      "; a positive number is needed, 1 to 3 are usual");
}

Axis make_axis(const AxisSettings& settings, const std::string& name) {
  const Stretching& stretching = find_stretching(settings.stretching);
  check(settings, name, stretching);
  const int n = settings.cells;
  const double length = settings.upper - settings.lower;
  Axis axis;
  axis.uniform = stretching.uniform;
  for (int i = 0; i <= n; ++i)
    axis.edges.push_back(settings.lower +
                         length * stretching.map(static_cast<double>(i) / n, settings.strength));
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

std::span<const Stretching> stretching_table() {
  return stretchings;
}

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
