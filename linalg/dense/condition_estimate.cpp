#include "linalg/dense/condition_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace hodge::linalg {

namespace {

double norm_1(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

std::vector<double> signs(const std::vector<double>& x) {
  std::vector<double> s(x.size());
  std::transform(x.begin(), x.end(), s.begin(), [](double v) { return v >= 0.0 ? 1.0 : -1.0; });
  return s;
}

std::size_t largest(const std::vector<double>& x) {
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(x.begin(), x.end(), smaller) - x.begin());
}

// From a vector whose entries alternate in sign and grow, for matrices on which the climb fails.
double estimate_from_alternating_vector(int n, const InverseProduct& solve) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + i / (n - 1.0));
  solve(SolveWith::matrix, x);
  return 2.0 * norm_1(x) / (3.0 * n);
}

}  // namespace

double estimate_inverse_norm(int n, const InverseProduct& solve) {
  if (n == 0) return 0.0;
  constexpr int most_steps = 5;
  std::vector<double> x(static_cast<std::size_t>(n), 1.0 / n);
  solve(SolveWith::matrix, x);
  double estimate = norm_1(x);
  if (n == 1 || !std::isfinite(estimate)) return estimate;
  std::vector<double> sign = signs(x);
  std::size_t peak = x.size();
  for (int step = 1; step < most_steps; ++step) {
    std::vector<double> gradient = sign;
    solve(SolveWith::transpose, gradient);
    const std::size_t next = largest(gradient);
    if (peak < x.size() && std::abs(gradient[next]) <= std::abs(gradient[peak])) break;
    peak = next;
    std::fill(x.begin(), x.end(), 0.0);
    x[peak] = 1.0;
    solve(SolveWith::matrix, x);
    const double value = norm_1(x);
    if (!std::isfinite(value)) return value;
    const std::vector<double> new_sign = signs(x);
    const bool repeats = new_sign == sign || value <= estimate;
    estimate = std::max(estimate, value);
    if (repeats) break;
    sign = new_sign;
  }
  return std::max(estimate, estimate_from_alternating_vector(n, solve));
}

}  // namespace hodge::linalg
