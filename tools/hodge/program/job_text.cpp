#include "tools/hodge/program/job_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tools/hodge/program/problem_text.hpp"

namespace hodge::tools {
namespace {

using sim::number_text;

std::string case_text(const sim::Settings& settings) {
  std::string text = settings.case_name;
  for (const auto& [name, value] : settings.parameters) {
    text += fmt::format(", {} {}", name, number_text(value));
  }
  return text;
}

// How many steps the run takes, as far as that is known before it starts.
std::string steps_text(const sim::TimeSettings& time) {
  const std::optional<double> longest = time.step.size ? time.step.size : time.step.max;
  std::string text;
  if (time.step.size) text += fmt::format(", dt {}", number_text(*time.step.size));
  if (time.step.cfl) text += fmt::format(", cfl {}", number_text(*time.step.cfl));
  if (time.step.max) text += fmt::format(", dt <= {}", number_text(*time.step.max));
  if (longest) {
    text += fmt::format(", {}{:.0f} steps", time.step.size ? "" : "at least ",
                        std::ceil(time.end / *longest - 1e-9));
  }
  if (time.max_steps) text += fmt::format(", at most {} steps", *time.max_steps);
  if (time.max_wall_seconds) {
    text += fmt::format(", at most {} seconds of computing", number_text(*time.max_wall_seconds));
  }
  if (time.steady_tolerance) {
    text += fmt::format(", or until max |du/dt| <= {}", number_text(*time.steady_tolerance));
  }
  return text;
}

std::string solver_text(const linalg::SolverSettings& solver) {
  std::string text = fmt::format("{} with {}", solver.method, solver.preconditioner.kind);
  for (const std::string& fallback : solver.fallback) text += ", then " + fallback;
  return text;
}

void add_solvers(const Job& job, Lines& lines) {
  const sim::Settings& settings = job.settings;
  const bool transport = sim::find_time_scheme(settings.time.scheme).solves_transport();
  if (!job.problem.prescribed_velocity) {
    lines.emplace_back("pressure", solver_text(settings.pressure));
    if (transport) lines.emplace_back("transport", solver_text(settings.transport));
  }
  if (transport && !job.problem.scalars.empty())
    lines.emplace_back("scalars", solver_text(settings.scalars));
}

}  // namespace

Lines job_lines(const Job& job) {
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
  for (const sim::ScalarProblem& scalar : problem.scalars)
    lines.emplace_back("scalar", scalar_text(problem, scalar, dim));
  if (!problem.solids.empty()) lines.emplace_back("solids", solids_text(problem, grid));
  lines.emplace_back("scheme", settings.time.scheme + ", " + settings.convection_scheme);
  lines.emplace_back("time", fmt::format("to t = {}{}", number_text(settings.time.end),
                                         steps_text(settings.time)));
  add_solvers(job, lines);
  const double bytes = static_cast<double>(sim::memory_estimate(settings, problem));
  lines.emplace_back("memory", sim::bytes_text(bytes) + " on the device");
  lines.emplace_back("output", sim::one_line(settings.output.directory));
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += fmt::format("  {:<10} {}\n", name, value);
  return text;
}

}  // namespace hodge::tools
