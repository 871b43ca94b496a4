#include "tools/hodge/bench/dense_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/hodge/bench/build_rows.hpp"

namespace hodge::tools::bench {

DenseSystem::DenseSystem(int n) : a(n, n), b(static_cast<std::size_t>(n)) {
  double* const entries = a.data();
#pragma omp parallel for schedule(static)
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(j) * n + i;
      entries[k] = 2 * random_unit(1, k) - 1;
    }
  }
  for (int i = 0; i < n; ++i) b[i] = 2 * random_unit(2, static_cast<std::uint64_t>(i)) - 1;
}

double scaled_residual(const DenseSystem& system, const std::vector<double>& x) {
  const int n = system.a.rows();
  std::vector<double> r = system.b, row_sums(r.size());
  const double* a = system.a.data();
  for (int j = 0; j < n; ++j, a += n) {
    for (int i = 0; i < n; ++i) {
      r[i] -= a[i] * x[j];
      row_sums[i] += std::abs(a[i]);
    }
  }
  const auto largest = [](const std::vector<double>& v) {
    double most = 0;
    for (const double value : v) most = std::max(most, std::abs(value));
    return most;
  };
  return largest(r) / (largest(row_sums) * largest(x) * n * std::numeric_limits<double>::epsilon());
}

}  // namespace hodge::tools::bench
