// How the cell edges of one axis are spread between its bounds.
//
//   uniform   x(s) = s,   s = i / n and x of the axis's length
//   tanh      x(s) = (1 + tanh(a (2 s - 1)) / tanh(a)) / 2,   a = strength > 0: fine at both ends
//   core      equal cells of width h between two bounds inside the axis; outside, at the distance r
//             from them, h sqrt(1 + (r / l)^2)
//
// Beyond the core r(k) = l sinh(k h / l) with k cells from it: widths go over into those of the
// core smoothly and grow in proportion to the distance far away. The cells that the core leaves are
// divided so that l is the same on both sides but for the rounding to whole cells.
// Sources: M. Vinokur, J. Comput. Phys. 50, 1983 (tanh, sinh).
// Errors: ConfigError for values that make no axis.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/model/settings.hpp"

namespace hodge::sim {

struct Stretching {
  const char* name;
  const char* description;
  bool uniform;
  std::span<const char* const> keys;  // what it takes in a configuration
  // The n + 1 edges of an axis of n >= 1 cells between lower < upper; `axis_name` is for messages.
  std::vector<double> (*edges)(const AxisSettings& axis, const std::string& axis_name);
};

std::span<const Stretching> stretching_table();

// Errors: ConfigError for a name that the table does not have.
const Stretching& find_stretching(const std::string& name);

// The edges of `core`. Errors: ConfigError for a core that does not lie in the axis, or takes more
// cells than there are, or so few that those outside would be smaller than its own.
std::vector<double> core_edges(const AxisSettings& axis, const std::string& axis_name);

}  // namespace hodge::sim
