#include "sim/discrete/grid/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <optional>

#include "linalg/vectors/parallel.hpp"

namespace hodge::sim {
namespace {

using Line = std::span<double>;
using ConstLine = std::span<const double>;

// The old cells along an axis, and where in them the values lie. A periodic axis has the cell of
// the other end before its first and after its last.
struct OldCells {
  std::vector<double> edges, points;
  bool at_centres, wraps;

  // From a value to the sides of its cell.
  double reach_below(std::size_t j) const {
    return at_centres ? 0.5 * (edges[j + 1] - edges[j]) : points[j] - edges[j];
  }
  double reach_above(std::size_t j) const {
    return at_centres ? 0.5 * (edges[j + 1] - edges[j]) : edges[j + 1] - points[j];
  }
};

template <class T>
std::vector<T> with_ends(T first, std::span<const T> inner, T last) {
  std::vector<T> all{first};
  all.insert(all.end(), inner.begin(), inner.end());
  all.push_back(last);
  return all;
}

OldCells old_cells(const std::vector<double>& edges, const std::vector<double>& points,
                   bool wraps) {
  OldCells cells{edges, points, points.empty(), wraps};
  for (std::size_t i = 0; cells.at_centres && i + 1 < edges.size(); ++i)
    cells.points.push_back(0.5 * (edges[i] + edges[i + 1]));
  if (!wraps || edges.empty()) return cells;
  const double period = edges.back() - edges.front();
  const std::vector<double> inner = cells.points;
  cells.points = with_ends<double>(inner.back() - period, inner, inner.front() + period);
  cells.edges = with_ends<double>(edges[edges.size() - 2] - period, edges, edges[1] + period);
  return cells;
}

// The values of a line in these cells.
std::vector<double> in_cells(ConstLine line, const OldCells& cells) {
  if (!cells.wraps) return {line.begin(), line.end()};
  return with_ends<double>(line.back(), line, line.front());
}

double smallest_of(double a, double b, double c) {
  if (a > 0 && b > 0 && c > 0) return std::min({a, b, c});
  if (a < 0 && b < 0 && c < 0) return std::max({a, b, c});
  return 0.0;
}

double slope_between(ConstLine values, const OldCells& cells, std::size_t j, std::size_t k) {
  return (values[k] - values[j]) / (cells.points[k] - cells.points[j]);
}

// 1 where the values are linear at an end of the line, 0 where the slope changes by a quarter of
// itself or more from the last pair of values to the one before.
double linearity(double slope, double next_slope) {
  const double change = std::abs(next_slope - slope);
  return slope == 0 ? 0.0 : std::max(0.0, 1 - 4 * change / std::abs(slope));
}

// In the outermost cell `end`, whose neighbour is `next` and the one behind `third`: that of the
// pair, so that linear fields stay linear. The value at `side`, the end of what is asked for, stays
// in the range, or leaves it by as much of its excess as the values are linear.
double bounded_end_slope(ConstLine values, const OldCells& cells, std::size_t end, std::size_t next,
                         std::optional<std::size_t> third, double side, const Bounds& range) {
  const double slope = slope_between(values, cells, end, next);
  const double reach = side - cells.points[end];
  const double beyond = values[end] + slope * reach;
  const double within = std::clamp(beyond, range.least, range.most);
  if (beyond == within || reach == 0) return slope;
  const double share = third ? linearity(slope, slope_between(values, cells, next, *third)) : 0.0;
  return (within + share * (beyond - within) - values[end]) / reach;
}

// Within each cell of a line; new values lie between `first` and `last`.
std::vector<double> slopes_of(ConstLine values, const OldCells& cells, const Bounds* range,
                              double first, double last) {
  const std::size_t n = values.size();
  std::vector<double> slopes(n, 0.0);
  if (n < 2) return slopes;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t below = j == 0 ? 0 : j - 1, above = std::min(j + 1, n - 1);
    slopes[j] = slope_between(values, cells, below, above);
    if (range == nullptr || j == 0 || j + 1 == n) continue;
    slopes[j] = smallest_of((values[j] - values[below]) / cells.reach_below(j), slopes[j],
                            (values[above] - values[j]) / cells.reach_above(j));
  }
  if (range == nullptr) return slopes;
  using Third = std::optional<std::size_t>;
  slopes[0] = bounded_end_slope(values, cells, 0, 1, n > 2 ? Third(2) : Third(), first, *range);
  slopes[n - 1] =
      bounded_end_slope(values, cells, n - 1, n - 2, n > 2 ? Third(n - 3) : Third(), last, *range);
  return slopes;
}

// Where the line is cut into pieces of which each lies in one interval of `edges`: that interval.
std::size_t interval_of(const std::vector<double>& edges, double x) {
  const auto above = std::upper_bound(edges.begin(), edges.end(), x);
  const auto index = std::max<std::ptrdiff_t>(above - edges.begin() - 1, 0);
  return std::min(static_cast<std::size_t>(index), edges.size() - 2);
}

void take_means(ConstLine line, const OldCells& cells, const std::vector<double>& to,
                const Bounds* range, Line means) {
  const std::vector<double>& from = cells.edges;
  const std::vector<double> values = in_cells(line, cells);
  const std::vector<double> slopes = slopes_of(
      values, cells, range, std::max(to.front(), from.front()), std::min(to.back(), from.back()));
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

// Linear between values at `points`, and beyond them as between the outermost two.
void interpolate(ConstLine values, const std::vector<double>& points, const std::vector<double>& to,
                 Line result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double x = to[i];
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

namespace {

Bounds bounds_with(std::span<const double> values, Bounds bounds) {
  for (const double value : values) {
    bounds.least = std::min(bounds.least, value);
    bounds.most = std::max(bounds.most, value);
  }
  return bounds;
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
    const OldCells cells = old_cells(old_edges, how.points[axis], how.wraps[axis]);
    const std::optional<Bounds> range = how.bounds ? bounds_with(values, *how.bounds) : how.bounds;
    if (old_edges.empty()) {
      map = [](ConstLine line, Line result) { std::ranges::fill(result, line[0]); };
    } else if (axis == how.location && how.from_centres) {
      map = [&](ConstLine line, Line result) {
        interpolate(in_cells(line, cells), cells.points, new_edges, result);
      };
    } else if (axis == how.location) {
      map = [&](ConstLine line, Line result) { interpolate(line, old_edges, new_edges, result); };
    } else {
      map = [&](ConstLine line, Line result) {
        take_means(line, cells, new_edges, range ? &*range : nullptr, result);
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
