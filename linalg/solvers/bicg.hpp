// Biconjugate gradients for nonsymmetric A: A x = b beside the shadow system A^T x* = b*.
//
// R. Fletcher, Conjugate gradient methods for indefinite systems, Lecture Notes in Mathematics 506
// (1976) 73-89; preconditioned as in Y. Saad, Iterative Methods for Sparse Linear Systems (2003),
// Algorithm 7.3. The shadow residual starts as r. Breakdowns: rho = r*.M^-1 r ~ 0 (the Lanczos
// process ends), p*.Ap ~ 0 (its tridiagonal matrix has no LU factors), each relative to the norms
// of the vectors. Cost per iteration: 1 product with A, 1 with A^T, 1 application of M and of M^T,
// 2 reductions; 7 vectors, and A^T if A is not symmetric and A^T is stored
// (solve/check_settings.cpp).
#pragma once

#include <string>
#include <utility>

#include "linalg/cost/byte_model.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/settings/options.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

struct BicgSettings {
  std::string transpose = "implicit";

  void list(OptionList& options) {
    options.add("transpose", transpose, {"implicit", "stored"},
                "implicit: on few diagonals A^T x reads A in place; stored: a second matrix",
                Brief::value_if_changed);
  }
};

template <class Space, class T>
class Bicg : public Solver<Space, T> {
 public:
  using Settings = BicgSettings;
  explicit Bicg(const BicgSettings&) {}
  static std::size_t memory(const BicgSettings&, const SystemSize& size) {
    return size.vectors(7);  // A^T, if it is stored, belongs to the LinearSolver
  }
  // Per iteration: A, p* beside it (1 vector), and A^T or, where A is read for both, q* (1); x, r,
  // r* (3 each); dots of r, r* and z, which the pass that writes r and r* computes if M is the
  // identity; p, p* (3 each).
  static double traffic(const BicgSettings&, const SystemSize& size, const CountedIterations& i) {
    const double transposed = i.separate_transpose ? product_bytes(size) : vectors_bytes(size, 1);
    return i.count * (product_bytes(size) + transposed + 2 * i.application +
                      vectors_bytes(size, 16 + 3 * i.copies()));
  }

  void resize(int rows) override {
    for (auto* v : {&r_shadow_, &z_, &z_shadow_, &p_, &p_shadow_, &q_, &q_shadow_}) v->resize(rows);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto &A = system.A, &A_transposed = *system.A_transposed;
    auto& M = system.M;
    r_shadow_ = r;
    p_ = M.apply(r, z_);
    p_shadow_ = M.apply_transposed(r_shadow_, z_shadow_);
    auto first = dots(p_, r_shadow_, p_, p_, r_shadow_, r_shadow_);
    monitor.require_not_negligible(first[0], first[1], first[2], Breakdown::rho_zero);
    Scalar<Space> rho = std::move(first[0]), beta;
    this->iterate(system, x, r, monitor, [&] {
      // q = A p, q* = A^T p*
      const auto [xi, pp_shadow, qq] = multiply_both(A, A_transposed, p_, p_shadow_, q_, q_shadow_);
      monitor.require_not_negligible(xi, pp_shadow, qq, Breakdown::shadow_step_zero);
      const auto alpha = rho / xi;
      x = x + alpha * p_;
      r = r - alpha * q_;
      r_shadow_ = r_shadow_ - alpha * q_shadow_;
      const auto& z = M.apply(r, z_);
      const auto& z_shadow = M.apply_transposed(r_shadow_, z_shadow_);
      const auto [rho_new, rr, zz, rr_shadow] =
          dots(z, r_shadow_, r, r, z, z, r_shadow_, r_shadow_);
      monitor.iteration(rr, r);
      monitor.require_not_negligible(rho_new, zz, rr_shadow, Breakdown::rho_zero);
      beta = rho_new / rho;
      rho = rho_new;
      p_ = z + beta * p_;
      p_shadow_ = z_shadow + beta * p_shadow_;
    });
  }

 private:
  Vector<Space, T> r_shadow_, z_, z_shadow_, p_, p_shadow_, q_, q_shadow_;
};

}  // namespace hodge::linalg
