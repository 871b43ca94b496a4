#include "sim/discrete/grid/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

#include "linalg/vectors/parallel.hpp"

namespace hodge::sim {
namespace {

using Line = std::span<double>;
using ConstLine = std::span<const double>;

// The old cells along an axis, and where in them the values lie.
struct OldCells {
  const std::vector<double>& edges;
  std::vector<double> points;
  bool at_centres;

  // From a value to the sides of its cell.
  double reach_below(std::size_t j) const {
    return at_centres ? 0.5 * (edges[j + 1] - edges[j]) : points[j] - edges[j];
  }
  double reach_above(std::size_t j) const {
    return at_centres ? 0.5 * (edges[j + 1] - edges[j]) : edges[j + 1] - points[j];
  }
};

OldCells old_cells(const std::vector<double>& edges, const std::vector<double>& points) {
  OldCells cells{edges, points, points.empty()};
  for (std::size_t i = 0; cells.at_centres && i + 1 < edges.size(); ++i)
    cells.points.push_back(0.5 * (edges[i] + edges[i + 1]));
  return cells;
}

double smallest_of(double a, double b, double c) {
  if (a > 0 && b > 0 && c > 0) return std::min({a, b, c});
  if (a < 0 && b < 0 && c < 0) return std::max({a, b, c});
  return 0.0;
}

// Within each cell of a line.
std::vector<double> slopes_of(ConstLine values, const OldCells& cells, bool bounded) {
  const std::size_t n = values.size();
  std::vector<double> slopes(n, 0.0);
  if (n < 2) return slopes;
  for (std::size_t j = bounded ? 1 : 0; j < (bounded ? n - 1 : n); ++j) {
    const std::size_t below = j == 0 ? 0 : j - 1, above = std::min(j + 1, n - 1);
    const double slope =
        (values[above] - values[below]) / (cells.points[above] - cells.points[below]);
    slopes[j] = bounded ? smallest_of((values[j] - values[below]) / cells.reach_below(j), slope,
                                      (values[above] - values[j]) / cells.reach_above(j))
                        : slope;
  }
  return slopes;
}

// Where the line is cut into pieces of which each lies in one interval of `edges`: that interval.
std::size_t interval_of(const std::vector<double>& edges, double x) {
  const auto above = std::upper_bound(edges.begin(), edges.end(), x);
  const auto index = std::max<std::ptrdiff_t>(above - edges.begin() - 1, 0);
  return std::min(static_cast<std::size_t>(index), edges.size() - 2);
}

void take_means(ConstLine values, const OldCells& cells, const std::vector<double>& to,
                bool bounded, Line means) {
  const std::vector<double> slopes = slopes_of(values, cells, bounded);
  const std::vector<double>& from = cells.edges;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double lower = std::max(to[i], from.front()), upper = std::min(to[i + 1], from.back());
    double mean = 0;
    for (std::size_t j = interval_of(from, lower); j < values.size() && from[j] < upper; ++j) {
      const double begin = std::max(lower, from[j]), end = std::min(upper, from[j + 1]);
      const double value = values[j] + slopes[j] * (0.5 * (begin + end) - cells.points[j]);
      mean += (end - begin) / (upper - lower) * value;
    }
    means[i] = mean;
  }
}

// Linear between values at `points`, constant beyond them.
void interpolate(ConstLine values, const std::vector<double>& points, const std::vector<double>& to,
                 Line result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double x = std::clamp(to[i], points.front(), points.back());
    if (points.size() == 1) {
      result[i] = values[0];
      continue;
    }
    const std::size_t j = interval_of(points, x);
    const double share = (x - points[j]) / (points[j + 1] - points[j]);
    result[i] = share == 1 ? values[j + 1] : values[j] + share * (values[j + 1] - values[j]);
  }
}

struct Extent {
  std::array<std::size_t, 3> count{1, 1, 1};
  std::size_t stride(int axis) const {
    std::size_t stride = 1;
    for (int e = 0; e < axis; ++e) stride *= count[e];
    return stride;
  }
  std::size_t size() const { return stride(3); }
};

Extent extent_of(const GridEdges& edges, int faces_along) {
  Extent extent;
  for (int e = 0; e < 3; ++e)
    if (!edges[e].empty()) extent.count[e] = edges[e].size() - (e == faces_along ? 0 : 1);
  return extent;
}

// Maps every line of values along an axis.
std::vector<double> along_axis(const std::vector<double>& values, Extent& extent, int axis,
                               std::size_t count, const std::function<void(ConstLine, Line)>& map) {
  const std::size_t stride = extent.stride(axis), before = extent.count[axis];
  const std::size_t lines = extent.size() / before;
  extent.count[axis] = count;
  std::vector<double> result(extent.size());
  const double* const from = values.data();
  double* const to = result.data();
  linalg::for_each<linalg::Host>(static_cast<int>(lines), [=, &map](int line) {
    const std::size_t inner = static_cast<std::size_t>(line) % stride;
    const std::size_t outer = static_cast<std::size_t>(line) / stride;
    std::vector<double> old_line(before), new_line(count);
    for (std::size_t i = 0; i < before; ++i)
      old_line[i] = from[inner + stride * (i + before * outer)];
    map(old_line, new_line);
    for (std::size_t i = 0; i < count; ++i) to[inner + stride * (i + count * outer)] = new_line[i];
  });
  return result;
}

}  // namespace

std::vector<double> transferred(std::vector<double> values, const GridEdges& from,
                                const GridEdges& to, const Transfer& how) {
  Extent extent = extent_of(from, how.from_centres ? -1 : how.location);
  const Extent wanted = extent_of(to, how.location);
  for (int axis = 0; axis < 3; ++axis) {
    if (to[axis].empty()) continue;
    const std::vector<double>&old_edges = from[axis], &new_edges = to[axis];
    std::function<void(ConstLine, Line)> map;
    const OldCells cells = old_cells(old_edges, how.points[axis]);
    if (old_edges.empty()) {
      map = [](ConstLine line, Line result) { std::ranges::fill(result, line[0]); };
    } else if (axis == how.location) {
      map = [&, &points = how.from_centres ? cells.points : old_edges](
                ConstLine line, Line result) { interpolate(line, points, new_edges, result); };
    } else {
      map = [&](ConstLine line, Line result) {
        take_means(line, cells, new_edges, how.bounded, result);
      };
    }
    values = along_axis(values, extent, axis, wanted.count[axis], map);
  }
  return values;
}

void extend_into_solids(std::span<double> values, std::span<const double> solid,
                        const GridEdges& edges) {
  const Extent extent = extent_of(edges, -1);
  std::vector<char> is_known(values.size());
  std::deque<std::size_t> front;
  for (std::size_t i = 0; i < values.size(); ++i) {
    is_known[i] = solid[i] == 0;
    if (is_known[i]) front.push_back(i);
  }
  const auto for_neighbours = [&](std::size_t i, const auto& visit) {
    for (int e = 0; e < 3; ++e) {
      const std::size_t stride = extent.stride(e), position = i / stride % extent.count[e];
      if (position > 0) visit(i - stride);
      if (position + 1 < extent.count[e]) visit(i + stride);
    }
  };
  while (!front.empty()) {
    std::vector<std::size_t> layer;
    for (; !front.empty(); front.pop_front())
      for_neighbours(front.front(), [&](std::size_t next) {
        if (!is_known[next]) layer.push_back(next);
      });
    std::ranges::sort(layer);
    layer.erase(std::unique(layer.begin(), layer.end()), layer.end());
    std::vector<double> means;
    for (const std::size_t i : layer) {
      double sum = 0;
      int count = 0;
      for_neighbours(i, [&](std::size_t next) {
        if (!is_known[next]) return;
        sum += values[next];
        ++count;
      });
      means.push_back(sum / count);
    }
    for (std::size_t k = 0; k < layer.size(); ++k) {
      values[layer[k]] = means[k];
      is_known[layer[k]] = 1;
      front.push_back(layer[k]);
    }
  }
}

}  // namespace hodge::sim
