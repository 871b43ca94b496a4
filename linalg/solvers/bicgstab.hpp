// Stabilised biconjugate gradients for nonsymmetric A, preconditioned from the right.
//
// H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644, with the dot products of r
// computed early as in L. T. Yang & R. P. Brent, ICA3PP 2002, 324-328: for r = s - omega t and the
// shadow residual r*, rho_new = r*.r = r*.s - omega r*.t. The choice of alpha makes r*.s zero, so
// beta = (rho_new / rho) (alpha / omega) = -(r*.t) / (r*.v). In rho_new the term r*.s, which then
// consists of rounding errors, is kept: without it rho loses its accuracy once r is small.
// Breakdowns: rho ~ 0, r*.v ~ 0 (alpha would be infinite), t.s ~ 0 (omega would be zero), each
// relative to the norms of the vectors. If half a step already meets the target, the other half is
// left out (omega = 0). Cost per iteration: 2 products with A, 2 applications of M, 2 reductions,
// both with the products, and r.r for the monitor from the pass that writes x, r and p; 7 vectors.
// Where M multiplies by elements, p and M^-1 p are written together after the monitor's test, so
// that the last iteration writes neither.
#pragma once

#include "linalg/cost/byte_model.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Bicgstab : public Solver<Space, T> {
 public:
  explicit Bicgstab(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize& size) { return size.vectors(7); }
  // Before the first iteration: r, r*, p (3 vectors). Per iteration: r*, and s and r*, beside the
  // products (3), s (3), x, r and p in one pass: x, y, z, s, t, v, p (10, and 2 less if M is the
  // identity: y is p and z is s). With y = d o p: before the first also d and y (2); s and z in one
  // pass (5), x and r (7), then p and y (6) but for the last iteration.
  static double traffic(const NoSettings&, const SystemSize& size, const CountedIterations& i) {
    if (i.count == 0) return 0;
    const double products = i.count * 2 * product_bytes(size);
    if (i.by_elements)
      return products + vectors_bytes(size, 5 + i.count * (3 + 5 + 7) + (i.count - 1) * 6);
    return products + i.count * 2 * i.application +
           vectors_bytes(size, 3 + i.count * (14 + 2 * i.copies()));
  }

  void resize(int rows) override {
    for (auto* v : {&shadow_, &p_, &v_, &s_, &t_, &y_, &z_}) v->resize(rows);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto& A = system.A;
    auto& M = system.M;
    const bool by_elements = M.multiplies_by_elements();
    const auto& y = M.is_identity() ? p_ : y_;  // M^-1 p
    shadow_ = r;
    p_ = r;
    if (by_elements) (void)M.apply(p_, y_);
    Scalar<Space> rho = dot(r, r), alpha;  // shadow . r
    this->iterate(system, x, r, monitor, [&] {
      if (!by_elements) (void)M.apply(p_, y_);
      const auto [shadow_v, shadow_norm2, vv] = A.apply_and_dots(y, shadow_, v_);  // v = A M^-1 p
      monitor.require_not_negligible(shadow_v, shadow_norm2, vv, Breakdown::alpha_infinite);
      alpha = rho / shadow_v;
      s_ = r - alpha * v_;
      const auto& z = M.apply(s_, z_);
      // t = A M^-1 s
      const auto [ts, ss, tt, shadow_t, shadow_s] = A.apply_and_dots(z, s_, t_, shadow_);
      const auto omega = monitor.minimal_residual_step(ts, tt, ss);
      rho = shadow_s - omega * shadow_t;  // shadow . r
      x = x + alpha * y + omega * z;
      r = s_ - omega * t_;
      const auto beta = -(shadow_t / shadow_v);
      const auto beta_omega = beta * omega;
      const auto renew_p = [&] { p_ = r + beta * p_ - beta_omega * v_; };
      if (!by_elements) renew_p();
      const auto rr = dot(r, r);
      monitor.iteration(rr, r);
      monitor.require_not_negligible(ts, tt, ss, Breakdown::omega_zero);
      monitor.require_not_negligible(rho, shadow_norm2, rr, Breakdown::rho_zero);
      if (!by_elements) return;
      renew_p();
      (void)M.apply(p_, y_);
    });
  }

 private:
  Vector<Space, T> shadow_, p_, v_, s_, t_, y_, z_;
};

}  // namespace hodge::linalg
