#include "linalg/byte_model.hpp"

#include "linalg/registry.hpp"

namespace hodge::linalg {

namespace {

// Values, and what says their columns.
double entries_bytes(const SystemSize& size, double entries) {
  const double value = static_cast<double>(size.value_size);
  if (size.few_diagonals) return entries * value + static_cast<double>(size.masks());
  return entries * (value + sizeof(int));
}

double offsets_bytes(const SystemSize& size) {
  return static_cast<double>(size.rows * sizeof(int));
}

double off_diagonal(const SystemSize& size) {
  return size.nonzeros > size.rows ? static_cast<double>(size.nonzeros - size.rows) : 0.0;
}

}  // namespace

double vectors_bytes(const SystemSize& size, double count) {
  return count * static_cast<double>(size.rows * size.value_size);
}

double product_bytes(const SystemSize& size) {
  return entries_bytes(size, static_cast<double>(size.nonzeros)) + offsets_bytes(size) +
         vectors_bytes(size, 2);
}

double triangle_sweep_bytes(const SystemSize& size, bool b_is_x) {
  return entries_bytes(size, off_diagonal(size) / 2) + 2 * offsets_bytes(size) +
         vectors_bytes(size, b_is_x ? 3 : 4);
}

double full_sweep_bytes(const SystemSize& size, bool b_is_x) {
  return entries_bytes(size, static_cast<double>(size.nonzeros)) + 2 * offsets_bytes(size) +
         vectors_bytes(size, b_is_x ? 3 : 4);
}

double application_bytes(const PreconditionerSettings& settings, const SystemSize& size) {
  return find_preconditioner(settings.kind).traffic(settings, size);
}

double iterations_bytes(const SolverSettings& settings, const SystemSize& size, int iterations) {
  const double application = application_bytes(settings.preconditioner, size);
  return find_solver(settings.method).traffic(settings, size, {application, iterations});
}

// Before: the norm of b (1), a copy of x (2). The true residual, twice: b beside the product (1),
// the norm (1).
double solve_bytes(const SolverSettings& settings, const SystemSize& size, int iterations) {
  const double true_residual = product_bytes(size) + vectors_bytes(size, 2);
  return vectors_bytes(size, 3) + 2 * true_residual + iterations_bytes(settings, size, iterations);
}

double share_of_copy(double bytes, double seconds, double copy_bandwidth) {
  return seconds > 0 && copy_bandwidth > 0 ? bytes / seconds / copy_bandwidth : 0.0;
}

}  // namespace hodge::linalg
