// One cycle of GMRES(m), preconditioned from the right; the driver restarts it from the true
// residual.
//
// Y. Saad & M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869. Arnoldi by classical
// Gram-Schmidt, repeated if orthogonality is lost (space/orthogonalisation.hpp): every vector costs
// two passes over the basis, and no dot product waits for another. The basis vectors w_j are
// orthogonal, but not of length 1. A happy breakdown (h_{j+1,j} ~ 0) ends the cycle with the exact
// solution; an invariant space that holds no solution is reported as singular_krylov. Cost per
// iteration: 1 product with A, 1 application of M, 2 passes over the basis; m + 2 vectors.
#pragma once

#include <algorithm>

#include "linalg/cost/byte_model.hpp"
#include "linalg/settings/options.hpp"
#include "linalg/solvers/solver.hpp"
#include "linalg/vectors/arnoldi_basis.hpp"

namespace hodge::linalg {

struct GmresSettings {
  int restart = 30;

  void list(OptionList& options) {
    options.add("restart", restart, from_to(1, 1000), "vectors of its basis", Brief::value);
  }
};

template <class Space, class T>
class Gmres : public Solver<Space, T> {
 public:
  using Settings = GmresSettings;
  explicit Gmres(const GmresSettings& settings)
      : restart_(settings.restart),
        basis_(restart_ + 1),
        hessenberg_(size(restart_ + 1) * size(restart_)),
        small_(4 * size(restart_ + 1)),
        columns_(1) {}
  static std::size_t memory(const GmresSettings& settings, const SystemSize& size) {
    return size.vectors(settings.restart + 2);
  }
  // Iteration j of a cycle, from 0: the dots with j + 1 vectors (j + 2 read), and the round that
  // uses them (j + 3). A cycle of c iterations: w_0 and its norm (2); x from c vectors (c + 2), or
  // with a preconditioner y from c vectors (c + 1), and M^-1 y and x (3); the true residual of the
  // restart: b beside the product (1), the norm (1).
  static double traffic(const GmresSettings& settings, const SystemSize& size,
                        const CountedIterations& i) {
    double bytes = i.count * (product_bytes(size) + i.application);
    for (int start = 0; start < i.count; start += settings.restart) {
      const double c = std::min(settings.restart, i.count - start);
      bytes += vectors_bytes(size, c * (c + 4) + 4 + c + 2 * i.copies()) + i.application;
      if (start > 0) bytes += product_bytes(size) + vectors_bytes(size, 2);
    }
    return bytes;
  }

  void resize(int rows) override {
    basis_.resize(rows);
    z_.resize(rows);
  }
  bool shows_residual() const override { return false; }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto& A = system.A;
    auto& M = system.M;
    const LeastSquares h = least_squares();
    basis_.start(r);
    Space::start_least_squares(h);
    int j = 0;
    for (; j < restart_ && monitor.running(); ++j) {
      Vector<Space, T> next = basis_.column(j + 1);
      multiply(A, M.apply(basis_.column(j), z_), next);  // A M^-1 w_j
      basis_.orthogonalise(j + 1);
      monitor.iteration(h, j);
    }
    monitor.stop();
    Space::solve_least_squares(h);
    if (M.is_identity()) return basis_.add(j, h.solution, x);  // x = x + W y
    Vector<Space, T> y = basis_.column(restart_);              // not used by the sum
    basis_.combine(j, h.solution, y);
    x = x + M.apply(y, z_);  // x = x + M^-1 W y
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  LeastSquares least_squares() {
    double* const d = small_.data();
    const int n = restart_ + 1;
    return {restart_,        hessenberg_.data(), d, d + n, d + 2 * n, d + 3 * n,
            columns_.data(), basis_.data()};
  }

  int restart_;
  ArnoldiBasis<Space, T> basis_;
  Vector<Space, T> z_;
  Buffer<double, Space> hessenberg_, small_;
  Buffer<int, Space> columns_;
};

}  // namespace hodge::linalg
