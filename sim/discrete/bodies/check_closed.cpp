#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {
namespace {

using Edge = std::pair<int, int>;  // the smaller position first

std::vector<Edge> sorted_edges(const Surface& surface) {
  std::vector<Edge> edges;
  edges.reserve(3 * surface.triangles.size());
  for (const auto& corners : surface.triangles)
    for (int e = 0; e < 3; ++e) edges.push_back(std::minmax(corners[e], corners[(e + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::string text(const Point& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

}  // namespace

void check_closed(const Surface& surface, const std::string& name) {
  const std::vector<Edge> edges = sorted_edges(surface);
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto next = std::upper_bound(edge, edges.end(), *edge);
    if (const auto triangles = next - edge; triangles != 2)
      throw ConfigError(fmt::format(
          "{}: the surface is not closed: the edge from {} to {} belongs to {} triangle{}; every "
          "edge must belong to 2",
          name, text(surface.points[edge->first]), text(surface.points[edge->second]), triangles,
          triangles == 1 ? "" : "s"));
    edge = next;
  }
}

}  // namespace hodge::sim
