// What the ends of an axis may be, so that products and quotients of lengths are numbers.
#pragma once

#include <algorithm>
#include <cmath>

namespace hodge::sim {

inline constexpr double largest_coordinate = 1e100, least_length = 1e-100;

inline bool can_be_computed_with(double lower, double upper) {
  return std::max(std::abs(lower), std::abs(upper)) <= largest_coordinate &&
         upper - lower >= least_length;
}

}  // namespace hodge::sim
