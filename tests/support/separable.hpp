// Separable systems for tests, and their matrices.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "linalg/matrices/separable_system.hpp"
#include "tests/support/matrices.hpp"

namespace hodge::tests {

// The cells of an axis with these edges. An end is open where a value is given half a cell beyond.
inline linalg::SeparableAxis axis_of(const std::vector<double>& edges, bool periodic,
                                     bool open_below = false, bool open_above = false) {
  linalg::SeparableAxis axis;
  axis.periodic = periodic;
  const int n = static_cast<int>(edges.size()) - 1;
  for (int i = 0; i < n; ++i) axis.weights.push_back(edges[i + 1] - edges[i]);
  const auto& w = axis.weights;
  for (int i = 0; i <= n; ++i) {
    const bool at_end = i == 0 || i == n;
    const double distance = 0.5 * (w[(i + n - 1) % n] + w[i % n]);
    double k = 1 / distance;
    if (at_end && !periodic) k = (i == 0 ? open_below : open_above) ? 2 / w[i == 0 ? 0 : n - 1] : 0;
    axis.couplings.push_back(k);
  }
  return axis;
}

inline std::vector<double> uniform_edges(int n, double width) {
  std::vector<double> edges;
  for (int i = 0; i <= n; ++i) edges.push_back(i * width);
  return edges;
}

// Cells that widen from the lower end on, off the origin.
inline std::vector<double> stretched_edges(int n, double lower, double length, double power) {
  std::vector<double> edges;
  for (int i = 0; i <= n; ++i)
    edges.push_back(lower + length * std::pow(static_cast<double>(i) / n, power));
  return edges;
}

inline linalg::SeparableAxis uniform_axis(int n, double width, bool periodic,
                                          bool open_below = false, bool open_above = false) {
  linalg::SeparableAxis axis = axis_of(uniform_edges(n, 1.0), periodic, open_below, open_above);
  for (double& w : axis.weights) w *= width;
  for (double& k : axis.couplings) k /= width;
  return axis;
}

// Equal cells, of another width along each axis.
inline linalg::SeparableSystem periodic_box(const std::vector<int>& points) {
  linalg::SeparableSystem system;
  for (std::size_t d = 0; d < points.size(); ++d) {
    const double length = 1.0 + 0.4 * static_cast<double>(d);
    system.axes.push_back(uniform_axis(points[d], length / points[d], true));
  }
  return system;
}

// The matrix of the system, by the formula at its head.
inline HostMatrix matrix_of(const linalg::SeparableSystem& system) {
  std::array<int, 3> n{1, 1, 1};
  for (std::size_t d = 0; d < system.axes.size(); ++d) n[d] = system.axes[d].points();
  const int stride[3] = {1, n[0], n[0] * n[1]}, rows = n[0] * n[1] * n[2];
  Entries entries;
  for (int p = 0; p < rows; ++p) {
    double volume = 1;
    for (std::size_t e = 0; e < system.axes.size(); ++e)
      volume *= system.axes[e].weights[p / stride[e] % n[e]];
    entries[{p, p}] += system.shift * volume;
    for (std::size_t d = 0; d < system.axes.size(); ++d) {
      const linalg::SeparableAxis& axis = system.axes[d];
      double others = 1;
      for (std::size_t e = 0; e < system.axes.size(); ++e)
        if (e != d) others *= system.axes[e].weights[p / stride[e] % n[e]];
      const int i = p / stride[d] % n[d];
      for (const int side : {0, 1}) {
        const double k = system.factor * others * axis.couplings[i + side];
        const int there = i + 2 * side - 1;
        entries[{p, p}] += k;
        if (axis.periodic || (there >= 0 && there < n[d]))
          entries[{p, p + ((there + n[d]) % n[d] - i) * stride[d]}] -= k;
      }
    }
  }
  return from_entries(rows, rows, entries);
}

// The largest difference of two square matrices over the largest entry of the first.
inline double largest_difference(const std::vector<std::vector<double>>& a, const HostMatrix& b) {
  if (a.size() != static_cast<std::size_t>(b.rows)) return 1;
  auto difference = a;
  double largest = 0, worst = 0;
  for (const auto& row : a)
    for (const double value : row) largest = std::max(largest, std::abs(value));
  for (int i = 0; i < b.rows; ++i)
    for (int k = b.row_offsets[i]; k < b.row_offsets[i + 1]; ++k)
      difference[i][b.columns[k]] -= b.values[k];
  for (const auto& row : difference)
    for (const double value : row) worst = std::max(worst, std::abs(value));
  return worst / largest;
}

}  // namespace hodge::tests
