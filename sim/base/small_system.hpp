// Linear systems of a few unknowns, on the host.
#pragma once

#include <array>
#include <cstddef>

namespace hodge::sim {

// Solves a x = b of a symmetric positive definite matrix by elimination.
template <std::size_t N>
std::array<double, N> solve_small(std::array<std::array<double, N>, N> a, std::array<double, N> b) {
  for (std::size_t k = 0; k < N; ++k)
    for (std::size_t i = k + 1; i < N; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < N; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  std::array<double, N> x{};
  for (std::size_t k = N; k-- > 0;) {
    x[k] = b[k];
    for (std::size_t j = k + 1; j < N; ++j) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return x;
}

}  // namespace hodge::sim
