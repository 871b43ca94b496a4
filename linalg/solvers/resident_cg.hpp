// Conjugate gradients with many iterations in one kernel of the GPU, for systems whose vectors fit
// in the registers of the multiprocessors, and for M^-1 = I or a diagonal matrix. The barriers
// between the steps of an iteration are cheaper than launches; only A and p are read through the
// caches.
#pragma once

#include "linalg/solvers/cg.hpp"
#include "linalg/space/traffic.hpp"

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
  static double traffic(const NoSettings& none, const SystemSize& size,
                        const CountedIterations& i) {
    if (!size.one_kernel || (i.application > 0 && !i.by_elements))
      return Cg<Space, T>::traffic(none, size, i);
    const int launches = (i.count + resident_iterations - 1) / resident_iterations;
    return launches * launch_bytes(size, i.by_elements) + i.count * iteration_bytes(size);
  }

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
    const SystemSize size = system.A.csr()->system_size();
    const int before = monitor.iterations();
    while (monitor.running(0)) {
      count_moved<Space>(launch_bytes(size, resident.inverse_diagonal != nullptr));
      ResidentIterations<Space>::run(resident, resident_iterations);
      monitor.count_queued(resident_iterations);
    }
    count_moved<Space>((monitor.iterations() - before) * iteration_bytes(size));
  }

 private:
  // Loads the places of the rows, x, r, p and, if scaled, the inverse diagonal; stores x and r.
  static double launch_bytes(const SystemSize& size, bool scaled) {
    return static_cast<double>(size.rows * sizeof(int) + size.masks()) +
           vectors_bytes(size, scaled ? 6 : 5);
  }
  // Values, and columns unless masks tell them; p is read by the product and then written.
  static double iteration_bytes(const SystemSize& size) {
    const std::size_t of_entry = size.value_size + (size.few_diagonals ? 0 : sizeof(int));
    return static_cast<double>(size.nonzeros * of_entry) + vectors_bytes(size, 2);
  }
  static bool fits(const LinearSystem<Space, T>& system, const Monitor<Space>& monitor) {
    return system.A.csr() != nullptr && system.M.diagonal_inverse() && !monitor.watches_maximum() &&
           ResidentIterations<Space>::takes(system.A.csr()->view());
  }
};

}  // namespace hodge::linalg
