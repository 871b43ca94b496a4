#include "sim/time/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/base/errors.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {
namespace {

constexpr double any_step = std::numeric_limits<double>::infinity();

constexpr StablePair pairs[] = {
    {"bdf2", "central", 0.8},
    {"bdf2", "upwind", 0.8, any_step, false, any_step},
    {"bdf2", "quick", 0.8},
    {"bdf2", "van_leer", 0.25, any_step, false, any_step},
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
    {"rk3", "van_leer", 0.5, 1.1, false, 1.0},
    {"rk3", "weno5", 0.8, 1.4},
    {"ab2", "central", 0.5, 0.85, true},
    {"ab2", "upwind", 0.4, 0.5},
    {"ab2", "quick", 0.4, 0.58},
    {"ab2", "van_leer", 0.25, 0.45},
    {"ab2", "weno5", 0.2, 0.25},
};

// dt^3 a^2 (|u|^2 / D + shape a) <= damped, see stability.hpp.
constexpr double damped = 4, shape = 6;

// The share of d in rk3's bound on steps of scalars that stay in their bounds.
constexpr double bounded_share = 0.75;

const char* time_of_scalars(const Settings& settings, const Carried& carried) {
  const TimeScheme& scheme = find_time_scheme(settings.time.scheme);
  return carried.beside_sharp_solids && !scheme.has_implicit_convection() ? "bdf2" : scheme.name;
}

double least_scalar_diffusivity(const Problem& problem) {
  double least = any_step;
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

const TimeScheme& scheme_of_scalars(const Settings& settings, const Problem& problem) {
  return find_time_scheme(time_of_scalars(settings, carried_in(problem)));
}

Carried carried_in(const Problem& problem) {
  const bool scalars = !problem.scalars.empty();
  return {!problem.prescribed_velocity || !scalars, scalars,
          scalars && has_sharp_solids(problem.solids)};
}

std::vector<const StablePair*> stable_pairs(const Settings& settings, const Carried& carried) {
  const std::string& time = settings.time.scheme;
  std::vector<const StablePair*> pairs;
  if (carried.velocity) pairs.push_back(&stability_of(time, settings.convection_scheme));
  if (carried.scalars)
    pairs.push_back(
        &stability_of(time_of_scalars(settings, carried), settings.convection_of_scalars()));
  return pairs;
}

bool has_deferred(const Settings& settings, const Problem& problem) {
  if (has_sharp_solids(problem.solids))
    for (const ScalarProblem& scalar : problem.scalars)
      if (has_media(scalar, problem.solids)) return true;  // heat along surfaces
  if (is_at_rest(problem)) return false;
  for (const StablePair* pair : stable_pairs(settings, carried_in(problem)))
    if (find_time_scheme(pair->time).has_implicit_convection() &&
        find_convection_scheme(pair->convection).is_deferred())
      return true;
  return false;
}

double default_cfl(const std::vector<const StablePair*>& pairs) {
  return (*std::ranges::min_element(pairs, {}, &StablePair::default_cfl))->default_cfl;
}

StableStep::StableStep(const Settings& settings, const Problem& problem, const Grid& grid)
    : diffusive_limit_(diffusive_step_limit(settings, problem, grid)),
      rates_(explicit_diffusion_rates(settings, problem, grid)),
      velocity_rate_(problem.viscosity * rates_.velocity),
      scalar_rate_(rates_.scalars > 0 ? scalar_diffusion_rate(problem, grid) : 0.0),
      largest_diffusion_(find_time_scheme(settings.time.scheme).largest_diffusion),
      scheme_(&find_time_scheme(settings.time.scheme)),
      turning_rate_(rotates(problem) ? 2 * std::hypot(problem.rotation[0], problem.rotation[1],
                                                      problem.rotation[2])
                                     : 0.0) {
  const Carried carried = carried_in(problem);
  for (const StablePair* pair : stable_pairs(settings, carried)) {
    const bool is_velocity = carried.velocity && parts_.empty();
    parts_.push_back({pair, is_velocity ? problem.viscosity : least_scalar_diffusivity(problem), 0,
                      is_velocity});
  }
  const bool is_explicit = scheme_of_scalars(settings, problem).has_stages();
  if (carried.scalars && is_explicit && !settings.time.step.size &&
      limits_scalars(settings, problem))
    parts_.back().bounded_rate = bounded_share * scalar_diffusion_rate(problem, grid);
}

double StableStep::diffusive_limit(const PresentDiffusion& now) const {
  if (now.viscosity == 0 && now.diffusivity == 0) return diffusive_limit_;
  const double velocity = now.viscosity > 0 ? now.viscosity * rates_.velocity : velocity_rate_;
  const double scalars = now.diffusivity > 0 ? now.diffusivity * rates_.scalars : scalar_rate_;
  const double rate = std::max(velocity, scalars);
  return rate > 0 ? largest_diffusion_ / rate : any_step;
}

double StableStep::force_rate(const PresentDiffusion& now) const {
  const ForceLimits& limits = scheme_->force;
  return turning_rate_ / limits.turning + now.force_decay / limits.decay +
         now.force_coupling / limits.coupling;
}

std::string StableStep::text_of_forces(double limit, const PresentDiffusion& now) const {
  const double rate = force_rate(now);
  if (!(rate * limit > 0.5)) return "";
  const bool turns = turning_rate_ > 0, acts = now.force_decay + now.force_coupling > 0;
  return fmt::format("; by {}{}{} alone {} is stable up to {:.4g}", turns ? "rotation" : "",
                     turns && acts ? " and " : "", acts ? "forces that depend on the velocity" : "",
                     scheme_->name, 1 / rate);
}

double StableStep::largest_of(const Part& part, double cfl_rate, double max_speed,
                              const PresentDiffusion& now) const {
  const double diffusive = diffusive_limit(now);
  const double forces = part.is_velocity ? force_rate(now) : 0.0;
  const double scalar_rate = now.diffusivity > 0 && part.bounded_rate > 0
                                 ? bounded_share * now.diffusivity * rates_.scalars
                                 : part.bounded_rate;
  const double bounded =
      scalar_rate > 0 ? 1.0 / (cfl_rate / part.pair->bounded_cfl + scalar_rate) : any_step;
  if (!(cfl_rate > 0)) return std::min(1.0 / (1.0 / diffusive + forces), bounded);
  double limit =
      std::min(bounded, 1.0 / (cfl_rate / part.pair->largest_cfl + 1.0 / diffusive + forces));
  if (part.pair->needs_diffusion) {
    const double present = part.is_velocity ? now.least_viscosity : now.least_diffusivity;
    const double least = present > 0 ? present : part.least_diffusivity;
    const double growth = cfl_rate * cfl_rate * (max_speed * max_speed / least + shape * cfl_rate);
    limit = std::min(limit, std::cbrt(damped / growth));
  }
  return limit;
}

double StableStep::largest(double cfl_rate, double max_speed, const PresentDiffusion& now) const {
  double limit = any_step;
  for (const Part& part : parts_)
    limit = std::min(limit, largest_of(part, cfl_rate, max_speed, now));
  return limit;
}

const StablePair& StableStep::binding(double cfl_rate, double max_speed,
                                      const PresentDiffusion& now) const {
  return *std::ranges::min_element(parts_, {}, [&](const Part& part) {
            return largest_of(part, cfl_rate, max_speed, now);
          })->pair;
}

bool keeps_bounds(const Settings& settings, const Problem& problem) {
  const StablePair& pair =
      stability_of(scheme_of_scalars(settings, problem).name, settings.convection_of_scalars());
  const std::optional<double>& cfl = settings.time.step.cfl;
  return pair.bounded_cfl > 0 && (!cfl || *cfl <= pair.bounded_cfl);
}

bool limits_scalars(const Settings& settings, const Problem& problem) {
  const TimeScheme& scheme = scheme_of_scalars(settings, problem);
  const bool is_multistep = scheme.weights(1.0).a2 != 0.0;
  return keeps_bounds(settings, problem) && (is_multistep || scheme.has_stages());
}

Undamped undamped(const Settings& settings, const Problem& problem) {
  const StablePair& velocity = stability_of(settings.time.scheme, settings.convection_scheme);
  if (velocity.needs_diffusion && !problem.prescribed_velocity && problem.viscosity == 0 &&
      !problem.varying_viscosity)
    return {"the velocity", &velocity};
  const StablePair& scalars =
      stability_of(scheme_of_scalars(settings, problem).name, settings.convection_of_scalars());
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalars.needs_diffusion && scalar.diffusivity == 0 && !scalar.varying_diffusivity)
      return {scalar.name, &scalars};
  return {};
}

}  // namespace hodge::sim
