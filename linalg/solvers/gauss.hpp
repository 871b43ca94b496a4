// Gauss elimination as a solver: L U factors of A once, then iterative refinement.
//
// r = b - A x, A d = r by the factors, x = x + d: J. H. Wilkinson, Rounding Errors in Algebraic
// Processes (1963), chapter 3. Each refinement step counts as an iteration; the first one solves
// the system up to rounding. The factors are dense (dense_lu.hpp), so memory limits A: n^2 values.
// The preconditioner is not used. With NullSpace::constant the matrix A + s/n 1 1^T is factored, s
// of the size of A's entries: it is regular, and equal to A on vectors of zero mean. Breakdown: a
// column without a pivot (the matrix is singular); the remark names the column, from 1. Cost: 2/3
// n^3 operations in setup, 2 n^2 and 1 product per iteration; 2 vectors. Where processes share the
// rows, each of them factorises the whole matrix (matrices/whole_system.hpp).
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <optional>

#include "linalg/cost/byte_model.hpp"
#include "linalg/dense/dense_lu.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/whole_system.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Gauss : public Solver<Space, T> {
 public:
  explicit Gauss(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize& size) {
    return DenseLu<Space, T>::memory(static_cast<int>(size.rows)) + size.vectors(2);
  }
  // Per iteration: both factors (n^2 values together), d (3 vectors: r, and d twice), x (3), the
  // product, r (3), its norm (1). The factorisation is limited by operations and not counted.
  static double traffic(const NoSettings&, const SystemSize& size, const CountedIterations& i) {
    const auto n = static_cast<double>(size.rows);
    return i.count * (product_bytes(size) + vectors_bytes(size, n + 10));
  }

  void resize(int rows) override {
    make_room(rows);
    d_.resize(rows);
    q_.resize(rows);
  }

  void setup(const LinearOperator<Space, T>& a, Changed changed, NullSpace null_space) override {
    if (changed == Changed::nothing) return;
    if (a.csr() == nullptr) throw ShapeError("gauss needs an operator with entries");
    if (changed == Changed::pattern) {
      vectors_.setup(a);
      matrix_.setup(*a.csr());
    } else {
      matrix_.refresh(*a.csr());
    }
    const SharingRows alone(shared_rows().whole());
    const CsrMatrix<Space, T>& entries = matrix_.matrix();
    const int n = entries.rows();
    make_room(n);
    const double shift = null_space == NullSpace::constant ? mean_size(entries) / n : 0.0;
    report_ = lu_->factor(n, [&](T* dense) {
      fill(n, static_cast<T>(shift), dense);
      add_to_dense<Space>(entries.view(), dense);
    });
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto& A = system.A;
    if (!report_.regular()) {
      const Scalar<Space> zero(0.0), one(1.0);
      monitor.require_positive(
          zero, one, one,
          report_.singular_column >= 0 ? Breakdown::singular_matrix : Breakdown::not_finite);
      return;
    }
    for (int step = 0; step < refinements && monitor.running(); ++step) {
      vectors_.apply(r, d_,
                     [&](const auto& whole_r, auto& whole_d) { lu_->solve(whole_r, whole_d); });
      x = x + 1.0 * d_;
      multiply(A, d_, q_);
      r = r - 1.0 * q_;
      monitor.iteration(dot(r, r), r);
    }
  }

  std::string remark() const override {
    char text[120] = "";
    if (report_.singular_column >= 0) {
      std::snprintf(text, sizeof text, "no pivot in column %d", report_.singular_column + 1);
    } else if (report_.template near_singular<T>()) {
      std::snprintf(text, sizeof text,
                    "the matrix is near-singular: reciprocal condition %.1e, weakest column %d",
                    report_.reciprocal_condition, report_.weakest_column + 1);
    }
    return text;
  }

 private:
  static constexpr int refinements = 5;  // per pass; more do not help

  void make_room(int rows) {
    if (lu_ && rows <= max_rows_) return;
    lu_.reset();  // frees its memory first
    lu_.emplace(rows);
    max_rows_ = rows;
  }
  // Root mean square of the non-zeros.
  static double mean_size(const CsrMatrix<Space, T>& a) {
    const int n = a.pattern().nonzeros();
    if (n == 0) return 1.0;
    const auto values = Vector<Space, T>::view(const_cast<T*>(a.values().data()), n);
    return norm(values).to_host() / std::sqrt(static_cast<double>(n));
  }
  static void fill(int n, T value, T* dense) {
    const std::size_t total = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    for (std::size_t start = 0; start < total; start += INT_MAX) {
      const auto count = static_cast<int>(std::min<std::size_t>(INT_MAX, total - start));
      Space::fill(count, value, dense + start);
    }
  }

  std::optional<DenseLu<Space, T>> lu_;
  int max_rows_ = 0;
  LuReport report_;
  WholeMatrix<Space, T> matrix_;
  WholeVectors<Space, T> vectors_;
  Vector<Space, T> d_, q_;
};

}  // namespace hodge::linalg
