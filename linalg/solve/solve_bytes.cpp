#include "linalg/solve/solve_bytes.hpp"

#include "linalg/solve/registry.hpp"
#include "linalg/solve/solve.hpp"

namespace hodge::linalg {

double application_bytes(const PreconditionerSettings& settings, const SystemSize& size) {
  return find_preconditioner(settings.kind).traffic(settings.options, size);
}

double iterations_bytes(const SolverSettings& settings, const SystemSize& size, int iterations) {
  const double application = application_bytes(settings.preconditioner, size);
  const PreconditionerEntry& kind = find_preconditioner(settings.preconditioner.kind);
  return find_solver(settings.method)
      .traffic(
          settings.options, size,
          {application, iterations, kind.by_elements, kind.sweeps(settings.preconditioner.options),
           size.symmetric || stores_transpose(settings, settings.method, size)});
}

// Before the iterations: the norm of b (1 vector), a copy of x (2). The true residual, twice: b
// beside the product (1), the norm (1).
double solve_bytes(const SolverSettings& settings, const SystemSize& size, int iterations) {
  const double true_residual = product_bytes(size) + vectors_bytes(size, 2);
  return vectors_bytes(size, 3) + 2 * true_residual + iterations_bytes(settings, size, iterations);
}

}  // namespace hodge::linalg
