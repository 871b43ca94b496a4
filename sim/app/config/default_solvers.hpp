// The solvers that a file without the section `solvers` gets.
#pragma once

#include <string>
#include <vector>

#include "sim/model/system_settings.hpp"

namespace hodge::sim {

// Of multigrid where a file does not name one: as fast as ssor_sai on a CPU and a tenth faster on a
// GPU, where its passes over a level are fewer (linalg/RESULTS.md).
inline constexpr const char* default_smoother = "chebyshev";

// A kind with the options that suit the system, where a file does not say otherwise.
inline linalg::PreconditionerSettings transport_preconditioner(const std::string& kind) {
  if (kind == "multigrid") return {kind, {{"smoother", default_smoother}}};
  // Systems of a time step are easy, and change: a continued run would choose another omega.
  if (kind == "ssor_sai") return {kind, {{"omega", 1.0}}};
  return {kind};
}

inline linalg::PreconditionerSettings pressure_preconditioner(const std::string& kind) {
  if (kind == "ssor_sai") return {kind, {{"order", 2}, {"omega", 1.5}}};
  return transport_preconditioner(kind);
}

inline SystemSettings default_pressure_solver() {
  return {{.method = "cg",
           .preconditioner = pressure_preconditioner("multigrid"),
           .tolerance = 1e-8,
           .max_iterations = 5000},
          true,
          20};
}

// Of the velocity components and of scalars.
inline SystemSettings default_transport_solver(bool symmetric) {
  return {{.method = symmetric ? "cg" : "bicgstab",
           .preconditioner = transport_preconditioner("jacobi"),
           .tolerance = 5e-6,
           .max_iterations = 500,
           .fallback = symmetric ? std::vector<std::string>{} : std::vector<std::string>{"gmres"}},
          false,
          4};
}

}  // namespace hodge::sim
