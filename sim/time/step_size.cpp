#include "sim/time/step_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/key_error.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double inverse_square_width(const Grid& grid, int axis) {
  const std::vector<double>& h = grid.axis(axis).widths;
  const double smallest = *std::min_element(h.begin(), h.end());
  return 1 / (smallest * smallest);
}

// The largest eigenvalue of -h^2 d2/dx2 of a velocity along the sides of an axis: 4, but beside
// sides along which the velocity is given (operators/side_friction.hpp) there is one of
// 4 + f r = 8 / sqrt(3), f = 4/3, whose values fall by r = sqrt(12) - 3 from cell to cell; across
// few cells those of both sides meet.
double eigenvalue_along_sides(const Problem& problem, const Grid& grid, int axis) {
  const auto& sides = problem.boundaries.sides[axis];
  if (!sides[0].traits().takes_velocity() && !sides[1].traits().takes_velocity()) return 4;
  return grid.cells(axis) >= 8 ? 8 / std::sqrt(3.0) : 16.0 / 3;
}

// sum_e lambda_e / h_e^2
template <class Eigenvalue>
double diffusion_rate(const Grid& grid, const Eigenvalue& eigenvalue) {
  double rate = 0;
  for (int e = 0; e < grid.dim(); ++e) rate += eigenvalue(e) * inverse_square_width(grid, e);
  return rate;
}

// The largest over the components.
double velocity_rate(const Problem& problem, const Grid& grid) {
  double largest = 0;
  for (int d = 0; d < grid.dim(); ++d)
    largest = std::max(largest, diffusion_rate(grid, [&](int e) {
                         return e == d ? 4 : eigenvalue_along_sides(problem, grid, e);
                       }));
  return largest;
}

}  // namespace

double scalar_diffusion_rate(const Problem& problem, const Grid& grid) {
  double largest = 0;
  for (const ScalarProblem& scalar : problem.scalars)
    largest = std::max(largest, largest_diffusivity(scalar, problem.solids, grid));
  return largest * diffusion_rate(grid, [](int) { return 4.0; });
}

DiffusionRates explicit_diffusion_rates(const Settings& settings, const Problem& problem,
                                        const Grid& grid) {
  const bool is_explicit = find_time_scheme(settings.time.scheme).largest_diffusion < unbounded;
  DiffusionRates rates;
  if (is_explicit && !problem.prescribed_velocity) rates.velocity = velocity_rate(problem, grid);
  if (is_explicit && !scheme_of_scalars(settings, problem).solves_transport())
    rates.scalars = diffusion_rate(grid, [](int) { return 4.0; });
  return rates;
}

double diffusive_step_limit(const Settings& settings, const Problem& problem, const Grid& grid) {
  double rate =
      problem.prescribed_velocity ? 0.0 : problem.viscosity * velocity_rate(problem, grid);
  if (!scheme_of_scalars(settings, problem).solves_transport())
    rate = std::max(rate, scalar_diffusion_rate(problem, grid));
  const double stable = find_time_scheme(settings.time.scheme).largest_diffusion;
  return rate > 0 ? stable / rate : unbounded;
}

double largest_step(const StepSettings& settings, const StepState& state) {
  const double remaining = state.next_stop - state.time;
  if (!(remaining > 0)) throw ShapeError("next_step_size: next_stop must lie after time");
  if (settings.size) return std::min({*settings.size, state.limit, state.motion});
  double bound = std::min({settings.max.value_or(unbounded), state.limit, state.motion});
  if (settings.cfl && state.cfl_rate > 0) bound = std::min(bound, *settings.cfl / state.cfl_rate);
  if (state.previous_dt > 0) bound = std::min(bound, largest_growth * state.previous_dt);
  if (bound == unbounded)
    throw KeyError("time.step",
                   "the time step has no bound; set time.step.cfl, time.step.max or "
                   "time.step.size");
  return std::min(bound, remaining);
}

double next_step_size(const StepSettings& settings, const StepState& state) {
  const double bound = largest_step(settings, state);
  if (!(bound > 0))
    throw KeyError("time.step", "the time step is bounded by " + std::to_string(bound) +
                                    "; time.step.cfl, max and size must be positive");
  const double remaining = state.next_stop - state.time;
  return remaining / steps_to(state.next_stop, bound, state.time);
}

double size_before_limit(const StepSettings& settings, const StepState& state) {
  double wanted = settings.size.value_or(settings.max.value_or(unbounded));
  if (settings.cfl && state.cfl_rate > 0) wanted = std::min(wanted, *settings.cfl / state.cfl_rate);
  const bool is_shortened = wanted < unbounded && state.limit < wanted * (1 - 1e-9);
  return is_shortened ? wanted : 0.0;
}

}  // namespace hodge::sim
