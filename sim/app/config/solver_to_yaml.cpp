#include "sim/app/config/solver_to_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.hpp"

namespace hodge::sim {

std::string preconditioner_to_yaml(const linalg::PreconditionerSettings& preconditioner) {
  std::string text = "{kind: " + preconditioner.kind;
  if (preconditioner.kind == "neumann") text += fmt::format(", degree: {}", preconditioner.degree);
  if (preconditioner.kind == "ssor_sai") {
    text += fmt::format(", order: {}, omega: {}, form: {}", preconditioner.order,
                        number_text(preconditioner.omega), preconditioner.form);
    if (preconditioner.form == "truncated") text += ", alpha: " + number_text(preconditioner.alpha);
  }
  if (preconditioner.kind == "multigrid") {
    text +=
        fmt::format(", smoother: {}, smoothings: {}, cycle: {}, precision: {}, coarsest_cells: {}",
                    preconditioner.smoother, preconditioner.smoothings, preconditioner.cycle,
                    preconditioner.precision, preconditioner.coarsest_cells);
    if (preconditioner.smoother != "chebyshev")
      text += ", omega: " + number_text(preconditioner.omega);
  }
  return text + "}";
}

bool restarts(const linalg::SolverSettings& solver) {
  const auto& chain = solver.fallback;
  return solver.method == "gmres" || std::find(chain.begin(), chain.end(), "gmres") != chain.end();
}

std::string method_to_yaml(const linalg::SolverSettings& solver) {
  std::string text = fmt::format("{{method: {}, preconditioner: {}", solver.method,
                                 preconditioner_to_yaml(solver.preconditioner));
  if (restarts(solver)) text += fmt::format(", restart: {}", solver.restart);
  return text + fmt::format(", fallback: [{}]}}", fmt::join(solver.fallback, ", "));
}

std::string section_to_yaml(const linalg::SolverSettings& solver) {
  const linalg::SolverSettings defaults;
  std::string text = method_to_yaml(solver);
  text.pop_back();
  if (solver.stop == defaults.stop)
    text += ", tolerance: " + number_text(solver.tolerance);
  else
    text += ", stop: " + solver.stop;
  text += fmt::format(", absolute_tolerance: {}, max_iterations: {}",
                      number_text(solver.absolute_tolerance), solver.max_iterations);
  if (solver.refresh != defaults.refresh) text += ", refresh: " + solver.refresh;
  if (solver.guess != defaults.guess) text += ", guess: " + solver.guess;
  return text + "}";
}

}  // namespace hodge::sim
