#include "sim/app/run/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/app/run/skipped_solves.hpp"
#include "sim/base/text.hpp"
#include "sim/time/step_control.hpp"

namespace hodge::sim {
namespace {

constexpr double near_enough = 0.01;  // of the largest value of a field
constexpr double rounding_of_field = 4 * DBL_EPSILON;

std::vector<std::string> field_names(const Problem& problem) {
  std::vector<std::string> names{"u"};
  for (const ScalarProblem& scalar : problem.scalars) names.push_back(scalar.name);
  return names;
}

// Of each body, and of all where there are several.
std::vector<std::string> force_names(const Problem& problem, int dim) {
  std::vector<std::string> names;
  if (problem.solids.empty() || problem.prescribed_velocity) return names;
  std::vector<std::string> bodies = solid_names(problem.solids);
  if (bodies.size() > 1) bodies.emplace_back("all bodies");
  for (const std::string& body : bodies)
    for (int d = 0; d < dim; ++d)
      names.push_back(fmt::format("the force on {} along {}", body, axis_names[d]));
  return names;
}

std::vector<double> force_values(const std::vector<BodyForce>& forces, int dim) {
  std::vector<double> values;
  std::array<double, 3> all{};
  for (const BodyForce& force : forces)
    for (int d = 0; d < dim; ++d) {
      values.push_back(force.pressure[d] + force.viscous[d]);
      all[d] += values.back();
    }
  if (forces.size() > 1) values.insert(values.end(), all.begin(), all.begin() + dim);
  return values;
}

}  // namespace

SteadyState::SteadyState(const Settings& settings, const Problem& problem, const Grid& grid)
    : settings_(settings),
      dim_(grid.dim()),
      fields_(field_names(problem)),
      forces_(force_names(problem, grid.dim())),
      later_(problem, grid),
      history_(fields_.size(), forces_.size()),
      rates_(fields_.size()) {
  diffusivity_ = largest_diffusivity(problem);
  narrowest_ = grid.axis(0).length();
  for (int d = 1; d < dim_; ++d) narrowest_ = std::min(narrowest_, grid.axis(d).length());
}

void SteadyState::add(const StepReport& report, const Diagnostics& now,
                      const std::vector<BodyForce>& forces) {
  if (!is_wanted()) return;
  rates_[0] = {.value = now.velocity_rate, .size = now.max_speed};
  for (std::size_t k = 1; k < rates_.size(); ++k)
    rates_[k] = {.value = now.scalar_rates[k - 1], .size = now.scalar_sizes[k - 1]};
  for (Steadiness::Rate& rate : rates_) rate.floor = rounding_of_field * rate.size / report.dt;
  for (const SolveSummary& solve : report.solves) {
    const double tolerance = tolerance_that_skipped(solve, settings_);
    if (tolerance == 0 || kind_of_system(solve.system) == SystemKind::pressure) continue;
    const auto scalar = std::find(fields_.begin() + 1, fields_.end(), solve.system);
    const auto field = scalar == fields_.end() ? 0 : scalar - fields_.begin();
    double& rate = rates_[static_cast<std::size_t>(field)].value;
    rate = std::max(rate, tolerance / report.dt);
  }
  find_fastest();
  history_.add(report.dt, rates_, force_values(forces, dim_));
}

void SteadyState::find_fastest() {
  fastest_ = 0;
  for (const Steadiness::Rate& rate : rates_) fastest_ = std::max(fastest_, rate.value);
}

// 1/T.
double SteadyState::crossing_rate(const Diagnostics& now) const {
  constexpr double pi = std::numbers::pi;
  return now.max_speed / narrowest_ + pi * pi * diffusivity_ / (narrowest_ * narrowest_);
}

SteadyState::Verdict SteadyState::verdict(const Diagnostics& now, double time) const {
  const double end = settings_.time.end;
  if (!(fastest_ <= *settings_.time.steady_tolerance)) return {Lack::rest};
  if (later_.comes(time, end, now.scalar_sizes)) return {Lack::rest};
  if (fastest_ == 0) return {Lack::nothing};
  const double crossing = crossing_rate(now);
  if (!history_.knows() || (crossing > 0 && history_.observed() * crossing < 1))
    return {Lack::rest};
  if (const auto series = history_.growing()) return {Lack::growth, *series};
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const double decay = history_.decay(k);
    const double lasts = decay > 0 ? std::min(1 / decay, end - time) : end - time;
    const double left = rates_[k].value * lasts, size = history_.size(k);
    if (left > near_enough * size) return {Lack::distance, k, left / size};
  }
  return {Lack::nothing};
}

bool SteadyState::is_reached(const Diagnostics& now, double time) const {
  return is_wanted() && history_.observed() > 0 && verdict(now, time).lack == Lack::nothing;
}

std::string SteadyState::name_of(std::size_t series) const {
  return series < fields_.size() ? "the rate of change of " + fields_[series]
                                 : forces_[series - fields_.size()];
}

std::string SteadyState::distance_text(const Verdict& found) const {
  const std::string part =
      found.distance < 1 ? fmt::format("{:.2g} % of", 100 * found.distance) : "more than";
  return fmt::format("{} falls so slowly that it may still change by {} its largest value",
                     fields_[found.series], part);
}

std::optional<std::string> SteadyState::news(const Diagnostics& now, double time) {
  if (!is_wanted() || (said_growth_ && said_distance_)) return std::nullopt;
  const Verdict found = verdict(now, time);
  bool& said = found.lack == Lack::growth ? said_growth_ : said_distance_;
  if (found.lack < Lack::growth || said) return std::nullopt;
  said = true;
  const std::string but =
      found.lack == Lack::growth ? name_of(found.series) + " grows" : distance_text(found);
  return fmt::format(
      "t = {:.6g}: max |d/dt| {:.2g} is below time.steady.tolerance, but {}: not steady, the run "
      "goes on",
      time, fastest_, but);
}

void SteadyState::visit_state(StateVisitor& visitor, double now) {
  history_.visit_state(visitor, now);
  for (std::size_t k = 0; k < rates_.size(); ++k)
    visitor.visit("rate_" + std::to_string(k), rates_[k].value, {.least = 0});
  find_fastest();
}

}  // namespace hodge::sim
