#include "sim/app/run/scalar_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double unknown_bound = std::numeric_limits<double>::infinity();
constexpr int sampled_times = 17;

// max |f| over the cells of a box, at times from 0 to t. A side's cells have the side's coordinate.
double largest_value(const Expression& f, const Grid& grid, const Box<3>& cells, double t, int axis,
                     int side) {
  if (f.is_constant()) return std::abs(f({}, 0));
  const int times = f.depends_on_time() ? sampled_times : 1;
  double largest = 0;
  for_each_on_host(cells, [&](const Index<3>& c) {
    const Point x = side_point(grid, c, axis, side);
    for (int k = 0; k < times; ++k)
      largest = std::max(largest, std::abs(f(x, t * k / std::max(1, times - 1))));
  });
  return largest;
}

double smallest_cell(const Grid& grid) {
  double volume = 1;
  for (int d = 0; d < grid.dim(); ++d)
    volume *= *std::min_element(grid.axis(d).widths.begin(), grid.axis(d).widths.end());
  return volume;
}

double side_area(const Grid& grid, int axis) {
  double area = 1;
  for (int d = 0; d < grid.dim(); ++d)
    if (d != axis) area *= grid.edges(d).back() - grid.edges(d).front();
  return area;
}

}  // namespace

ScalarBounds::ScalarBounds(const Problem& problem, const Diagnostics& initial, const Grid* grid,
                           double factor)
    : scalars_(problem.scalars),
      boundaries_(problem.boundaries),
      factor_(factor),
      initial_(initial.scalar_sizes),
      known_(initial.scalar_sizes) {
  if (grid != nullptr) grid_ = *grid;
}

double ScalarBounds::bound(std::size_t scalar, double time) const {
  const ScalarProblem& problem = scalars_[scalar];
  if (problem.reaction || !grid_) return unknown_bound;
  double values = initial_[scalar];
  double rate = largest_value(problem.source, *grid_, all_cells(*grid_), time, -1, 0);
  for (int axis = 0; axis < grid_->dim(); ++axis)
    for (int side = 0; side < 2; ++side) {
      const SideKind kind = boundaries_.sides[axis][side].kind;
      if (kind == SideKind::periodic || kind == SideKind::outflow) continue;
      const ScalarSide& condition = problem.sides[axis][side];
      if (condition.kind == ScalarSideKind::convective && !condition.coefficient.is_constant())
        return unknown_bound;
      const double size = largest_value(condition.value, *grid_, cells_beside(*grid_, axis, side),
                                        time, axis, side);
      if (condition.kind == ScalarSideKind::flux)
        rate += size * side_area(*grid_, axis) / smallest_cell(*grid_);
      else
        values = std::max(values, size);
    }
  const double bound = values + time * rate;
  return std::isfinite(bound) && bound > 0 ? bound : unknown_bound;
}

std::optional<std::string> ScalarBounds::complaint(const Diagnostics& now, double time) const {
  const bool compresses = now.max_divergence * time > 1;
  for (std::size_t k = 0; k < std::min(scalars_.size(), now.scalar_sizes.size()); ++k) {
    const double size = now.scalar_sizes[k];
    if (!std::isfinite(size))
      return fmt::format("the scalar {} is no longer a finite number", scalars_[k].name);
    if (compresses || k >= known_.size() || size <= factor_ * known_[k]) continue;
    known_[k] = bound(k, time);
    if (size <= factor_ * known_[k]) continue;
    return fmt::format(
        "the scalar {} explodes: max |{}| is {:.3g}, and its initial values, sides and sources "
        "allow {:.3g}",
        scalars_[k].name, scalars_[k].name, size, known_[k]);
  }
  return std::nullopt;
}

}  // namespace hodge::sim
