#include "sim/time/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/base/errors.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {
namespace {

constexpr double any_step = std::numeric_limits<double>::infinity();

constexpr StablePair pairs[] = {
    {"bdf2", "central", 0.8},
    {"bdf2", "upwind", 0.8, any_step, false, 0.5},
    {"bdf2", "quick", 0.8},
    {"bdf2", "van_leer", 0.25, any_step, false, 0.25},
    {"bdf2", "weno5", 0.8},
    {"backward_euler", "central", 0.8},
    {"backward_euler", "upwind", 0.8, any_step, false, any_step},
    {"backward_euler", "quick", 0.8},
    {"backward_euler", "van_leer", 0.8, any_step, false, any_step},
    {"backward_euler", "weno5", 0.8},
    {"cn_ab2", "central", 0.5, 0.85, true},
    {"cn_ab2", "upwind", 0.4, 0.5},
    {"cn_ab2", "quick", 0.4, 0.58},
    {"cn_ab2", "van_leer", 0.25, 0.45},
    {"cn_ab2", "weno5", 0.2, 0.25},
    {"rk3", "central", 0.8, 1.7},
    {"rk3", "upwind", 0.8, 1.25, false, 1.0},
    {"rk3", "quick", 0.8, 1.8},
    {"rk3", "van_leer", 0.5, 1.1, false, 0.5},
    {"rk3", "weno5", 0.8, 1.4},
};

// dt^3 a^2 (|u|^2 / D + shape a) <= damped, see stability.hpp.
constexpr double damped = 4, shape = 6;

double least_diffusivity(const Problem& problem) {
  double least = problem.prescribed_velocity ? any_step : problem.viscosity;
  for (const ScalarProblem& scalar : problem.scalars) least = std::min(least, scalar.diffusivity);
  return least;
}

}  // namespace

std::span<const StablePair> stability_table() {
  return pairs;
}

const StablePair& stability_of(const std::string& time, const std::string& convection) {
  (void)find_time_scheme(time);
  (void)find_convection_scheme(convection);
  for (const StablePair& pair : pairs)
    if (time == pair.time && convection == pair.convection) return pair;
  throw ConfigError("nothing is known of the stability of " + time + " with " + convection);
}

std::string stability_text(const StablePair& pair) {
  std::string text = pair.largest_cfl == any_step
                         ? "stable at any step"
                         : fmt::format("stable up to a CFL number of {}", pair.largest_cfl);
  if (pair.needs_diffusion) text += ", less where little diffuses";
  if (pair.bounded_cfl == any_step) return text + ", scalars bounded";
  if (pair.bounded_cfl > 0) text += fmt::format(", scalars bounded up to {}", pair.bounded_cfl);
  return text;
}

StableStep::StableStep(const Settings& settings, const Problem& problem, const Grid& grid)
    : pair_(stability_of(settings.time.scheme, settings.convection_scheme)),
      diffusive_limit_(diffusive_step_limit(settings, problem, grid)),
      least_diffusivity_(least_diffusivity(problem)) {}

double StableStep::largest(double cfl_rate, double max_speed) const {
  if (!(cfl_rate > 0)) return diffusive_limit_;
  double limit = 1.0 / (cfl_rate / pair_.largest_cfl + 1.0 / diffusive_limit_);
  if (pair_.needs_diffusion) {
    const double growth =
        cfl_rate * cfl_rate * (max_speed * max_speed / least_diffusivity_ + shape * cfl_rate);
    limit = std::min(limit, std::cbrt(damped / growth));
  }
  return limit;
}

bool keeps_bounds(const Settings& settings) {
  const StablePair& pair = stability_of(settings.time.scheme, settings.convection_scheme);
  const std::optional<double>& cfl = settings.time.step.cfl;
  return pair.bounded_cfl > 0 && (!cfl || *cfl <= pair.bounded_cfl);
}

std::string undamped(const Settings& settings, const Problem& problem) {
  if (!stability_of(settings.time.scheme, settings.convection_scheme).needs_diffusion) return {};
  if (!problem.prescribed_velocity && problem.viscosity == 0) return "the velocity";
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalar.diffusivity == 0) return scalar.name;
  return {};
}

}  // namespace hodge::sim
