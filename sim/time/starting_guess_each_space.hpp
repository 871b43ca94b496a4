// The members of StartingGuess, compiled once for each space (linalg/space/this_space.hpp).
// The small dense parts are done by one thread where the vectors are.
#pragma once

#include <cmath>

#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {

namespace detail {

// A column whose part that is new, in the norm of its orthogonalisation, is below this is left out.
inline constexpr double negligible_part = 1e-10;

// *inverse = 1 / sqrt(after), 0 where the column has nothing new: after <= (1e-10)^2 before.
// *diagonal, where asked for, is what the column is to be divided by in R; 1 for one left out.
template <class Space>
void invert_length(const double* before, const double* after, double* inverse, double* diagonal) {
  linalg::for_each<Space>(1, [=] HODGE_LAMBDA(int) {
    const bool is_new = *after > negligible_part * negligible_part * *before;
    *inverse = is_new ? 1.0 / sqrt(*after) : 0.0;
    if (diagonal != nullptr) *diagonal = is_new ? sqrt(*after) : 1.0;
  });
}

// sum_i := sum_i + addend_i
template <class Space>
void add_small(int n, const double* addend, double* sum) {
  linalg::for_each<Space>(n, [=] HODGE_LAMBDA(int i) { sum[i] += addend[i]; });
}

// R c = g for n columns of leading dimension `ld`; c_j goes to out[(first - j) mod slots], and 0 to
// the other slots. g is overwritten.
struct SmallSystem {
  int n, ld, slots, first;
  const double* r;
  double *g, *out;
};

template <class Space>
void back_substitute(const SmallSystem& s) {
  linalg::for_each<Space>(1, [=] HODGE_LAMBDA(int) {
    for (int j = 0; j < s.slots; ++j) s.out[j] = 0.0;
    for (int j = s.n - 1; j >= 0; --j) {
      double sum = s.g[j];
      for (int i = j + 1; i < s.n; ++i) sum -= s.r[i * s.ld + j] * s.g[i];
      s.g[j] = sum / s.r[j * s.ld + j];
      s.out[(s.first - j + s.slots) % s.slots] = s.g[j];
    }
  });
}

}  // namespace detail

template <class Space>
StartingGuess<Space>::StartingGuess(const GuessPlan& plan, int rows)
    : plan_(plan), depth_(kept_solutions(plan)) {
  if (depth_ > 0) solutions_.resize(rows, depth_);
  times_.resize(static_cast<std::size_t>(depth_));
  if (!plan.asks_for(GuessKind::projected)) return;
  basis_.resize(rows, plan.vectors);
  if (plan.projection == Projection::energy) work_.resize(rows);
  const auto k = static_cast<std::size_t>(plan.vectors);
  small_ = linalg::Buffer<double, Space>((k + 2) * k + static_cast<std::size_t>(depth_));
}

template <class Space>
void StartingGuess<Space>::make(GuessKind kind, const Operator& a, const Vector& b,
                                const Moment& at, Vector& x) {
  const bool has_basis = plan_.projection == Projection::energy ? basis_size_ > 0 : recorded_ > 0;
  if (kind == GuessKind::projected && has_basis) {
    if (plan_.projection == Projection::energy) return project_energy(b, x);
    return project_residual(a, b, x);
  }
  const long levels = kind == GuessKind::extrapolated ? 2 : kind == GuessKind::previous ? 1 : 0;
  extrapolate(at, static_cast<int>(std::min(levels, recorded_)), x);
}

// Through the last `levels` solutions, 0 to 2.
template <class Space>
void StartingGuess<Space>::extrapolate(const Moment& at, int levels, Vector& x) {
  if (levels == 0) return x.fill(0.0);
  const Vector last = solutions_.column(newest(0));
  const double t1 = times_[newest(0)], t2 = levels == 2 ? times_[newest(1)] : t1;
  if (t1 == t2) {
    x = at.scale * last;
    return;
  }
  const double ahead = (at.time - t1) / (t1 - t2);
  const Vector before = solutions_.column(newest(1));
  x = (at.scale * (1.0 + ahead)) * last + (-at.scale * ahead) * before;
}

template <class Space>
void StartingGuess<Space>::project_energy(const Vector& b, Vector& x) {
  const int n = static_cast<int>(basis_size_);
  basis_.project(n, b, small_.data());
  basis_.combine(n, small_.data(), x);
}

template <class Space>
void StartingGuess<Space>::project_residual(const Operator& a, const Vector& b, Vector& x) {
  const int k = plan_.vectors, n = std::min(static_cast<int>(recorded_), k);
  double* const r = small_.data();
  double* const g = r + k * k;
  double* const correction = g + k;
  double* const c = correction + k;
  linalg::Scalar<Space> inverse;
  for (int j = 0; j < n; ++j) {
    Vector q = basis_.column(j);
    double* const column = r + j * k;
    linalg::multiply(a, solutions_.column(newest(j)), q);
    const auto before = linalg::dot(q, q);
    if (j > 0) {
      basis_.project(j, q, column);
      basis_.subtract(j, column, q);
      basis_.project(j, q, correction);
      basis_.subtract(j, correction, q);
      detail::add_small<Space>(j, correction, column);
    }
    const auto after = linalg::dot(q, q);
    detail::invert_length<Space>(before.data(), after.data(), inverse.data(), column + j);
    q = inverse * q;
  }
  basis_.project(n, b, g);
  detail::back_substitute<Space>({n, k, depth_, static_cast<int>(last_), r, g, c});
  solutions_.combine(depth_, c, x);
}

template <class Space>
void StartingGuess<Space>::record(const Operator& a, const Vector& x, const Moment& at) {
  if (depth_ > 0) {
    const bool again = recorded_ > 0 && at.time <= times_[newest(0)];
    if (!again) {
      last_ = (last_ + 1) % depth_;
      recorded_ = std::min<long>(recorded_ + 1, depth_);
    }
    Vector column = solutions_.column(static_cast<int>(last_));
    column = (1.0 / at.scale) * x;
    times_[static_cast<std::size_t>(last_)] = at.time;
  }
  if (plan_.asks_for(GuessKind::projected) && plan_.projection == Projection::energy)
    extend_basis(a, x);
}

// v = x - sum (v_i . A x) v_i, twice, by its A-norm.
template <class Space>
void StartingGuess<Space>::extend_basis(const Operator& a, const Vector& x) {
  if (basis_size_ == plan_.vectors) basis_size_ = 0;
  const int n = static_cast<int>(basis_size_);
  double* const h = small_.data();
  linalg::Scalar<Space> inverse;
  Vector v = basis_.column(n);
  v = x;
  linalg::multiply(a, v, work_);
  const auto before = linalg::dot(v, work_);
  if (n > 0) {
    basis_.project(n, work_, h);
    basis_.subtract(n, h, v);
    linalg::multiply(a, v, work_);
  }
  const auto after = linalg::dot(v, work_);
  if (n > 0) {
    basis_.project(n, work_, h);
    basis_.subtract(n, h, v);
  }
  detail::invert_length<Space>(before.data(), after.data(), inverse.data(), nullptr);
  v = inverse * v;
  ++basis_size_;
}

template class StartingGuess<linalg::ThisSpace>;

}  // namespace hodge::sim
