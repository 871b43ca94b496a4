// A level of the cycle for matrices without a grid: rows in CSR, aggregates as coarse rows.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "linalg/matrices/transpose.hpp"
#include "linalg/multigrid/aggregation.hpp"
#include "linalg/multigrid/coarsest.hpp"
#include "linalg/multigrid/galerkin.hpp"
#include "linalg/multigrid/smoothing.hpp"

namespace hodge::linalg::multigrid {

// out = start + factor d o v; a null start is 0.
template <class Space, class T>
void add_scaled(int n, T factor, const T* d, const T* v, const T* start, T* out) {
  count_vectors<Space, T>(n, start == nullptr ? 3 : 4);
  for_each_guarded<Space>(n, [=] HODGE_LAMBDA(int i) {
    const T change = factor * d[i] * v[i];
    out[i] = start == nullptr ? change : start[i] + change;
  });
}
// out = start + a v + b d o w
template <class Space, class T>
void add_two(int n, T a, const T* v, T b, const T* d, const T* w, const T* start, T* out) {
  count_vectors<Space, T>(n, (v == d ? 2 : 4) + (start == nullptr ? 0 : 1));
  for_each_guarded<Space>(n, [=] HODGE_LAMBDA(int i) {
    const T change = a * v[i] + b * d[i] * w[i];
    out[i] = start == nullptr ? change : start[i] + change;
  });
}
template <class Space, class T>
struct RowLevel {
  using Array = T*;
  static constexpr bool once = false;
  static constexpr bool run_at_once() { return false; }
  static constexpr T jacobi_damping = static_cast<T>(0.8);

  // `coarse`: a matrix of the level's own; null on the finest level.
  RowLevel(std::unique_ptr<CsrMatrix<Space, T>> coarse, const CsrMatrix<Space, T>* finest,
           const MultigridSettings& settings)
      : own(std::move(coarse)),
        matrix(own != nullptr ? own.get() : finest),
        smoother(smoother_of(settings)),
        omega(static_cast<T>(settings.omega)) {
    const auto n = static_cast<std::size_t>(rows());
    for (auto* v : {&z, &r, &t, &s, &q, &d}) *v = Buffer<T, Space>(n);
    bad = Buffer<int, Space>(1);
  }
  int rows() const { return matrix->rows(); }

  void take_diagonal() {
    const double factor = smoother == Smoother::ssor_sai ? static_cast<double>(omega) : 1.0;
    invert_diagonal<Space>(matrix->view(), factor, d.data(), bad.data());
  }

  // `given`: A^T, or null if the level has to make it.
  void take_transpose(const CsrMatrix<Space, T>* given) {
    matrix_transposed = given != nullptr ? given : matrix;
    if (given != nullptr || matrix->symmetry() == Symmetry::symmetric) return;
    if (!own_transposed) {
      own_transposed = std::make_unique<TransposedCsr<Space, T>>();
      own_transposed->setup(*matrix);
    }
    own_transposed->refresh(*matrix);
    matrix_transposed = &own_transposed->matrix();
  }

  T* of_z() { return z.data(); }
  T* of_r() { return r.data(); }
  T* of_t() { return t.data(); }

  void smooth(const T* right_side, const T* start, T* z_out) {
    const int n = rows();
    const T* const none = nullptr;
    if (smoother == Smoother::jacobi)
      return add_scaled<Space>(n, omega * jacobi_damping, d.data(), right_side, start, z_out);
    if (smoother == Smoother::chebyshev) {
      const ChebyshevStep<T> by = chebyshev_step<T>(2.0);
      add_scaled<Space>(n, by.first, d.data(), right_side, none, s.data());
      residual(right_side, s.data(), q.data());
      return add_two<Space>(n, by.momentum, s.data(), by.residual, d.data(), q.data(), start,
                            z_out);
    }
    const T *const hat = s.data(), *const half = q.data();
    add_scaled<Space>(n, T(1), d.data(), right_side, none, s.data());
    sweep(Triangle::strictly_lower, 1.0, hat, q.data());
    sweep(Triangle::strictly_upper, 2.0 - static_cast<double>(omega), half, s.data());
    if (start == nullptr) {
      Space::convert(n, hat, z_out);
    } else {
      add_two<Space>(n, T(1), hat, T(0), hat, hat, start, z_out);
    }
  }
  void residual(const T* right_side, const T* x, T* out) {
    Space::spmv(in_use().view(), -1.0, x, 1.0, right_side, out);
  }
  // coarse.r_I = the sum of v_i over the members of I, in the order of the rows.
  void restrict_to(RowLevel& coarse, const T* v) {
    const int *const member = members.data(), *const start = member_starts.data();
    T* const sums = coarse.r.data();
    count_vectors<Space, int>(rows() + coarse.rows(), 1);
    count_vectors<Space, T>(rows() + coarse.rows(), 1);
    for_each_guarded<Space>(coarse.rows(), [=] HODGE_LAMBDA(int I) {
      T sum = T(0);
      for (int k = start[I]; k < start[I + 1]; ++k) sum += v[member[k]];
      sums[I] = sum;
    });
  }
  void prolong_from(RowLevel& coarse, T* x) {
    const int* const of_row = aggregate.data();
    const T* const correction = coarse.z.data();
    count_vectors<Space, int>(rows(), 1);
    count_vectors<Space, T>(2LL * rows() + coarse.rows(), 1);
    for_each_guarded<Space>(rows(), [=] HODGE_LAMBDA(int i) { x[i] += correction[of_row[i]]; });
  }
  // Of the last level: by the dense inverse if the level is small, otherwise by smoothing.
  void solve(const T* right_side, T* x) {
    if (coarsest) return coarsest->solve(transposed, right_side, x);
    smooth(right_side, nullptr, x);
  }

  std::unique_ptr<CsrMatrix<Space, T>> own;
  const CsrMatrix<Space, T>* matrix;
  std::unique_ptr<TransposedCsr<Space, T>> own_transposed;
  const CsrMatrix<Space, T>* matrix_transposed = nullptr;
  bool transposed = false;  // smoothing and residuals are those of A^T
  Buffer<T, Space> z, r, t, s, q;
  Buffer<T, Space> d;      // omega / a_ii
  Buffer<int, Space> bad;  // first row without a diagonal
  Smoother smoother;
  T omega;
  // To the next level.
  Buffer<int, Space> aggregate, members, member_starts;
  EntryOrder<Space> coarse_entries;
  std::optional<Coarsest<Space, T>> coarsest;

 private:
  const CsrMatrix<Space, T>& in_use() const { return transposed ? *matrix_transposed : *matrix; }
  void sweep(Triangle part, double factor, const T* x, T* y) {
    Space::sweep(in_use().view(), part, d.data(), x, x, factor, y);
  }
};

}  // namespace hodge::linalg::multigrid
