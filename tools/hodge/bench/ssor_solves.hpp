// The part of the experiment ssor_sai that solves systems by cg with and without the
// preconditioner, and what it shares with the sweep over omega and alpha.
#pragma once

#include <optional>
#include <string>

#include "linalg/solve/registry.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {

using linalg::PreconditionerSettings;

// A limit of Gao & Wang: a system that takes more iterations counts as not solved.
inline constexpr int most_iterations = 5000;

// Without an omega it is chosen for the matrix.
inline PreconditionerSettings ssor(int order, std::optional<double> omega, const std::string& form,
                                   double alpha = 1.0) {
  PreconditionerSettings p{"ssor_sai", {{"order", order}, {"form", form}}};
  if (omega) p.options["omega"] = *omega;
  if (form == "truncated") p.options["alpha"] = alpha;
  return p;
}

inline bool has_null_space(const std::string& name) {
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  return has("_neumann") || has("_periodic");
}

// By cg.
template <class Space>
linalg::SolveReport solve_by_cg(LinearProblem<Space>& problem, const PreconditionerSettings& p,
                                int max_iterations, double tolerance = 1e-8) {
  linalg::SolverSettings settings;
  settings.tolerance = tolerance;
  settings.preconditioner = p;
  settings.max_iterations = max_iterations;
  return problem.solve(settings);
}

// An option of the preconditioner; null where it is not given, for omega "auto".
inline Json option_of(const PreconditionerSettings& p, const std::string& name) {
  const auto found = p.options.find(name);
  if (found == p.options.end())
    return value_if(name == "omega" && p.kind == "ssor_sai", std::string("auto"));
  return std::visit([](const auto& value) { return Json(value); }, found->second);
}

// The table `solve`. Boxes, whose omegas are known; and, as the paper has them, symmetric matrices
// with a positive diagonal out of files, those of --matrices among them, in the published form
// alone, b = A (1, 1, ...); one with a negative diagonal gets the other sign. There omega is first
// chosen for the matrix and then given: a paper that finds it by trial does not count the trials
// either.
void compare_with_cg(ExperimentRun& run);

}  // namespace hodge::tools::bench
