#include "sim/app/run/blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double explosion_factor = 1e4, energetic_factor = 3;
constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr int sampled_times = 17;

struct Values {
  double least = unbounded, most = -unbounded;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  double largest() const { return std::max(std::abs(least), std::abs(most)); }
};

// At point_in_side of the cells, at times from 0 to t.
Values values_of(const Expression& f, const Grid& grid, const Box<3>& cells, double t, int axis,
                 int side) {
  Values values;
  if (f.is_constant()) {
    values.add(f({}, 0));
    return values;
  }
  const int times = f.depends_on_time() ? sampled_times : 1;
  for_each_on_host(cells, [&](const Index<3>& c) {
    const Point x = point_in_side(grid, axis, side, c);
    for (int k = 0; k < times; ++k) values.add(f(x, t * k / std::max(1, times - 1)));
  });
  return values;
}

double largest_value(const Expression& f, const Grid& grid, const Box<3>& cells, double t, int axis,
                     int side) {
  return values_of(f, grid, cells, t, axis, side).largest();
}
double largest_inside(const Expression& f, const Grid& grid, double t) {
  return largest_value(f, grid, all_cells(grid), t, -1, 0);
}

double largest_on_side(const std::array<Expression, 3>& u, const Grid& grid, double t, int axis,
                       int side) {
  const Box<3> cells = cells_along_side(grid, axis, side);
  std::array<double, 3> largest{};
  for (std::size_t d = 0; d < 3; ++d) largest[d] = largest_value(u[d], grid, cells, t, axis, side);
  return std::hypot(largest[0], largest[1], largest[2]);
}

double constant_side_speed(const Boundaries& boundaries) {
  const auto size = [](const Expression& f) { return f.is_constant() ? f({}, 0) : 0.0; };
  double largest = 0;
  for (const auto& sides : boundaries.sides)
    for (const Side& side : sides) {
      const auto& [u, v, w] = side.velocity;
      largest = std::max(largest, std::hypot(size(u), size(v), size(w)));
    }
  return largest;
}

// sqrt(2 (max p - min p) / rho) of the open sides
double speed_of_pressures(const Problem& problem, const Grid& grid, double t) {
  Values pressures;
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const Side& on = problem.boundaries.sides[axis][side];
    if (!on.traits().is_open()) continue;
    const Values own =
        values_of(on.pressure, grid, cells_along_side(grid, axis, side), t, axis, side);
    pressures.add(own.least);
    pressures.add(own.most);
  }
  const double difference = pressures.most - pressures.least;
  return difference > 0 ? std::sqrt(2 * difference / problem.density) : 0.0;
}

double smallest_width(const Grid& grid, int axis) {
  return *std::min_element(grid.axis(axis).widths.begin(), grid.axis(axis).widths.end());
}

double smallest_cell(const Grid& grid) {
  double volume = 1;
  for (int d = 0; d < grid.dim(); ++d) volume *= smallest_width(grid, d);
  return volume;
}

// |f| where no other thing than a constant force can bring kinetic energy.
std::optional<double> constant_force(const Problem& problem) {
  if (problem.prescribed_velocity || problem.resistances.any()) return std::nullopt;
  for (const ScalarProblem& scalar : problem.scalars)
    for (const double buoyancy : scalar.buoyancy)
      if (buoyancy != 0) return std::nullopt;
  for (const auto& rate : problem.flow_rate)
    if (rate) return std::nullopt;
  for (const auto& sides : problem.boundaries.sides)
    for (const Side& side : sides) {
      const bool is_at_rest = std::ranges::all_of(side.velocity, &Expression::is_zero);
      if (side.traits().is_open() || side.traits().is_inflow() || !is_at_rest) return std::nullopt;
    }
  if (std::ranges::any_of(problem.flow_force, [](const auto& of) { return of.has_value(); }))
    return std::nullopt;
  const auto& [f, g, h] = problem.force;
  if (!f.is_constant() || !g.is_constant() || !h.is_constant()) return std::nullopt;
  return std::hypot(f({}, 0), g({}, 0), h({}, 0));
}

}  // namespace

BlowUpTest::BlowUpTest(const Problem& problem, const Diagnostics& initial, const Grid* grid)
    : problem_(problem),
      initial_speed_(std::max(initial.max_speed, constant_side_speed(problem.boundaries))),
      constant_force_(constant_force(problem)),
      initial_(initial.scalar_sizes),
      known_(initial.scalar_sizes) {
  if (grid != nullptr) grid_ = *grid;
  largest_sane_speed_ = explosion_factor * initial_speed_;
}

std::optional<std::string> BlowUpTest::complaint(const Diagnostics& now, double time) const {
  if (!now.finite) return "the velocity or the pressure is no longer a finite number";
  if (const auto complaint = speed_complaint(now.max_speed, time)) return complaint;
  if (const auto complaint = energy_complaint(now, time)) return complaint;
  return scalar_complaint(now, time);
}

// In a fluid that moves by less than a cell rounding errors may be all of the energy.
std::optional<std::string> BlowUpTest::energy_complaint(const Diagnostics& now, double time) const {
  if (!grid_ || !constant_force_) return std::nullopt;
  const double norm = std::sqrt(2 * now.kinetic_energy);
  if (!first_seen_) first_seen_ = {time, norm};
  double volume = 1;
  for (int d = 0; d < grid_->dim(); ++d) volume *= grid_->axis(d).length();
  const double passed = time - first_seen_->time;
  const double bound = first_seen_->norm + passed * *constant_force_ * std::sqrt(volume);
  if (norm <= energetic_factor * bound || passed * now.cfl_rate < 1) return std::nullopt;
  return fmt::format(
      "the velocity explodes: its kinetic energy is {:.3g}, and initial velocity and force allow "
      "{:.3g}",
      now.kinetic_energy, 0.5 * bound * bound);
}

std::optional<std::string> BlowUpTest::speed_complaint(double speed, double time) const {
  if (speed <= largest_sane_speed_) return std::nullopt;
  const double bound = speed_bound(time);
  largest_sane_speed_ = explosion_factor * bound;
  const bool explodes = bound > 0 && speed > largest_sane_speed_;
  if (!explodes) return std::nullopt;
  return fmt::format("the velocity explodes: max |u| is {:.3g}, {:.0e} times what the case sets",
                     speed, speed / bound);
}

double BlowUpTest::speed_bound(double time) const {
  if (!grid_) return initial_speed_;
  double speed = initial_speed_;
  if (problem_.prescribed_velocity) return unbounded;
  for (const auto [axis, side] : sides_of_box(grid_->dim()))
    speed = std::max(speed, largest_on_side(problem_.boundaries.sides[axis][side].velocity, *grid_,
                                            time, axis, side));
  for (int d = 0; d < grid_->dim(); ++d) {
    if (!problem_.flow_rate[d]) continue;
    const double face = smallest_cell(*grid_) / smallest_width(*grid_, d);
    speed = std::max(speed, largest_inside(*problem_.flow_rate[d], *grid_, time) / face);
  }
  const double bound =
      speed + speed_of_pressures(problem_, *grid_, time) + time * acceleration(time);
  return std::isfinite(bound) ? bound : unbounded;
}

double BlowUpTest::acceleration(double time) const {
  std::array<double, 3> largest{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (problem_.flow_force[d]) return unbounded;
    largest[d] = largest_inside(problem_.force[d], *grid_, time);
    for (std::size_t k = 0; k < problem_.scalars.size(); ++k) {
      const double buoyancy = std::abs(problem_.scalars[k].buoyancy[d]);
      if (buoyancy > 0)
        largest[d] += buoyancy * (bound(k, time) + std::abs(problem_.scalars[k].neutral));
    }
  }
  return std::hypot(largest[0], largest[1], largest[2]);
}

double BlowUpTest::bound(std::size_t scalar, double time) const {
  const ScalarProblem& problem = problem_.scalars[scalar];
  if (problem.reaction || !grid_) return unbounded;
  double values = initial_[scalar];
  double rate = largest_inside(problem.source, *grid_, time);
  for (const auto [axis, side] : sides_of_box(grid_->dim())) {
    if (!problem_.boundaries.sides[axis][side].traits().takes_scalar_condition()) continue;
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
  for (const Solid& solid : problem_.solids) {
    const SolidScalar* const of = scalar_of(solid, problem.name);
    if (of == nullptr) continue;
    const ScalarSide& surface = of->surface;
    if (of->heat)
      rate += largest_inside(of->heat->source, *grid_, time) / of->heat->capacity;
    else if (!surface.traits().gives_flux() && surface.coefficient.is_constant())
      values = std::max(values, largest_inside(surface.value, *grid_, time));
    else if (!surface.is_without_flux())
      return unbounded;
  }
  const double bound = values + time * rate;
  return std::isfinite(bound) && bound > 0 ? bound : unbounded;
}

std::optional<std::string> BlowUpTest::scalar_complaint(const Diagnostics& now, double time) const {
  const bool compresses = now.max_divergence * time > 1;
  const auto& scalars = problem_.scalars;
  for (std::size_t k = 0; k < std::min(scalars.size(), now.scalar_sizes.size()); ++k) {
    const double size = now.scalar_sizes[k];
    if (!std::isfinite(size))
      return fmt::format("the scalar {} is no longer a finite number", scalars[k].name);
    if (compresses || k >= known_.size() || size <= explosion_factor * known_[k]) continue;
    known_[k] = bound(k, time);
    if (size <= explosion_factor * known_[k]) continue;
    return fmt::format(
        "the scalar {} explodes: max |{}| is {:.3g}, and its initial values, sides and sources "
        "allow {:.3g}",
        scalars[k].name, scalars[k].name, size, known_[k]);
  }
  return std::nullopt;
}

}  // namespace hodge::sim
