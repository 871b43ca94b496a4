// Solvers as a configuration file has them, in one line each.
#pragma once

#include <string>

#include "linalg/settings/settings.hpp"

namespace hodge::sim {

// "{kind: ssor_sai, order: 2, omega: 1.5, form: factored}"
std::string preconditioner_to_yaml(const linalg::PreconditionerSettings& preconditioner);

// Whether the method or a fallback has the setting `restart`.
bool restarts(const linalg::SolverSettings& solver);

// "{method: gmres, preconditioner: {kind: jacobi}, restart: 16, fallback: []}": all but the
// stopping rule.
std::string method_to_yaml(const linalg::SolverSettings& solver);

// The same with the stopping rule and the habits: a whole section of `solvers`. The tolerance of
// `stop: divergence` is left to who knows it.
std::string section_to_yaml(const linalg::SolverSettings& solver);

}  // namespace hodge::sim
