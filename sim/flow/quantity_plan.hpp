// Which quantities a problem has, and what they are made of (quantities.hpp says what they are).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/quantity.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// The integral over a side, times `factor`, is a quantity.
struct MeasuredSide {
  std::string name;
  int axis, face;  // 0 or n
  double factor;
  std::size_t scalar = 0;
};

struct QuantityPlan {
  bool velocity_is_solved_for = true;
  double viscosity = 0;
  std::vector<int> periodic_axes;
  std::vector<double> lengths;  // of every axis
  std::vector<std::string> scalars;
  std::vector<MeasuredSide> flow_rates, nusselt_numbers;
};

QuantityPlan quantity_plan(const Problem& problem, const Grid& grid);

// `results`: what Quantities::measure puts one after the other.
std::vector<Quantity> quantities_of(const QuantityPlan& plan, std::span<const double> results,
                                    int dim);

}  // namespace hodge::sim
