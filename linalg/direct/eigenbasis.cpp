#include "linalg/direct/eigenbasis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/host/blas.hpp"

namespace hodge::linalg {

namespace {

// sin(pi p / q), q > 0, exact in its argument.
double sin_of_pi(long long p, long long q) {
  p %= 2 * q;
  return std::sin(std::numbers::pi * static_cast<double>(p) / static_cast<double>(q));
}
double cos_of_pi(long long p, long long q) {
  return sin_of_pi(2 * (p % (2 * q)) + q, 2 * q);
}

// Vector k of a uniform axis at point i, without its norm, and its frequency in lambda = 4 k/w
// sin^2(pi frequency / 2 n).
struct Wave {
  AxisEnds ends;
  long long n;

  bool is_sine(long long k) const {
    return ends == AxisEnds::periodic ? 2 * k > n
                                      : ends == AxisEnds::half || ends == AxisEnds::half_closed;
  }
  // Twice the frequency.
  long long doubled(long long k) const {
    switch (ends) {
      case AxisEnds::periodic:
        return 4 * (2 * k > n ? n - k : k);
      case AxisEnds::closed:
        return 2 * k;
      case AxisEnds::half:
        return 2 * (k + 1);
      default:
        return 2 * k + 1;
    }
  }
  double at(long long i, long long k) const {
    const long long place = ends == AxisEnds::periodic ? 2 * i : 2 * i + 1;
    const long long p = place * doubled(k), q = 4 * n;
    return is_sine(k) ? sin_of_pi(p, q) : cos_of_pi(p, q);
  }
  // Whether the squares of the vector add up to n, and not to n / 2.
  bool is_full(long long k) const {
    const long long twice = doubled(k);
    return twice == 0 ||
           (ends == AxisEnds::periodic || ends == AxisEnds::half ? twice == 2 * n : false);
  }
};

Eigenbasis uniform_basis(const SeparableAxis& axis) {
  const int n = axis.points();
  Eigenbasis basis{uniform_eigenvalues(axis), {}};
  basis.vectors.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const Wave wave{axis.ends(), n};
  const double length = n * axis.weights[0];
#pragma omp parallel for schedule(static) if (n > 64)
  for (int k = 0; k < n; ++k) {
    const double norm = std::sqrt((wave.is_full(k) ? 1.0 : 2.0) / length);
    double* const column = basis.vectors.data() + static_cast<std::ptrdiff_t>(k) * n;
    for (int i = 0; i < n; ++i) column[i] = norm * wave.at(i, k);
  }
  return basis;
}

// W^-1/2 T W^-1/2: the diagonal, and what lies beside it; entry n - 1 is the corner.
struct Scaled {
  std::vector<double> diagonal, beside;
};

Scaled scaled(const SeparableAxis& axis) {
  const auto n = axis.weights.size();
  Scaled s{std::vector<double>(n), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    s.diagonal[i] = (axis.couplings[i] + axis.couplings[i + 1]) / axis.weights[i];
    if (i + 1 < n || axis.periodic)
      s.beside[i] = -axis.couplings[i + 1] / std::sqrt(axis.weights[i] * axis.weights[(i + 1) % n]);
  }
  return s;
}

std::vector<double> dense(const Scaled& s, bool periodic) {
  const auto n = s.diagonal.size();
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) a[i + i * n] = s.diagonal[i];
  for (std::size_t i = 0; i + (periodic ? 0 : 1) < n; ++i) {
    const std::size_t next = (i + 1) % n;
    if (next == i) {
      a[i + i * n] += 2 * s.beside[i];
      continue;
    }
    a[i + next * n] += s.beside[i];
    a[next + i * n] += s.beside[i];
  }
  return a;
}

#if HODGE_HAS_BLAS
bool has_lapack() {
  return dsyevd_ != nullptr && dstevd_ != nullptr;
}

// First with sizes of -1, which ask for the work space.
template <class Call>
void call_lapack(const char* name, const Call& call) {
  double best = 0;
  int best_whole = 0, ask = -1, info = 0;
  call(&best, &ask, &best_whole, &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(std::max(1.0, best)));
  std::vector<int> whole(static_cast<std::size_t>(std::max(1, best_whole)));
  const int size = static_cast<int>(work.size()), whole_size = static_cast<int>(whole.size());
  call(work.data(), &size, whole.data(), &whole_size, &info);
  if (info != 0)
    throw NumericalError(std::string("the eigenvalues of an axis: ") + name + " ends with " +
                         std::to_string(info));
}

Eigenbasis by_lapack(const Scaled& s, bool periodic) {
  const host::BlasCall one_thread;
  const auto size = s.diagonal.size();
  const int n = static_cast<int>(size);
  Eigenbasis basis{s.diagonal, {}};
  if (periodic) {
    basis.vectors = dense(s, true);
    call_lapack("dsyevd",
                [&](double* work, const int* lwork, int* whole, const int* lwhole, int* info) {
                  dsyevd_("V", "L", &n, basis.vectors.data(), &n, basis.values.data(), work, lwork,
                          whole, lwhole, info);
                });
  } else {
    basis.vectors.resize(size * size);
    std::vector<double> beside = s.beside;
    call_lapack("dstevd",
                [&](double* work, const int* lwork, int* whole, const int* lwhole, int* info) {
                  dstevd_("V", &n, basis.values.data(), beside.data(), basis.vectors.data(), &n,
                          work, lwork, whole, lwhole, info);
                });
  }
  return basis;
}
#else
bool has_lapack() {
  return false;
}
Eigenbasis by_lapack(const Scaled&, bool) {
  return {};
}
#endif

// Rotates rows and columns p and q of `a`, and columns of `v`, so that a(p, q) = 0.
void rotate(std::size_t n, std::size_t p, std::size_t q, std::vector<double>& a,
            std::vector<double>& v) {
  const double apq = a[p + q * n];
  if (apq == 0) return;
  const double theta = (a[q + q * n] - a[p + p * n]) / (2 * apq);
  const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1 / std::hypot(t, 1.0), s = t * c;
  const auto mix = [&](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (std::size_t i = 0; i < n; ++i) mix(a[i + p * n], a[i + q * n]);
  for (std::size_t i = 0; i < n; ++i) mix(a[p + i * n], a[q + i * n]);
  for (std::size_t i = 0; i < n; ++i) mix(v[i + p * n], v[i + q * n]);
  a[p + q * n] = a[q + p * n] = 0;
}

// Where the tridiagonal matrix falls apart at or after row `first`: the last row of its first part.
std::size_t end_of_part(const std::vector<double>& d, const std::vector<double>& e,
                        std::size_t first) {
  std::size_t last = first;
  for (; last + 1 < d.size(); ++last) {
    const double size = std::abs(d[last]) + std::abs(d[last + 1]);
    if (std::abs(e[last]) + size == size) break;
  }
  return last;
}

// One implicit QL step with Wilkinson's shift on rows first .. last.
void ql_step(std::size_t first, std::size_t last, std::vector<double>& d, std::vector<double>& e,
             std::vector<double>& v) {
  const std::size_t n = d.size();
  double g = (d[first + 1] - d[first]) / (2 * e[first]), r = std::hypot(g, 1.0);
  g = d[last] - d[first] + e[first] / (g + std::copysign(r, g));
  double s = 1, c = 1, p = 0;
  for (std::size_t i = last; i-- > first;) {
    const double f = s * e[i], b = c * e[i];
    e[i + 1] = r = std::hypot(f, g);
    if (r == 0) {
      d[i + 1] -= p;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    double *const lower = v.data() + i * n, *const upper = lower + n;
    for (std::size_t k = 0; k < n; ++k) {
      const double old = upper[k];
      upper[k] = s * lower[k] + c * old;
      lower[k] = c * lower[k] - s * old;
    }
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0;
}

std::vector<double> identity(std::size_t n) {
  std::vector<double> v(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) v[i + i * n] = 1;
  return v;
}

// By ascending values.
Eigenbasis sorted(const std::vector<double>& values, const std::vector<double>& vectors) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  Eigenbasis basis{std::vector<double>(n), std::vector<double>(n * n)};
  for (std::size_t k = 0; k < n; ++k) {
    basis.values[k] = values[order[k]];
    std::copy_n(vectors.begin() + static_cast<std::ptrdiff_t>(order[k] * n), n,
                basis.vectors.begin() + static_cast<std::ptrdiff_t>(k * n));
  }
  return basis;
}

}  // namespace

Eigenbasis ql_eigenbasis(std::vector<double> d, std::vector<double> e) {
  constexpr int most_steps = 60;
  std::vector<double> v = identity(d.size());
  e.resize(d.size());
  e.back() = 0;
  for (std::size_t first = 0; first < d.size(); ++first)
    for (int step = 0;; ++step) {
      const std::size_t last = end_of_part(d, e, first);
      if (last == first) break;
      if (step == most_steps)
        throw NumericalError("the eigenvalues of an axis: no convergence at value " +
                             std::to_string(first));
      ql_step(first, last, d, e, v);
    }
  return sorted(d, v);
}

// Cyclic sweeps (C. G. J. Jacobi, 1846), until what lies beside the diagonal is below rounding.
Eigenbasis jacobi_eigenbasis(int points, std::vector<double> a) {
  const auto n = static_cast<std::size_t>(points);
  std::vector<double> v = identity(n);
  const double all = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  constexpr int most_sweeps = 60;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double beside = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) beside += a[p + q * n] * a[p + q * n];
    if (beside <= 1e-34 * all) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) rotate(n, p, q, a, v);
  }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = a[i + i * n];
  return sorted(values, v);
}

std::vector<double> uniform_eigenvalues(const SeparableAxis& axis) {
  const int n = axis.points();
  const Wave wave{axis.ends(), n};
  const double coupling = axis.periodic || n > 1 ? axis.couplings[axis.periodic ? 0 : 1] : 0;
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    const double s = sin_of_pi(wave.doubled(k), 4LL * n);
    values[static_cast<std::size_t>(k)] = 4 * coupling / axis.weights[0] * s * s;
  }
  return values;
}

Eigenbasis eigenbasis(const SeparableAxis& axis) {
  if (axis.is_uniform()) return uniform_basis(axis);
  const Scaled s = scaled(axis);
  Eigenbasis basis = has_lapack()    ? by_lapack(s, axis.periodic)
                     : axis.periodic ? jacobi_eigenbasis(axis.points(), dense(s, true))
                                     : ql_eigenbasis(s.diagonal, s.beside);
  const auto n = axis.weights.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) basis.vectors[i + k * n] /= std::sqrt(axis.weights[i]);
  if (axis.is_singular()) {
    const double length = std::accumulate(axis.weights.begin(), axis.weights.end(), 0.0);
    basis.values[0] = 0;
    std::fill_n(basis.vectors.begin(), n, 1 / std::sqrt(length));
  }
  return basis;
}

}  // namespace hodge::linalg
