// Conjugate gradients with many iterations in one kernel of the GPU, for systems whose vectors fit
// in the registers of the multiprocessors, and for M^-1 = I, a diagonal matrix or the factored form
// of ssor_sai. The barriers between the steps of an iteration are cheaper than launches; only p and
// the vectors between the sweeps of ssor_sai are read through the caches, and A where its entries
// do not fit into shared memory.
#pragma once

#include <cstdint>

#include "linalg/solvers/cg.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg {

// Before each launch p = M^-1 r and *rho = r . p, as between any two iterations.
template <class T>
struct ResidentCgSystem {
  CsrView<T> a;
  const T* inverse_diagonal = nullptr;  // null: M = I
  SsorFactors<T> ssor;                  // of order 0: M is a diagonal matrix or I
  T *x, *r, *p;
  T* between[2];  // vectors between the sweeps of ssor_sai
  double* rho;
  MonitorState* monitor;
};

// Iterations per launch at most, so that the host can look at its clock in between.
inline constexpr int resident_iterations = 500;

// Many iterations in one kernel; the Host has no such kernel.
template <class Space>
struct ResidentIterations {
  static bool holds(std::int64_t) { return false; }
  template <class T>
  static bool takes(const CsrView<T>&) {
    return false;
  }
  template <class T>
  static void run(const ResidentCgSystem<T>&, int) {}
};

template <>
struct ResidentIterations<Cuda> {
  static bool holds(std::int64_t rows);  // whether vectors of so many rows fit
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
    if (!size.one_kernel || (i.application > 0 && !i.by_elements && i.sweeps == 0))
      return Cg<Space, T>::traffic(none, size, i);
    const int launches = (i.count + resident_iterations - 1) / resident_iterations;
    return launches * launch_bytes(size, i.by_elements || i.sweeps > 0) +
           i.count * iteration_bytes(size, i.sweeps);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    if (!fits(system, monitor)) return Cg<Space, T>::improve(system, x, r, monitor);
    Scalar<Space> rho = this->start(system, r, monitor);
    ResidentCgSystem<T> resident{.a = system.A.csr()->view(),
                                 .ssor = {},
                                 .x = x.data(),
                                 .r = r.data(),
                                 .p = this->p_.data(),
                                 .between = {this->q_.data(), this->z_.data()},
                                 .rho = rho.data(),
                                 .monitor = monitor.state_in_space()};
    if (const auto diagonal = system.M.diagonal_inverse())
      resident.inverse_diagonal = diagonal->entries;
    if (const auto factors = system.M.ssor_factors()) {
      resident.ssor = *factors;
      resident.inverse_diagonal = factors->inverse_diagonal;
    }
    const SystemSize size = system.A.csr()->system_size();
    const int before = monitor.iterations(), sweeps = 2 * resident.ssor.order;
    while (monitor.running(0)) {
      count_moved<Space>(launch_bytes(size, resident.inverse_diagonal != nullptr));
      ResidentIterations<Space>::run(resident, resident_iterations);
      monitor.count_queued(resident_iterations);
    }
    count_moved<Space>((monitor.iterations() - before) * iteration_bytes(size, sweeps));
  }

 private:
  // Loads the places of the rows, x, r, p and, if scaled, the inverse diagonal; stores x and r.
  static double launch_bytes(const SystemSize& size, bool scaled) {
    return static_cast<double>(size.rows * sizeof(int) + size.masks()) +
           vectors_bytes(size, scaled ? 6 : 5);
  }
  // Values, and columns unless masks tell them, counted as if none were in shared memory; p is read
  // by the product and then written. Each sweep takes half of the entries beside the diagonal, and
  // writes and reads a vector.
  static double iteration_bytes(const SystemSize& size, int sweeps) {
    const std::size_t of_entry = size.value_size + (size.few_diagonals ? 0 : sizeof(int));
    const double of_sweep =
        0.5 * static_cast<double>((size.nonzeros - size.rows) * of_entry) + vectors_bytes(size, 2);
    return static_cast<double>(size.nonzeros * of_entry) + vectors_bytes(size, 2) +
           sweeps * of_sweep;
  }
  static bool fits(const LinearSystem<Space, T>& system, const Monitor<Space>& monitor) {
    return system.A.csr() != nullptr && (system.M.diagonal_inverse() || system.M.ssor_factors()) &&
           !monitor.watches_maximum() && !shared_rows().is_shared() &&
           ResidentIterations<Space>::takes(system.A.csr()->view());
  }
};

}  // namespace hodge::linalg
