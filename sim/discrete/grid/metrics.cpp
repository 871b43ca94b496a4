#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {
namespace {

// The cell whose width cell i has: itself inside the box, its image beyond a side.
int image(int i, int n, bool periodic) {
  if (periodic) return ((i % n) + n) % n;
  const int mirrored = i < 0 ? -1 - i : (i >= n ? 2 * n - 1 - i : i);
  return std::clamp(mirrored, 0, n - 1);
}

}  // namespace

AxisMetrics axis_metrics(const Axis& axis, bool periodic) {
  const int n = axis.cells();
  AxisMetrics metrics;
  for (int i = -ghost_width; i < n + ghost_width; ++i)
    metrics.widths.push_back(axis.widths[image(i, n, periodic)]);
  for (std::size_t i = 1; i < metrics.widths.size(); ++i)
    metrics.distances.push_back(0.5 * (metrics.widths[i - 1] + metrics.widths[i]));
  metrics.edges = axis.edges;
  for (int k = 1; k <= ghost_width; ++k) {
    metrics.edges.insert(metrics.edges.begin(),
                         metrics.edges.front() - metrics.widths[ghost_width - k]);
    metrics.edges.push_back(metrics.edges.back() + metrics.widths[n + ghost_width - 1 + k]);
  }
  return metrics;
}

}  // namespace hodge::sim
