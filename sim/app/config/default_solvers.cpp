#include "sim/app/config/default_solvers.hpp"

namespace hodge::sim {

linalg::PreconditionerSettings pressure_preconditioner(const std::string& kind) {
  if (kind == "ssor_sai") return {kind, {{"order", 2}, {"omega", 1.5}}};
  return transport_preconditioner(kind);
}

linalg::PreconditionerSettings transport_preconditioner(const std::string& kind) {
  if (kind == "multigrid") return {kind, {{"smoother", default_smoother}}};
  // Systems of a time step are easy, and change: a continued run would choose another omega.
  if (kind == "ssor_sai") return {kind, {{"omega", 1.0}}};
  return {kind};
}

SystemSettings default_pressure_solver() {
  return {{.method = "cg",
           .preconditioner = pressure_preconditioner("multigrid"),
           .tolerance = 1e-8,
           .absolute_tolerance = 1e-12,
           .max_iterations = 5000},
          20};
}

SystemSettings default_transport_solver(bool symmetric) {
  return {{.method = symmetric ? "cg" : "bicgstab",
           .preconditioner = transport_preconditioner("jacobi"),
           .tolerance = 5e-6,
           .absolute_tolerance = 1e-12,
           .max_iterations = 500,
           .fallback = symmetric ? std::vector<std::string>{} : std::vector<std::string>{"gmres"}},
          4};
}

}  // namespace hodge::sim
