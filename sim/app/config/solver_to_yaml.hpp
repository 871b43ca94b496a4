// Solvers as a configuration file has them, in one line each.
#pragma once

#include <string>

#include "sim/model/system_settings.hpp"

namespace hodge::sim {

// "{kind: ssor_sai, order: 2, omega: 1.5, form: factored}"
std::string preconditioner_to_yaml(const linalg::PreconditionerSettings& preconditioner);

// Whether a method of the chain uses a preconditioner.
bool is_preconditioned(const SystemSettings& solver);

// "{method: gmres, preconditioner: {kind: jacobi}, restart: 16, fallback: []}": all but the
// stopping rule. Without a preconditioner where none is used.
std::string method_to_yaml(const SystemSettings& solver);

// The same with the stopping rule and `refresh` and `guess`: a whole section of `solvers`. The
// tolerance of `stop: divergence` is left to who knows it.
std::string section_to_yaml(const SystemSettings& solver);

}  // namespace hodge::sim
