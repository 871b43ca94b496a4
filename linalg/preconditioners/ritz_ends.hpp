// The ends of the spectrum of M^-1 A, from the scalars of a few steps of cg.
//
// With r.z and p.Ap of each step, cg gives the tridiagonal matrix T of the Lanczos process in M's
// inner product (G. H. Golub & C. F. Van Loan, Matrix Computations, 10.3). The eigenvalues of T are
// the Ritz values. An eigenvalue of M^-1 A lies within |t s| of a Ritz value, t being the next
// entry beside T's diagonal and s the last entry of T's eigenvector, of length 1. And how fast the
// error and the residual fall. On the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace hodge::linalg {

struct RitzEnds {
  bool definite = false;  // no step has seen r.z < 0 or p.Ap <= 0; otherwise the rest is unset
  double least = 0, least_error = 0, largest = 0;
};

namespace detail {

struct Tridiagonal {
  std::vector<double> diagonal, beside;  // beside[j] couples j and j + 1

  // Eigenvalues below x: the negative pivots of T - x.
  int below(double x) const {
    int count = 0;
    double pivot = 1;
    for (std::size_t j = 0; j < diagonal.size(); ++j) {
      pivot = diagonal[j] - x - (j > 0 ? beside[j - 1] * beside[j - 1] / pivot : 0.0);
      if (pivot == 0) pivot = std::numeric_limits<double>::min();
      if (pivot < 0) ++count;
    }
    return count;
  }

  // Eigenvalue k in ascending order, by bisection.
  double eigenvalue(int k) const {
    double lower = 0, upper = 0;
    for (std::size_t j = 0; j < diagonal.size(); ++j) {
      const double radius = (j > 0 ? beside[j - 1] : 0) + beside[j];
      lower = std::min(lower, diagonal[j] - radius);
      upper = std::max(upper, diagonal[j] + radius);
    }
    for (int halving = 0; halving < 100; ++halving) {
      const double middle = 0.5 * (lower + upper);
      if (middle == lower || middle == upper) break;
      (below(middle) > k ? upper : lower) = middle;
    }
    return 0.5 * (lower + upper);
  }

  // |t s| of the eigenvalue x.
  double error(double x) const {
    double before = 0, entry = 1, square = 1;
    const std::size_t n = diagonal.size();
    for (std::size_t j = 0; j + 1 < n; ++j) {
      const double next =
          ((x - diagonal[j]) * entry - (j > 0 ? beside[j - 1] * before : 0.0)) / beside[j];
      before = entry;
      entry = next;
      square += entry * entry;
    }
    return beside[n - 1] * std::abs(entry) / std::sqrt(square);
  }
};

}  // namespace detail

// rz: r.z before each step and after the last one; pq: p.Ap of each step. Steps count until r.z has
// fallen to `negligible` times its first value.
inline RitzEnds ritz_ends(std::span<const double> rz, std::span<const double> pq,
                          double negligible) {
  detail::Tridiagonal t;
  for (std::size_t j = 0; j < pq.size(); ++j) {
    if (!(rz[0] > 0) || rz[j] < -negligible * rz[0]) return {};
    if (!(rz[j] > negligible * rz[0])) break;
    if (!(pq[j] > 0)) return {};
    const double inverse_step = pq[j] / rz[j];
    const double carried = j > 0 ? pq[j - 1] * rz[j] / (rz[j - 1] * rz[j - 1]) : 0.0;
    t.diagonal.push_back(inverse_step + carried);
    t.beside.push_back(std::sqrt(std::max(rz[j + 1], 0.0) / rz[j]) * inverse_step);
  }
  if (t.diagonal.empty()) return {};
  const double least = t.eigenvalue(0);
  return {true, least, t.error(least), t.eigenvalue(static_cast<int>(t.diagonal.size()) - 1)};
}

// The mean of -log(e_after / e_before) over the steps, e = error . A error, of which each step
// takes (r.z)^2 / p.Ap. `energy` is e before the first step. Steps count until e has fallen to
// `negligible` times that.
inline double energy_rate(double energy, std::span<const double> rz, std::span<const double> pq,
                          double negligible) {
  double left = energy;
  for (std::size_t j = 0; j < pq.size(); ++j) {
    if (pq[j] > 0) left -= rz[j] * rz[j] / pq[j];
    const auto steps = static_cast<double>(j + 1);
    if (left <= negligible * energy) return -std::log(negligible) / steps;
    if (j + 1 == pq.size()) return -std::log(left / energy) / steps;
  }
  return 0;
}

// The steps until log_norms has fallen from its first value by `first` (< 0), by `last`, and by
// values between them, in the mean; infinity where it has not. Steps count in parts.
inline double mean_steps(std::span<const double> log_norms, double first, double last) {
  constexpr int tolerances = 9;
  double sum = 0;
  std::size_t j = 0;
  for (int i = 0; i < tolerances; ++i) {
    const double goal = log_norms[0] + first + (last - first) * i / (tolerances - 1);
    while (j < log_norms.size() && !(log_norms[j] <= goal)) ++j;
    if (j == log_norms.size()) return std::numeric_limits<double>::infinity();
    const double before = j > 0 ? log_norms[j - 1] : log_norms[0];
    const double part = std::isfinite(log_norms[j]) && before > log_norms[j]
                            ? (before - goal) / (before - log_norms[j])
                            : 1.0;
    sum += static_cast<double>(j) - 1 + part;
  }
  return sum / tolerances;
}

}  // namespace hodge::linalg
