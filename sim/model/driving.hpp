// What drives a flow through open sides.
#pragma once

#include <optional>

#include "sim/model/boundaries.hpp"

namespace hodge::sim {

// Whether pressures differ between open sides, or along one. A formula counts as a difference.
inline bool has_pressure_difference(const Boundaries& boundaries) {
  std::optional<double> first;
  for (const auto& sides : boundaries.sides)
    for (const Side& side : sides) {
      if (!side.traits().is_open()) continue;
      if (!side.pressure.is_constant()) return true;
      const double p = side.pressure({}, 0);
      if (p != first.value_or(p)) return true;
      first = p;
    }
  return false;
}

}  // namespace hodge::sim
