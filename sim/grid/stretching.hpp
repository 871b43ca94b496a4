// How the cell edges of one axis are spread, as a map of s = i / n in [0, 1] onto [0, 1].
//
//   uniform   x(s) = s
//   tanh      x(s) = (1 + tanh(a (2 s - 1)) / tanh(a)) / 2,   a = strength > 0: fine at both ends
//
// Both are symmetric about s = 1/2. Source of tanh: M. Vinokur, J. Comput. Phys. 50, 1983.
#pragma once

#include <span>

namespace hodge::sim {

struct Stretching {
  const char* name;
  const char* description;
  bool uniform;
  double (*map)(double s, double strength);
};

std::span<const Stretching> stretching_table();

}  // namespace hodge::sim
