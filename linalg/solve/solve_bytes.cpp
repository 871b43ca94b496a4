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

// The true residual, with its norm and that of b, before and after the iterations: b beside the
// product (1 vector). Between, a copy of x (2).
double solve_bytes(const SolverSettings& settings, const SystemSize& size, int iterations) {
  const double true_residual = product_bytes(size) + vectors_bytes(size, 1);
  return vectors_bytes(size, 2) + 2 * true_residual + iterations_bytes(settings, size, iterations);
}

}  // namespace hodge::linalg
