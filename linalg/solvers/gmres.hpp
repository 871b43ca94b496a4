// One cycle of GMRES(m), preconditioned from the right; the driver restarts it from the true
// residual.
//
// Y. Saad & M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869. Arnoldi by classical
// Gram-Schmidt done twice (L. Giraud, J. Langou & M. Rozloznik, Comput. Math. Appl. 50 (2005)
// 1069-1075), so that every orthogonalisation is two passes over the basis and no dot product waits
// for another. Happy breakdown (h_{j+1,j} ~ 0) ends the cycle with the exact solution; an invariant
// space without one is named. Cost an iteration: 1 product with A, 1 application of M, 4 passes
// over the basis; m + 3 vectors.
#pragma once

#include <algorithm>

#include "linalg/byte_model.hpp"
#include "linalg/krylov_basis.hpp"
#include "linalg/settings.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Gmres : public Solver<Space, T> {
 public:
  explicit Gmres(const SolverSettings& settings)
      : restart_(settings.restart),
        hessenberg_(size(restart_ + 1) * size(restart_)),
        small_(5 * size(restart_ + 1)),
        columns_(1) {}
  static std::size_t memory(const SolverSettings& settings, const SystemSize& size) {
    return size.vectors(settings.restart + 3);
  }
  // Iteration j of a cycle, from 0: twice the projection on j + 1 vectors (j + 2 read) and its
  // subtraction (j + 3), the norm (1), the next vector (2). A cycle of c iterations: norm and first
  // vector (1 + 2), y by c vectors (c + 1), M^-1 y, x (3), and the true residual of its restart:
  // r = b (2), the product (1 more), the norm (1).
  static double traffic(const SolverSettings& settings, const SystemSize& size,
                        const CountedIterations& i) {
    double bytes = i.count * (product_bytes(size) + i.application);
    for (int start = 0; start < i.count; start += settings.restart) {
      const double c = std::min(settings.restart, i.count - start);
      bytes += vectors_bytes(size, c * (2 * c + 11) + 7 + c) + i.application;
      if (start > 0) bytes += product_bytes(size) + vectors_bytes(size, 4);
    }
    return bytes;
  }

  void resize(int rows) override {
    basis_.resize(rows, restart_ + 1);
    w_.resize(rows);
    z_.resize(rows);
  }
  bool shows_residual() const override { return false; }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    auto& [A, A_transposed, M, b] = system;
    const LeastSquares h = least_squares();
    Scalar<Space> beta = norm(r);
    basis_.column(0) = r / beta;
    Space::start_least_squares(h, beta.data());
    int j = 0;
    for (; j < restart_ && monitor.running(); ++j) {
      multiply(A, M.apply(basis_.column(j), z_), w_);  // w = A M^-1 v_j
      basis_.project(j + 1, w_, h.column(j));
      basis_.subtract(j + 1, h.column(j), w_);
      basis_.project(j + 1, w_, h.correction);
      basis_.subtract(j + 1, h.correction, w_);
      const auto length = norm(w_);
      Space::assign(h.column(j) + j + 1, length.monomial());
      monitor.iteration(h, j);
      basis_.column(j + 1) = w_ / length;
    }
    monitor.stop();
    Space::solve_least_squares(h);
    basis_.combine(j, h.solution, w_);
    x = x + M.apply(w_, z_);  // x = x + M^-1 V y
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  LeastSquares least_squares() {
    LeastSquares s;
    const int m1 = restart_ + 1;
    s.restart = restart_;
    s.hessenberg = hessenberg_.data();
    s.correction = small_.data();
    s.cosine = small_.data() + m1;
    s.sine = small_.data() + 2 * m1;
    s.rhs = small_.data() + 3 * m1;
    s.solution = small_.data() + 4 * m1;
    s.columns = columns_.data();
    return s;
  }

  int restart_;
  KrylovBasis<Space, T> basis_;
  Vector<Space, T> w_, z_;
  Buffer<double, Space> hessenberg_, small_;
  Buffer<int, Space> columns_;
};

}  // namespace hodge::linalg
