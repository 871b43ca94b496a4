// Conjugate gradients with many iterations in one kernel of the GPU, for systems whose vectors fit
// in the registers of the multiprocessors, and for M^-1 = I or a diagonal matrix. The barriers
// between the steps of an iteration are cheaper than launches; only A and p are read through the
// caches.
#pragma once

#include "linalg/solvers/cg.hpp"

namespace hodge::linalg {

// Before each launch p = M^-1 r and *rho = r . p, as between any two iterations.
template <class T>
struct ResidentCgSystem {
  CsrView<T> a;
  const T* inverse_diagonal;  // null: M = I
  T *x, *r, *p;
  double* rho;
  MonitorState* monitor;
};

// Iterations per launch at most, so that the host can look at its clock in between.
inline constexpr int resident_iterations = 500;

// Many iterations in one kernel; the Host has no such kernel.
template <class Space>
struct ResidentIterations {
  template <class T>
  static bool takes(const CsrView<T>&) {
    return false;
  }
  template <class T>
  static void run(const ResidentCgSystem<T>&, int) {}
};

template <>
struct ResidentIterations<Cuda> {
  template <class T>
  static bool takes(const CsrView<T>& a);
  // Until the monitor halts, `iterations` at most.
  template <class T>
  static void run(const ResidentCgSystem<T>& system, int iterations);
};

// cg; for a system that fits, in that kernel.
template <class Space, class T>
class ResidentCg : public Cg<Space, T> {
 public:
  using Cg<Space, T>::Cg;

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    if (!fits(system, monitor)) return Cg<Space, T>::improve(system, x, r, monitor);
    Scalar<Space> rho = this->start(system, r, monitor);
    const ResidentCgSystem<T> resident{system.A.csr()->view(),
                                       system.M.diagonal_inverse()->entries,
                                       x.data(),
                                       r.data(),
                                       this->p_.data(),
                                       rho.data(),
                                       monitor.state_in_space()};
    while (monitor.running(0)) {
      ResidentIterations<Space>::run(resident, resident_iterations);
      monitor.count_queued(resident_iterations);
    }
  }

 private:
  static bool fits(const LinearSystem<Space, T>& system, const Monitor<Space>& monitor) {
    return system.A.csr() != nullptr && system.M.diagonal_inverse() && !monitor.watches_maximum() &&
           ResidentIterations<Space>::takes(system.A.csr()->view());
  }
};

}  // namespace hodge::linalg
