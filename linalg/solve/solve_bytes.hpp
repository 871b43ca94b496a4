// The bytes that a whole solve has to move (cost/byte_model.hpp says what counts): each method and
// preconditioner counts its own, by the tables of registry.hpp.
#pragma once

#include "linalg/cost/byte_model.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solvers/resident_cg.hpp"

namespace hodge::linalg {

// The size of a system for the functions below.
template <class Space, class T>
SystemSize counted_size(const CsrMatrix<Space, T>& a) {
  SystemSize size = a.system_size();
  size.one_kernel = ResidentIterations<Space>::takes(a.view());
  if (a.separable() != nullptr) size.direct_bytes = direct_bytes<Space>(*a.separable(), sizeof(T));
  return size;
}

// z = M^-1 r, once.
double application_bytes(const PreconditionerSettings& settings, const SystemSize& size);

// The first `iterations` iterations of the method with its preconditioner, without the work before
// and after (gmres: with the end of each cycle); ConfigError for unknown names.
double iterations_bytes(const SolverSettings& settings, const SystemSize& size, int iterations);

// A solve of one pass, without making the preconditioner: iterations_bytes, norms, and the true
// residual before and after.
double solve_bytes(const SolverSettings& settings, const SystemSize& size, int iterations);

}  // namespace hodge::linalg
