#include "cases/registry.hpp"

#include <utility>

#include "cases/all.hpp"
#include "sim/app/job.hpp"
#include "sim/flow/custom_problem.hpp"
#include "sim/flow/inflow_profiles.hpp"
#include "sim/flow/treatment.hpp"
#include "sim/flow/varying_start.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  static const Cases table = all();
  return table;
}

const std::vector<sim::CaseSchema>& known_cases() {
  static const std::vector<sim::CaseSchema> known = [] {
    std::vector<sim::CaseSchema> schemas;
    for (const Case& entry : case_table())
      schemas.push_back({.name = entry.name,
                         .parameters = entry.parameters,
                         .dimensions = entry.dimensions,
                         .lower = entry.box.lower,
                         .upper = entry.box.upper,
                         .check =
                             [&entry](const Settings& settings) {
                               Problem problem = make_problem(entry, settings);
                               sim::take_named_treatment(problem.solids);
                               sim::check_case(settings, problem);
                             },
                         .contents =
                             [&entry](const Settings& settings) {
                               const Problem problem = entry.make(settings);
                               return sim::CaseContents{sim::scalar_names(problem),
                                                        !problem.solids.empty(),
                                                        problem.prescribed_velocity.has_value()};
                             },
                         .described_in_file = entry.described_in_file,
                         .make =
                             [&entry](const Settings& settings) {
                               Problem problem = make_problem(entry, settings);
                               sim::choose_treatment(settings, problem);
                               return problem;
                             }});
    return schemas;
  }();
  return known;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

Problem make_problem(const Case& entry, const Settings& settings) {
  Problem problem = entry.make(settings);
  for (ScalarProblem& scalar : sim::custom_scalars(settings.custom))
    problem.scalars.push_back(std::move(scalar));
  problem.solids.insert(problem.solids.end(), settings.solids.begin(), settings.solids.end());
  problem.resistances = settings.resistances;
  problem.turbulence = settings.turbulence;
  if (settings.rotation) problem.rotation = *settings.rotation;
  if (sim::rotates(problem) && !entry.described_in_file) problem.exact.reset();
  sim::scale_inflows(settings.grid, problem);
  sim::measure_coefficients(settings.grid, problem);
  return problem;
}

void check_box(const std::string& name, const Settings& settings, const CaseBox& box,
               const std::string& text) {
  for (int d = 0; d < settings.grid.dim; ++d) {
    const sim::AxisSettings& axis = settings.grid.axes[d];
    if (axis.lower != box.lower[d] || axis.upper != box.upper[d])
      throw ConfigError(name + ": the box must be " + text + "; remove grid.lower and upper");
  }
}

void check_periods(const std::string& name, const Settings& settings,
                   const std::string& parameter) {
  const double length = settings.parameters.at(parameter);
  for (int d = 0; d < settings.grid.dim; ++d) {
    const double periods = (settings.grid.axes[d].upper - settings.grid.axes[d].lower) / length;
    if (periods < 0.5 || std::abs(periods - std::round(periods)) > 1e-9 * periods)
      throw ConfigError(name + ": the box is " + std::to_string(periods) + " " + parameter +
                        "s of " + std::to_string(length) + " long along axis " + std::to_string(d) +
                        "; a whole number is needed: change grid.upper or the parameter " +
                        parameter);
  }
}

}  // namespace hodge::cases
