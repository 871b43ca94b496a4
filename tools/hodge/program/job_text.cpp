#include "tools/hodge/program/job_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <utility>

#include "sim/app/config/without_effect.hpp"
#include "sim/app/run/preview.hpp"
#include "sim/app/run/resting_pressure.hpp"
#include "sim/app/run/solver_lines.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/bodies/solid_files.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"
#include "sim/time/step_control.hpp"

namespace hodge::tools {
namespace {

using sim::number_text;

constexpr std::size_t longest_formula = 60;

// One line, and cut where it is long: the file has it whole.
std::string formula_text(const sim::Expression& formula) {
  const std::string text = sim::one_line(formula.text());
  return text.size() <= longest_formula ? text : text.substr(0, longest_formula - 3) + "...";
}

std::string component_text(const sim::Expression& formula) {
  return formula_text(formula);
}
std::string component_text(double number) {
  return number_text(number);
}

// "(4*y*(1 - y), 0)"
template <class Component>
std::string vector_text(const std::array<Component, 3>& vector, int dim) {
  std::vector<std::string> components;
  for (int d = 0; d < dim; ++d) components.push_back(component_text(vector[d]));
  return "(" + sim::join(components) + ")";
}

bool is_still(const sim::Side& side) {
  return std::ranges::all_of(side.velocity, [](const sim::Expression& f) { return f.is_zero(); });
}

std::string side_text(const sim::Side& side, int dim) {
  const sim::SideTraits& traits = side.traits();
  std::string text = traits.name;
  if (traits.is_inflow() || (traits.takes_velocity() && !is_still(side)))
    text += " " + vector_text(side.velocity, dim);
  if (traits.is_open() && !side.pressure.is_zero())
    text += ", pressure " + formula_text(side.pressure);
  return text;
}

// "inflow (1, 0) | outflow": the lower and the upper side of an axis.
std::string sides_text(const sim::Problem& problem, int axis, int dim) {
  const auto& [lower, upper] = problem.boundaries.sides[axis];
  return side_text(lower, dim) + " | " + side_text(upper, dim);
}

std::string condition_text(const sim::ScalarSide& side) {
  if (side.is_without_flux()) return "no flux";
  const std::string kind = side.traits().name, value = formula_text(side.value);
  if (side.traits().has_coefficient())
    return fmt::format("{}, coefficient {}, value {}", kind, formula_text(side.coefficient), value);
  return kind + " " + value;
}

std::string conditions_text(const sim::Problem& problem, const sim::ScalarProblem& scalar,
                            int axis) {
  std::vector<std::string> sides;
  for (int side = 0; side < 2; ++side) {
    const sim::SideTraits& traits = problem.boundaries.sides[axis][side].traits();
    const sim::ScalarSide& condition = scalar.sides[axis][side];
    const bool is_said = traits.takes_entering_value() ? condition.traits().gives_value()
                                                       : traits.takes_scalar_condition();
    sides.push_back(is_said ? condition_text(condition) : traits.name);
  }
  return fmt::format("{}: {}", sim::axis_names[axis], fmt::join(sides, " | "));
}

// "; step: value 1; block: conductivity 5, capacity 2"
std::string bodies_text(const sim::Problem& problem, const std::string& scalar) {
  const std::vector<std::string> names = sim::solid_names(problem.solids);
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const sim::SolidScalar* const of = sim::scalar_of(problem.solids[k], scalar);
    if (of == nullptr) continue;
    text += fmt::format("; {}: ", sim::one_line(names[k]));
    if (!of->heat) {
      text += condition_text(of->surface);
      continue;
    }
    text += fmt::format("conductivity {}, capacity {}", number_text(of->heat->conductivity),
                        number_text(of->heat->capacity));
    if (of->heat->resistance > 0) text += ", resistance " + number_text(of->heat->resistance);
    if (!of->heat->source.is_zero()) text += ", source " + formula_text(of->heat->source);
  }
  return text;
}

// "viscosity 1e-06, density 1000", "power_law, consistency 0.1, exponent 0.5, density 1"
std::string fluid_text(const sim::Problem& problem, const sim::Rheology& rheology) {
  std::string text = rheology.model;
  for (const auto& [name, value] : rheology.parameters)
    text += fmt::format(", {} {}", name, number_text(value));
  if (text.empty())
    text = "viscosity " + (problem.varying_viscosity ? formula_text(*problem.varying_viscosity)
                                                     : number_text(problem.viscosity));
  return fmt::format("{}, density {}", text, number_text(problem.density));
}

// "c: diffusivity 0.01; x: value 1 | outflow; y: no flux | no flux"
std::string scalar_text(const sim::Problem& problem, const sim::ScalarProblem& scalar, int dim) {
  std::string text =
      fmt::format("{}: diffusivity {}", scalar.name,
                  scalar.varying_diffusivity ? formula_text(*scalar.varying_diffusivity)
                                             : number_text(scalar.diffusivity));
  if (!scalar.source.is_zero()) text += ", source " + formula_text(scalar.source);
  if (scalar.reaction) text += ", reaction " + formula_text(*scalar.reaction);
  if (scalar.buoyancy != std::array<double, 3>{}) {
    text += fmt::format(", buoyancy {} (c - {})", vector_text(scalar.buoyancy, dim),
                        number_text(scalar.neutral));
  }
  for (int axis = 0; axis < dim; ++axis) text += "; " + conditions_text(problem, scalar, axis);
  return text + bodies_text(problem, scalar.name);
}

// "step, cylinder: 312 of 4096 cells, sharp (auto)"
std::string solids_text(const sim::Problem& problem, const std::vector<long long>& cells,
                        const sim::Grid& grid) {
  std::vector<std::string> names;
  for (const std::string& name : sim::solid_names(problem.solids))
    names.push_back(sim::one_line(name));
  return fmt::format("{}: {} of {} cells{}{}", sim::join(names),
                     std::accumulate(cells.begin(), cells.end(), 0LL), grid.cell_count(),
                     problem.treatment.empty() ? "" : ", ", problem.treatment);
}

std::string place_text(const std::optional<sim::Region>& region) {
  return region ? " in a part of the box" : " in the whole box";
}

// "Darcy 1e+06, Forchheimer 0 in a part of the box"
std::string porous_text(const sim::PorousBody& body) {
  return fmt::format("Darcy {}, Forchheimer {}{}", formula_text(body.darcy),
                     formula_text(body.forchheimer), place_text(body.region));
}

// "rate 10 in a part of the box; velocity (1, 0); c 0"
std::string sponge_text(const sim::Sponge& sponge, int dim) {
  std::string text = "rate " + formula_text(sponge.rate) + place_text(sponge.region);
  if (sponge.velocity) text += "; velocity " + vector_text(*sponge.velocity, dim);
  for (const auto& [name, value] : sponge.scalars)
    text += fmt::format("; {} {}", name, formula_text(value));
  return text;
}

// "wing.stl: 1.2 x 0.3 x 0.04, from (0, 0, 0) to (1.2, 0.3, 0.04)"
std::string surface_text(const sim::SurfaceOfSolid& surface) {
  const sim::Point &a = surface.lower, &b = surface.upper;
  return fmt::format("{}: {:.6g} x {:.6g} x {:.6g}, {}", sim::one_line(surface.file), b[0] - a[0],
                     b[1] - a[1], b[2] - a[2], sim::text_of(sim::ShapeExtent{a, b}, 3));
}

std::string case_text(const sim::Settings& settings) {
  std::string text = settings.case_name;
  for (const auto& [name, value] : settings.parameters)
    text += fmt::format(", {} {}", name, number_text(value));
  return text;
}

// How many steps the run takes, as far as that is known before it starts; `from_rest`: the longest
// one of a run that begins at rest.
std::string steps_text(const sim::TimeSettings& time, const std::optional<double>& from_rest) {
  const std::optional<double> longest = time.step.size  ? time.step.size
                                        : time.step.max ? time.step.max
                                                        : from_rest;
  std::string text;
  if (time.step.size) text += fmt::format(", dt {}", number_text(*time.step.size));
  if (time.step.cfl) text += fmt::format(", cfl {}", number_text(*time.step.cfl));
  if (time.step.max) text += fmt::format(", dt <= {}", number_text(*time.step.max));
  if (from_rest)
    text += fmt::format(", dt <= {:.6g} as no formula moves the fluid at t = 0", *from_rest);
  if (longest)
    text += fmt::format(", {}{:.0f} steps", time.step.size ? "" : "at least ",
                        sim::steps_to(time.end, *longest));
  if (time.max_steps) text += fmt::format(", at most {} steps", *time.max_steps);
  if (time.max_wall_seconds)
    text += fmt::format(", at most {} seconds of computing", number_text(*time.max_wall_seconds));
  if (time.steady_tolerance)
    text += fmt::format(", or until max |du/dt| <= {}", number_text(*time.steady_tolerance));
  return text;
}

// "bdf2, central; scalars van_leer", beside sharp solids "rk3, central; scalars bdf2, van_leer"
std::string schemes_text(const sim::Settings& settings, const sim::Problem& problem) {
  std::string text = settings.time.scheme;
  if (!problem.prescribed_velocity) text += ", " + settings.convection_scheme;
  if (problem.scalars.empty()) return text;
  const std::string of_scalars = sim::scheme_of_scalars(settings, problem).name;
  text += "; scalars ";
  if (of_scalars != settings.time.scheme) text += of_scalars + ", ";
  text += settings.convection_of_scalars();
  return text;
}

}  // namespace

void print_warnings(const Job& job, int processes) {
  for (const std::string& line :
       sim::settings_without_effect(job.file, job.settings, job.problem, processes))
    std::cerr << line << std::endl;
  print_doubts(job, sim::doubts_about_pressure(job.problem, sim::Grid(job.settings.grid)));
}

void print_doubts(const Job& job, const std::vector<sim::Doubt>& doubts) {
  for (const sim::Doubt& doubt : doubts)
    std::cerr << placed(job, sim::KeyError(doubt.key, "warning: " + doubt.text)).what()
              << std::endl;
}

Lines job_lines(const Job& job, const sim::Preview& begin) {
  const sim::Settings& settings = job.settings;
  const sim::Problem& problem = job.problem;
  const sim::Grid grid(settings.grid);
  const int dim = grid.dim();
  Lines lines{{"case", case_text(settings)}, {"grid", grid.description()}};
  for (int axis = 0; axis < dim; ++axis)
    lines.emplace_back(sim::axis_names[axis] + std::string(" sides"),
                       sides_text(problem, axis, dim));
  if (problem.prescribed_velocity)
    lines.emplace_back("velocity", "prescribed: " + vector_text(*problem.prescribed_velocity, dim));
  else
    lines.emplace_back("fluid", fluid_text(problem, settings.custom.rheology));
  if (problem.turbulence)
    lines.emplace_back("turbulence", fmt::format("{}, constant {}, turbulent Prandtl number {}",
                                                 problem.turbulence->model,
                                                 number_text(problem.turbulence->constant),
                                                 number_text(problem.turbulence->prandtl)));
  if (std::ranges::any_of(problem.force, [](const sim::Expression& f) { return !f.is_zero(); }))
    lines.emplace_back("force", vector_text(problem.force, dim) + " per unit of mass");
  if (sim::rotates(problem)) lines.emplace_back("rotation", vector_text(problem.rotation, 3));
  for (const sim::ScalarProblem& scalar : problem.scalars)
    lines.emplace_back("scalar", scalar_text(problem, scalar, dim));
  if (!problem.solids.empty())
    lines.emplace_back("solids", solids_text(problem, begin.solid_cells, grid));
  for (const sim::PorousBody& body : problem.resistances.porous)
    lines.emplace_back("porous", porous_text(body));
  for (const sim::Sponge& sponge : problem.resistances.sponges)
    lines.emplace_back("sponge", sponge_text(sponge, dim));
  for (const sim::SurfaceOfSolid& surface : begin.surfaces)
    lines.emplace_back("surface", surface_text(surface));
  if (problem.stored_state)
    lines.emplace_back("begins", sim::one_line(problem.stored_state->origin));
  lines.emplace_back("scheme", schemes_text(settings, problem));
  lines.emplace_back(
      "time",
      fmt::format("to t = {}{}", number_text(settings.time.end),
                  steps_text(settings.time, sim::longest_step_from_rest(settings, problem, grid))));
  for (auto& line : sim::solver_lines(settings, problem)) lines.push_back(std::move(line));
  const double bytes = static_cast<double>(sim::memory_estimate(settings, problem));
  lines.emplace_back("memory", sim::bytes_text(bytes) + " on the device");
  for (auto& line : preview_lines(job, begin)) lines.push_back(std::move(line));
  lines.emplace_back("output", sim::one_line(settings.output.directory));
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += fmt::format("  {:<10} {}\n", name, value);
  return text;
}

}  // namespace hodge::tools
