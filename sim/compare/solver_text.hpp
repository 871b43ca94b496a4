// Solvers in words, for tables and messages.
#pragma once

#include <string>

#include "linalg/settings/settings.hpp"

namespace hodge::sim {

std::string method_text(const linalg::SolverSettings& settings);  // "cg", "gmres(30)"
// "ssor_sai order 2 omega 1.2": the kind and the settings that matter to it.
std::string preconditioner_text(const linalg::PreconditionerSettings& preconditioner);
// "gmres(30) + jacobi"; a direct method alone.
std::string solver_text(const linalg::SolverSettings& settings);

// "capacitance, then cg with multigrid v chebyshev 1 single, then gmres": a method and what it
// falls back to; the preconditioner stands behind the first method that takes it.
std::string chain_text(const linalg::SolverSettings& settings);

// Whether both are the same method with the same preconditioner.
bool same_solver(const linalg::SolverSettings& a, const linalg::SolverSettings& b);

}  // namespace hodge::sim
