#include "sim/grid/metrics.hpp"

namespace hodge::sim {

AxisMetrics axis_metrics(const Axis& axis, bool periodic) {
  const std::vector<double>& h = axis.widths;
  const double below = periodic ? h.back() : h.front();
  const double above = periodic ? h.front() : h.back();
  AxisMetrics metrics;
  metrics.widths.push_back(below);
  metrics.widths.insert(metrics.widths.end(), h.begin(), h.end());
  metrics.widths.push_back(above);
  for (std::size_t face = 0; face <= h.size(); ++face)
    metrics.distances.push_back(0.5 * (metrics.widths[face] + metrics.widths[face + 1]));
  return metrics;
}

}  // namespace hodge::sim
