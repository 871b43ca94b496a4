#include "sim/discrete/grid/stretching.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::vector<double> uniform_edges(const AxisSettings& axis, const std::string& /*axis_name*/) {
  std::vector<double> edges;
  for (int i = 0; i <= axis.cells; ++i)
    edges.push_back(axis.lower + (axis.upper - axis.lower) * (static_cast<double>(i) / axis.cells));
  return edges;
}

std::vector<double> tanh_edges(const AxisSettings& axis, const std::string& axis_name) {
  const double a = axis.strength;
  if (!(a > 0.0 && std::isfinite(a)))
    throw ConfigError(
        fmt::format("the stretching 'tanh' along {} has strength {:f}; a positive "
                    "number is needed, 1 to 3 are usual",
                    axis_name, a));
  std::vector<double> edges;
  for (int i = 0; i <= axis.cells; ++i) {
    const double s = static_cast<double>(i) / axis.cells;
    const double x = 0.5 * (1.0 + std::tanh(a * (2.0 * s - 1.0)) / std::tanh(a));
    edges.push_back(axis.lower + (axis.upper - axis.lower) * x);
  }
  return edges;
}

constexpr const char* tanh_keys[] = {"strength"};
constexpr const char* core_keys[] = {"lower", "upper", "cells"};

constexpr Stretching stretchings[] = {
    {"uniform", "equal cells", true, {}, uniform_edges},
    {"tanh", "cells refined at both ends; strength > 0", false, tanh_keys, tanh_edges},
    {"core", "equal cells from lower to upper, growing outside; cells: how many of them", false,
     core_keys, core_edges},
};

}  // namespace

std::span<const Stretching> stretching_table() {
  return stretchings;
}

const Stretching& find_stretching(const std::string& name) {
  return find_by_name(stretchings, "grid stretching", name);
}

}  // namespace hodge::sim
