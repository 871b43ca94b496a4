#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/stretching.hpp"

namespace hodge::sim {
namespace {

constexpr int bisections = 200;

struct Gap {  // between the core and one end of the axis
  double length = 0;
  int cells = 0;
};

void check_core(const AxisSettings& axis, const std::string& name) {
  const CoreSettings& core = axis.core;
  if (!(axis.lower <= core.lower && core.lower < core.upper && core.upper <= axis.upper))
    throw ConfigError(fmt::format(
        "the core of the grid along {} goes from {} to {}; lower < upper, both from {} to {}, are "
        "needed",
        name, core.lower, core.upper, axis.lower, axis.upper));
  const int ends = (core.lower > axis.lower ? 1 : 0) + (core.upper < axis.upper ? 1 : 0);
  const int outside = axis.cells - core.cells;
  if (core.cells < 1 || outside < ends || (ends == 0 && outside != 0))
    throw ConfigError(fmt::format(
        "the core of the grid along {} has {} of {} cells; at least 1, and 1 for each of "
        "the {} ends outside it, are needed",
        name, core.cells, axis.cells, ends));
  const double width = (core.upper - core.lower) / core.cells;
  const double room = (axis.upper - axis.lower) - (core.upper - core.lower);
  if (outside * width > room * (1 + 1e-12))
    throw ConfigError(
        fmt::format("the {} cells outside the core of the grid along {} would be smaller than its "
                    "own, of width "
                    "{:.6g}; give the core more cells, or the grid fewer",
                    outside, name, width));
}

// How many cells of the core's width h correspond to a gap: k h for r(k) = its length.
double unrolled(double length, double l) {
  return l * std::asinh(length / l);
}

// The l for which both gaps together have `cells` cells; the more cells, the larger.
double common_length(const std::array<Gap, 2>& gaps, int cells, double width) {
  double low = std::log(width) - 50, high = std::log(gaps[0].length + gaps[1].length) + 50;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high), l = std::exp(middle);
    const double fits = unrolled(gaps[0].length, l) + unrolled(gaps[1].length, l);
    (fits < cells * width ? low : high) = middle;
  }
  return std::exp(low);
}

void divide(int cells, double width, std::array<Gap, 2>& gaps) {
  const double l = common_length(gaps, cells, width);
  const auto most = [width](double length) {  // that are no smaller than the core's
    return static_cast<int>(std::floor(length / width * (1 + 1e-12)));
  };
  const int wanted = static_cast<int>(std::lround(unrolled(gaps[0].length, l) / width));
  const int least = std::max(gaps[0].length > 0 ? 1 : 0, cells - most(gaps[1].length));
  const int largest = std::min(most(gaps[0].length), cells - (gaps[1].length > 0 ? 1 : 0));
  gaps[0].cells = std::max(least, std::min(wanted, largest));
  gaps[1].cells = cells - gaps[0].cells;
}

// y >= 0 with sinh(y) / y = ratio >= 1.
double inverse_sinhc(double ratio) {
  double low = 0, high = 700;
  for (int i = 0; i < bisections; ++i) {
    const double y = 0.5 * (low + high);
    (std::sinh(y) < ratio * y ? low : high) = y;
  }
  return low;
}

// Distances from the core of the edges 1 .. gap.cells, the last its length.
std::vector<double> distances(const Gap& gap, double width) {
  const double y = inverse_sinhc(gap.length / (gap.cells * width));
  std::vector<double> result;
  for (int k = 1; k <= gap.cells; ++k) {
    const double s = static_cast<double>(k) / gap.cells;
    result.push_back(gap.length * (y > 1e-6 ? std::sinh(y * s) / std::sinh(y) : s));
  }
  return result;
}

}  // namespace

std::vector<double> core_edges(const AxisSettings& axis, const std::string& axis_name) {
  check_core(axis, axis_name);
  const CoreSettings& core = axis.core;
  const double width = (core.upper - core.lower) / core.cells;
  std::array<Gap, 2> gaps{{{core.lower - axis.lower}, {axis.upper - core.upper}}};
  const int outside = axis.cells - core.cells;
  if (outside > 0) divide(outside, width, gaps);
  std::vector<double> edges;
  for (const double r : distances(gaps[0], width)) edges.push_back(core.lower - r);
  std::reverse(edges.begin(), edges.end());
  for (int i = 0; i < core.cells; ++i)
    edges.push_back(core.lower + (core.upper - core.lower) * (static_cast<double>(i) / core.cells));
  edges.push_back(core.upper);
  for (const double r : distances(gaps[1], width)) edges.push_back(core.upper + r);
  edges.front() = axis.lower;
  edges.back() = axis.upper;
  return edges;
}

}  // namespace hodge::sim
