// Preconditioned conjugate gradients for symmetric positive (semi)definite A and M.
//
// M. R. Hestenes & E. Stiefel, J. Res. Nat. Bur. Standards 49 (1952) 409-436; preconditioned as in
// Y. Saad, Iterative Methods for Sparse Linear Systems (2003), Algorithm 9.1. Breakdowns: p.Ap <= 0
// (A is indefinite), r.z <= 0 (M is indefinite), each relative to the norms of the vectors. Cost
// per iteration: 1 product with A, 1 application of M, 2 reductions; 3 vectors.
#pragma once

#include <utility>

#include "linalg/cost/byte_model.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Cg : public Solver<Space, T> {
 public:
  explicit Cg(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize& size) { return size.vectors(3); }
  // Per iteration: x and r (3 vectors each), p (3), and with a preconditioner the dots of r and z
  // (2); without a preconditioner the pass that writes r computes the dots. That pass also computes
  // z = d o r, which costs d and z (2).
  static double traffic(const NoSettings&, const SystemSize& size, const CountedIterations& i) {
    return i.count * (product_bytes(size) +
                      (i.by_elements ? vectors_bytes(size, 11)
                                     : i.application + vectors_bytes(size, 9 + 2 * i.copies())));
  }

  void resize(int rows) override {
    for (auto* v : {&p_, &q_, &z_}) v->resize(rows);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto& A = system.A;
    auto& M = system.M;
    Scalar<Space> rho = start(system, r, monitor), beta;
    this->iterate(system, x, r, monitor, [&] {
      const auto [pq, pp, qq] = A.apply_and_dots(p_, p_, q_);  // q = A p
      monitor.require_positive(pq, pp, qq, Breakdown::indefinite_operator);
      const auto alpha = rho / pq;
      x = x + alpha * p_;
      r = r - alpha * q_;
      const auto& z = M.apply(r, z_);
      const auto [rho_new, rr, zz] = dots(r, z, r, r, z, z);
      monitor.iteration(rr, r);
      monitor.require_positive(rho_new, rr, zz, Breakdown::indefinite_preconditioner);
      beta = rho_new / rho;
      rho = rho_new;
      p_ = z + beta * p_;
    });
  }

 protected:
  // p = M^-1 r; returns rho = r . p.
  Scalar<Space> start(const LinearSystem<Space, T>& system, const Vector<Space, T>& r,
                      Monitor<Space>& monitor) {
    p_ = system.M.apply(r, z_);
    auto [rho, rr, pp] = dots(r, p_, r, r, p_, p_);
    monitor.require_positive(rho, rr, pp, Breakdown::indefinite_preconditioner);
    return std::move(rho);
  }

  Vector<Space, T> p_, q_, z_;
};

}  // namespace hodge::linalg
