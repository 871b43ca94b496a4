#include "sim/app/config/default_solvers.hpp"

namespace hodge::sim {

linalg::SolverSettings default_pressure_solver() {
  return {.method = "cg",
          .preconditioner = {.kind = "multigrid",
                             .order = 2,
                             .omega = 1.5,
                             .smoother = default_smoother},
          .tolerance = 1e-8,
          .absolute_tolerance = 1e-12,
          .max_iterations = 5000,
          .fallback = {},
          .guess_vectors = 20};
}

linalg::SolverSettings default_transport_solver(bool symmetric) {
  return {.method = symmetric ? "cg" : "bicgstab",
          .preconditioner = {.kind = "jacobi", .smoother = default_smoother},
          .tolerance = 5e-6,
          .absolute_tolerance = 1e-12,
          .max_iterations = 500,
          .fallback = symmetric ? std::vector<std::string>{} : std::vector<std::string>{"gmres"},
          .guess_vectors = 4};
}

}  // namespace hodge::sim
