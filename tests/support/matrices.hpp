// Small and model matrices for the tests of linalg, built on the host.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "linalg/matrices/csr.hpp"

namespace hodge::tests {

struct HostMatrix {
  int rows = 0, cols = 0;
  std::vector<int> row_offsets, columns;
  std::vector<double> values;

  std::vector<double> multiply(const std::vector<double>& x) const {
    std::vector<double> y(static_cast<std::size_t>(rows));
    for (int i = 0; i < rows; ++i) {
      long double sum = 0;
      for (int k = row_offsets[i]; k < row_offsets[i + 1]; ++k)
        sum += static_cast<long double>(values[k]) * x[columns[k]];
      y[i] = static_cast<double>(sum);
    }
    return y;
  }

  template <class Space, class T = double>
  std::unique_ptr<linalg::CsrMatrix<Space, T>> in(
      linalg::Symmetry symmetry = linalg::Symmetry::unknown) const {
    auto pattern = std::make_shared<linalg::CsrPattern<Space>>(
        rows, cols, std::span<const int>(row_offsets), std::span<const int>(columns));
    auto matrix = std::make_unique<linalg::CsrMatrix<Space, T>>(std::move(pattern), symmetry);
    matrix->values().upload(std::vector<T>(values.begin(), values.end()));
    return matrix;
  }
};

using Entries = std::map<std::pair<int, int>, double>;

inline HostMatrix from_entries(int rows, int cols, const Entries& entries) {
  HostMatrix m{rows, cols, {0}, {}, {}};
  auto entry = entries.begin();
  for (int i = 0; i < rows; ++i) {
    for (; entry != entries.end() && entry->first.first == i; ++entry) {
      m.columns.push_back(entry->first.second);
      m.values.push_back(entry->second);
    }
    m.row_offsets.push_back(static_cast<int>(m.columns.size()));
  }
  return m;
}

inline HostMatrix from_dense(const std::vector<std::vector<double>>& a) {
  Entries entries;
  for (int i = 0; i < static_cast<int>(a.size()); ++i) {
    for (int j = 0; j < static_cast<int>(a[i].size()); ++j) {
      if (a[i][j] != 0) entries[{i, j}] = a[i][j];
    }
  }
  return from_entries(static_cast<int>(a.size()), static_cast<int>(a[0].size()), entries);
}

// One side of a cell: coefficient of the neighbour at +-1 along axis d; walls are Dirichlet or
// Neumann.
struct Stencil {
  std::array<double, 3> lower{-1, -1, -1}, upper{-1, -1, -1};
  double shift = 0;      // added to the diagonal
  bool neumann = false;  // a missing neighbour takes its weight from the diagonal too
};

// diagonal = -(sum of the neighbours' coefficients) + shift on an nx x ny x nz box.
inline HostMatrix stencil_matrix(std::array<int, 3> n, const Stencil& s) {
  Entries entries;
  const int stride[3] = {1, n[0], n[0] * n[1]};
  for (int row = 0; row < n[0] * n[1] * n[2]; ++row) {
    const int c[3] = {row % n[0], row / n[0] % n[1], row / (n[0] * n[1])};
    double diagonal = s.shift;
    for (int d = 0; d < 3; ++d) {
      if (n[d] == 1) continue;
      const auto add = [&](bool inside, int column, double value) {
        if (inside) entries[{row, column}] += value;
        if (inside || !s.neumann) diagonal -= value;
      };
      add(c[d] > 0, row - stride[d], s.lower[d]);
      add(c[d] + 1 < n[d], row + stride[d], s.upper[d]);
    }
    entries[{row, row}] += diagonal;
  }
  return from_entries(n[0] * n[1] * n[2], n[0] * n[1] * n[2], entries);
}

inline HostMatrix poisson(std::array<int, 3> n, bool neumann = false) {
  Stencil s;
  s.neumann = neumann;
  return stencil_matrix(n, s);
}

// Upwind convection at cell Peclet number `peclet` (u h / nu, along all axes) plus diffusion.
inline HostMatrix convection_diffusion(std::array<int, 3> n, double peclet) {
  Stencil s;
  for (int d = 0; d < 3; ++d) s.lower[d] = -1.0 - peclet;
  return stencil_matrix(n, s);
}

// Central convection, as a time step of `cfl` sees it: the diagonal carries 1/dt.
inline HostMatrix central_time_step(std::array<int, 3> n, double peclet, double cfl) {
  Stencil s;
  for (int d = 0; d < 3; ++d) {
    s.lower[d] = -1.0 - 0.5 * peclet;
    s.upper[d] = -1.0 + 0.5 * peclet;
  }
  s.shift = peclet / cfl;
  return stencil_matrix(n, s);
}

inline std::vector<double> random_values(int n, unsigned seed = 0) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> v(static_cast<std::size_t>(n));
  for (double& value : v) value = normal(generator);
  return v;
}

inline double norm2(const std::vector<double>& v) {
  long double sum = 0;
  for (const double value : v) sum += static_cast<long double>(value) * value;
  return std::sqrt(static_cast<double>(sum));
}

inline double mean(const std::vector<double>& v) {
  long double sum = 0;
  for (const double value : v) sum += value;
  return static_cast<double>(sum / static_cast<long double>(v.size()));
}

// ||b - A x||, both without their means where `constant_null_space`.
inline double residual_norm(const HostMatrix& a, const std::vector<double>& b,
                            const std::vector<double>& x, bool constant_null_space = false) {
  std::vector<double> r = a.multiply(x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  const double m = constant_null_space ? mean(r) : 0.0;
  for (double& value : r) value -= m;
  return norm2(r);
}

}  // namespace hodge::tests
