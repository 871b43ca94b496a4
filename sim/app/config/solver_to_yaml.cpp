#include "sim/app/config/solver_to_yaml.hpp"

#include <fmt/format.h>

#include "linalg/solve/registry.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

std::string preconditioner_to_yaml(const linalg::PreconditionerSettings& preconditioner) {
  std::string text = "{kind: " + preconditioner.kind;
  for (const linalg::Option& option : linalg::options_of(preconditioner))
    if (option.is_used) text += fmt::format(", {}: {}", option.name, option.value_text());
  return text + "}";
}

std::string method_to_yaml(const SystemSettings& solver) {
  std::string text = fmt::format("{{method: {}, preconditioner: {}", solver.method,
                                 preconditioner_to_yaml(solver.preconditioner));
  for (const linalg::Option& option : linalg::options_of_chain(solver))
    text += fmt::format(", {}: {}", option.name, option.value_text());
  return text + fmt::format(", fallback: [{}]}}", fmt::join(solver.fallback, ", "));
}

std::string section_to_yaml(const SystemSettings& solver) {
  const SystemSettings defaults;
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
