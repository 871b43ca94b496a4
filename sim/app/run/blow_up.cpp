#include "sim/app/run/blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/driving.hpp"

namespace hodge::sim {
namespace {

constexpr double explosion_factor = 1e4;
constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr int sampled_times = 17;

double size(const Expression& expression) {
  return expression.is_constant() ? expression({}, 0) : unbounded;
}

double largest_side_speed(const Boundaries& boundaries) {
  double largest = 0;
  for (const auto& sides : boundaries.sides) {
    for (const Side& side : sides) {
      const auto& [u, v, w] = side.velocity;
      largest = std::max(largest, std::hypot(size(u), size(v), size(w)));
    }
  }
  return largest;
}

// By more than the sides: how fast the fluid becomes then is not known.
bool is_driven_inside(const Problem& problem) {
  const auto is_zero = [](const Expression& f) { return f.is_zero(); };
  const auto is_passive = [](const ScalarProblem& s) {
    return s.buoyancy == std::array<double, 3>{};
  };
  return !std::all_of(problem.force.begin(), problem.force.end(), is_zero) ||
         !std::all_of(problem.scalars.begin(), problem.scalars.end(), is_passive) ||
         has_flow_rate(problem.flow_rate) || has_pressure_difference(problem.boundaries);
}

// max |f| at point_in_side of the cells, at times from 0 to t.
double largest_value(const Expression& f, const Grid& grid, const Box<3>& cells, double t, int axis,
                     int side) {
  if (f.is_constant()) return std::abs(f({}, 0));
  const int times = f.depends_on_time() ? sampled_times : 1;
  double largest = 0;
  for_each_on_host(cells, [&](const Index<3>& c) {
    const Point x = point_in_side(grid, axis, side, c);
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

}  // namespace

BlowUpTest::BlowUpTest(const Problem& problem, const Diagnostics& initial, const Grid* grid)
    : scalars_(problem.scalars),
      boundaries_(problem.boundaries),
      initial_(initial.scalar_sizes),
      known_(initial.scalar_sizes) {
  if (grid != nullptr) grid_ = *grid;
  const double reference = std::max(initial.max_speed, largest_side_speed(boundaries_));
  const bool known = reference > 0 && !is_driven_inside(problem);
  largest_sane_speed_ = known ? explosion_factor * reference : unbounded;
}

std::optional<std::string> BlowUpTest::complaint(const Diagnostics& now, double time) const {
  if (!now.finite) return "the velocity or the pressure is no longer a finite number";
  if (now.max_speed <= largest_sane_speed_) return scalar_complaint(now, time);
  return fmt::format("the velocity explodes: max |u| is {:.3g}, {:.0e} times what the case sets",
                     now.max_speed, explosion_factor * now.max_speed / largest_sane_speed_);
}

double BlowUpTest::bound(std::size_t scalar, double time) const {
  const ScalarProblem& problem = scalars_[scalar];
  if (problem.reaction || !grid_) return unbounded;
  double values = initial_[scalar];
  double rate = largest_value(problem.source, *grid_, all_cells(*grid_), time, -1, 0);
  for (const auto [axis, side] : sides_of_box(grid_->dim())) {
    if (!boundaries_.sides[axis][side].traits().takes_scalar_condition()) continue;
    const ScalarSide& condition = problem.sides[axis][side];
    if (condition.traits().has_coefficient() && !condition.coefficient.is_constant())
      return unbounded;
    const double size = largest_value(condition.value, *grid_, cells_along_side(*grid_, axis, side),
                                      time, axis, side);
    if (condition.traits().gives_flux())
      rate += size * side_area(*grid_, axis) / smallest_cell(*grid_);
    else
      values = std::max(values, size);
  }
  const double bound = values + time * rate;
  return std::isfinite(bound) && bound > 0 ? bound : unbounded;
}

std::optional<std::string> BlowUpTest::scalar_complaint(const Diagnostics& now, double time) const {
  const bool compresses = now.max_divergence * time > 1;
  for (std::size_t k = 0; k < std::min(scalars_.size(), now.scalar_sizes.size()); ++k) {
    const double size = now.scalar_sizes[k];
    if (!std::isfinite(size))
      return fmt::format("the scalar {} is no longer a finite number", scalars_[k].name);
    if (compresses || k >= known_.size() || size <= explosion_factor * known_[k]) continue;
    known_[k] = bound(k, time);
    if (size <= explosion_factor * known_[k]) continue;
    return fmt::format(
        "the scalar {} explodes: max |{}| is {:.3g}, and its initial values, sides and sources "
        "allow {:.3g}",
        scalars_[k].name, scalars_[k].name, size, known_[k]);
  }
  return std::nullopt;
}

}  // namespace hodge::sim
