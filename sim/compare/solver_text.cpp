#include "sim/compare/solver_text.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "linalg/solve/registry.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

std::string method_text(const linalg::SolverSettings& settings) {
  std::string values;
  for (const linalg::Option& option : linalg::options_of(settings))
    if (option.is_used && !(option.is_text() && option.value == option.default_value))
      values += (values.empty() ? "(" : ", ") + option.value_text();
  return settings.method + values + (values.empty() ? "" : ")");
}

std::string preconditioner_text(const linalg::PreconditionerSettings& preconditioner) {
  return preconditioner.kind + brief_text(linalg::options_of(preconditioner));
}

std::string solver_text(const linalg::SolverSettings& settings) {
  if (linalg::find_solver(settings.method).direct) return method_text(settings);
  return method_text(settings) + " + " + preconditioner_text(settings.preconditioner);
}

std::string chain_text(const linalg::SolverSettings& settings) {
  std::string with = " with " + preconditioner_text(settings.preconditioner);
  const auto link = [&](const std::string& name, const std::string& text) {
    return linalg::find_solver(name).direct ? text : text + std::exchange(with, "");
  };
  std::string text = link(settings.method, method_text(settings));
  for (const std::string& fallback : settings.fallback)
    text += ", then " + link(fallback, fallback);
  return text;
}

bool same_solver(const linalg::SolverSettings& a, const linalg::SolverSettings& b) {
  return solver_text(a) == solver_text(b);
}

}  // namespace hodge::sim
