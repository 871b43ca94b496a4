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
  for_each_guarded<Space>(n, [=] HODGE_LAMBDA(int i) {
    const T change = factor * d[i] * v[i];
    out[i] = start == nullptr ? change : start[i] + change;
  });
}
// out = start + a v + b d o w
template <class Space, class T>
void add_two(int n, T a, const T* v, T b, const T* d, const T* w, const T* start, T* out) {
  for_each_guarded<Space>(n, [=] HODGE_LAMBDA(int i) {
    const T change = a * v[i] + b * d[i] * w[i];
    out[i] = start == nullptr ? change : start[i] + change;
  });
}
// coarse_I = the sum of d_i over the members of I, in the order of the rows.
template <class Space, class T>
void sum_members(int coarse_rows, const int* members, const int* starts, const T* d, T* coarse) {
  for_each_guarded<Space>(coarse_rows, [=] HODGE_LAMBDA(int I) {
    T sum = T(0);
    for (int k = starts[I]; k < starts[I + 1]; ++k) sum += d[members[k]];
    coarse[I] = sum;
  });
}
template <class Space, class T>
void add_aggregate_values(int rows, const int* aggregate, const T* coarse, T* z) {
  for_each_guarded<Space>(rows, [=] HODGE_LAMBDA(int i) { z[i] += coarse[aggregate[i]]; });
}

template <class Space, class T>
struct RowLevel {
  using Value = T;
  static constexpr bool once = false;
  static constexpr bool run_at_once() { return false; }
  static constexpr T jacobi_damping = static_cast<T>(0.8);

  RowLevel(const CsrMatrix<Space, T>* finest, const MultigridSettings& settings)
      : matrix(finest), smoother(smoother_of(settings)), omega(static_cast<T>(settings.omega)) {
    resize();
  }
  RowLevel(std::shared_ptr<const CsrPattern<Space>> pattern, Symmetry symmetry,
           const MultigridSettings& settings)
      : own(std::make_unique<CsrMatrix<Space, T>>(std::move(pattern), symmetry)),
        matrix(own.get()),
        smoother(smoother_of(settings)),
        omega(static_cast<T>(settings.omega)) {
    resize();
  }
  int rows() const { return matrix->rows(); }

  void take_diagonal() {
    const double factor = smoother == Smoother::ssor_sai ? static_cast<double>(omega) : 1.0;
    Space::invert_diagonal(matrix->view(), factor, d.data(), bad.data());
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
      copy_values<Space>(n, hat, z_out);
    } else {
      add_two<Space>(n, T(1), hat, T(0), hat, hat, start, z_out);
    }
  }
  void residual(const T* right_side, const T* x, T* out) {
    Space::spmv(in_use().view(), -1.0, x, 1.0, right_side, out);
  }
  void restrict_to(RowLevel& coarse, const T* v) {
    sum_members<Space>(coarse.rows(), members.data(), member_starts.data(), v, coarse.r.data());
  }
  void prolong_from(RowLevel& coarse, T* x) {
    add_aggregate_values<Space>(rows(), aggregate.data(), std::as_const(coarse.z).data(), x);
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
  SummationPlan<Space> plan;
  std::optional<Coarsest<Space, T>> coarsest;

 private:
  const CsrMatrix<Space, T>& in_use() const { return transposed ? *matrix_transposed : *matrix; }
  void resize() {
    const auto n = static_cast<std::size_t>(rows());
    for (auto* v : {&z, &r, &t, &s, &q, &d}) *v = Buffer<T, Space>(n);
    bad = Buffer<int, Space>(1);
  }
  void sweep(Triangle part, double factor, const T* x, T* y) {
    Space::sweep(in_use().view(), part, d.data(), x, x, factor, y);
  }
};

}  // namespace hodge::linalg::multigrid
