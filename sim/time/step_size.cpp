#include "sim/time/step_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/errors.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {
namespace {

constexpr double largest_growth = 1.5;  // of bdf2: stable for r < 1 + sqrt(2)
constexpr double unbounded = std::numeric_limits<double>::infinity();

double largest_step(const StepSettings& settings, const StepState& state) {
  if (settings.size) return std::min(*settings.size, state.limit);
  double bound = std::min(settings.max.value_or(unbounded), state.limit);
  if (settings.cfl && state.cfl_rate > 0) bound = std::min(bound, *settings.cfl / state.cfl_rate);
  if (bound == unbounded)
    throw ConfigError(settings.cfl
                          ? "the time step has no bound: nothing moves yet, so time.step.cfl gives "
                            "none; set time.step.max too"
                          : "the time step has no bound; set time.step.cfl, time.step.max or "
                            "time.step.size");
  if (state.previous_dt > 0) bound = std::min(bound, largest_growth * state.previous_dt);
  return bound;
}

}  // namespace

double diffusive_step_limit(const Settings& settings, const Problem& problem, const Grid& grid) {
  double largest = problem.prescribed_velocity ? 0.0 : problem.viscosity;
  for (const ScalarProblem& scalar : problem.scalars)
    largest = std::max(largest, scalar.diffusivity);
  double rate = 0;
  for (int d = 0; d < grid.dim(); ++d) {
    const std::vector<double>& h = grid.axis(d).widths;
    const double smallest = *std::min_element(h.begin(), h.end());
    rate += 4 * largest / (smallest * smallest);
  }
  const double stable = find_time_scheme(settings.time.scheme).largest_diffusion;
  return rate > 0 ? stable / rate : unbounded;
}

double next_step_size(const StepSettings& settings, const StepState& state) {
  const double remaining = state.next_stop - state.time;
  if (!(remaining > 0)) throw ShapeError("next_step_size: next_stop must lie after time");
  const double bound = largest_step(settings, state);
  if (!(bound > 0))
    throw ConfigError("the time step is bounded by " + std::to_string(bound) +
                      "; time.step.cfl, max and size must be positive");
  const double steps = std::max(1.0, std::ceil(remaining / bound - 1e-9));
  return remaining / steps;
}

double size_before_limit(const StepSettings& settings, const StepState& state) {
  double wanted = settings.size.value_or(settings.max.value_or(unbounded));
  if (settings.cfl && state.cfl_rate > 0) wanted = std::min(wanted, *settings.cfl / state.cfl_rate);
  const bool is_shortened = wanted < unbounded && state.limit < wanted * (1 - 1e-9);
  return is_shortened ? wanted : 0.0;
}

}  // namespace hodge::sim
