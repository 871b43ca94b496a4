// Stabilised biconjugate gradients for nonsymmetric A, preconditioned from the right.
//
// H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644.
// Breakdowns: rho = r*.r ~ 0, r*.v ~ 0 (alpha would be infinite), t.s ~ 0 (omega would be zero),
// each relative to the norms of the vectors. A half step that already meets the target is taken
// alone (omega = 0). Cost an iteration: 2 products with A, 2 applications of M, 3 reductions, two
// of them with the products and one with the pass that writes x and r; 7 vectors.
#pragma once

#include "linalg/byte_model.hpp"
#include "linalg/settings.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Bicgstab : public Solver<Space, T> {
 public:
  explicit Bicgstab(const SolverSettings&) {}
  static std::size_t memory(const SolverSettings&, const SystemSize& size) {
    return size.vectors(7);
  }
  // An iteration: r* and s beside the products (2 vectors), s (3), x (4), r (3, and 1 less where M
  // is the identity: z is s), r* for the dots (1), p (4).
  static double traffic(const SolverSettings&, const SystemSize& size, const CountedIterations& i) {
    return i.count *
           (2 * product_bytes(size) + 2 * i.application + vectors_bytes(size, 16 + i.copies()));
  }

  void resize(int rows) override {
    for (auto* v : {&shadow_, &p_, &v_, &s_, &t_, &y_, &z_}) v->resize(rows);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    auto& [A, A_transposed, M, b] = system;
    shadow_ = r;
    p_ = r;
    Scalar<Space> rho = dot(shadow_, r);
    this->iterate(system, x, r, {&rho}, monitor, [&] {
      const auto& y = M.apply(p_, y_);
      const auto [shadow_v, shadow_norm2, vv] = A.apply_and_dots(y, shadow_, v_);  // v = A M^-1 p
      monitor.require_not_negligible(shadow_v, shadow_norm2, vv, Breakdown::alpha_infinite);
      const auto alpha = rho / shadow_v;
      s_ = r - alpha * v_;
      const auto& z = M.apply(s_, z_);
      const auto [ts, ss, tt] = A.apply_and_dots(z, s_, t_);  // t = A M^-1 s
      const auto omega = monitor.minimal_residual_step(ts, tt, ss);
      x = x + alpha * y + omega * z;
      r = s_ - omega * t_;
      auto [rho_new, rr] = dots(shadow_, r, r, r);
      monitor.iteration(rr, r);
      monitor.require_not_negligible(ts, tt, ss, Breakdown::omega_zero);
      monitor.require_not_negligible(rho_new, shadow_norm2, rr, Breakdown::rho_zero);
      const auto beta = (rho_new / rho) * (alpha / omega.monomial());
      const auto beta_omega = (rho_new / rho) * alpha;
      p_ = r + beta * p_ - beta_omega * v_;
      rho = std::move(rho_new);
    });
  }

 private:
  Vector<Space, T> shadow_, p_, v_, s_, t_, y_, z_;
};

}  // namespace hodge::linalg
