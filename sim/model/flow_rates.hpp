// The flow through any section of a periodic axis, held at a value at every time: the integral of
// u_d over a section, a formula of t; L^3/T, in 2D L^2/T (a unit of length along z). None: the axis
// is free.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {

using FlowRates = std::array<std::optional<Expression>, 3>;

inline bool has_flow_rate(const FlowRates& rates) {
  return std::any_of(rates.begin(), rates.end(), [](const auto& rate) { return rate.has_value(); });
}

}  // namespace hodge::sim
