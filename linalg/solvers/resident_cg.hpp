// Conjugate gradients that stay on a GPU: many iterations of cg.hpp in one kernel, for systems
// whose vectors the multiprocessors hold at once and for M^-1 = I or a diagonal matrix. The
// barriers between an iteration's steps are cheaper than kernels; only A and p go through the
// caches.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

// On entry p = M^-1 r and *rho = r . p, and on return as after the last iteration.
template <class T>
struct ResidentCgSystem {
  CsrView<T> a;
  const T* inverse_diagonal;  // null: M = I
  T *x, *r, *p;
  double* rho;
  MonitorState* monitor;
};

// No more iterations at a time, so that the host sees its clock.
inline constexpr int resident_iterations = 500;

template <class Space>
struct ResidentCg {
  template <class T>
  static bool takes(const CsrView<T>&) {
    return false;
  }
  template <class T>
  static void iterate(const ResidentCgSystem<T>&, int) {}
};

template <>
struct ResidentCg<Cuda> {
  template <class T>
  static bool takes(const CsrView<T>& a);
  // Until the monitor halts, `iterations` at most.
  template <class T>
  static void iterate(const ResidentCgSystem<T>& system, int iterations);
};

}  // namespace hodge::linalg
