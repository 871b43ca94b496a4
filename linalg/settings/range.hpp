// The numbers that a setting may have: an interval, each of whose bounds may be part of it or not.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "linalg/base/number_text.hpp"

namespace hodge::linalg {

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;  // the bound itself is outside
  bool upper_open = false;

  bool contains(double value) const {
    return (lower_open ? value > lower : value >= lower) &&
           (upper_open ? value < upper : value <= upper);
  }

  // " > 0", " from 1 to 2", " between 0 and 2, both excluded", or nothing
  std::string text() const {
    const bool below = std::isfinite(lower), over = std::isfinite(upper);
    if (below && over && lower_open == upper_open)
      return (lower_open ? " between " : " from ") + number_text(lower) +
             (lower_open ? " and " : " to ") + number_text(upper) +
             (lower_open ? ", both excluded" : "");
    std::string text;
    if (below) text += (lower_open ? " > " : " >= ") + number_text(lower);
    if (below && over) text += " and";
    if (over) text += (upper_open ? " < " : " <= ") + number_text(upper);
    return text;
  }
};

constexpr Range above(double lower) {  // lower < value
  return {.lower = lower, .lower_open = true};
}
constexpr Range at_least(double lower) {  // lower <= value
  return {.lower = lower};
}
constexpr Range between(double lower, double upper) {  // lower < value < upper
  return {lower, upper, true, true};
}
constexpr Range from_to(double lower, double upper) {  // lower <= value <= upper
  return {lower, upper, false, false};
}

}  // namespace hodge::linalg
