#include "sim/flow/quantity_plan.hpp"

#include <array>

namespace hodge::sim {
namespace {

const std::array<const char*, 2> side_names{"lower", "upper"};

std::string side_name(int axis, std::size_t side) {
  return std::string(axis_names[static_cast<std::size_t>(axis)]) + "_" + side_names[side];
}

int face_of_side(const Grid& grid, int axis, std::size_t side) {
  return side == 0 ? 0 : grid.cells(axis);
}

// In 2D a length: the other axis has a unit of length along z.
double area_of_side(const Grid& grid, int axis) {
  double area = 1;
  for (int e = 0; e < grid.dim(); ++e)
    if (e != axis) area *= grid.axis(e).length();
  return area;
}

void add_flow_rates(const Boundaries& boundaries, const Grid& grid, int axis, QuantityPlan& plan) {
  for (std::size_t side = 0; side < 2; ++side) {
    const SideTraits& traits = boundaries.sides[static_cast<std::size_t>(axis)][side].traits();
    if (traits.is_inflow() || traits.is_open())
      plan.flow_rates.push_back(
          {"flow_rate_" + side_name(axis, side), axis, face_of_side(grid, axis, side), 1.0});
  }
}

bool is_wall_of_constant_value(const Side& side, const ScalarSide& scalar) {
  return side.traits().is_closed() && scalar.traits().gives_value() && scalar.value.is_constant();
}

void add_nusselt_numbers(const Problem& problem, const Grid& grid, std::size_t scalar, int axis,
                         QuantityPlan& plan) {
  const auto& sides = problem.boundaries.sides[static_cast<std::size_t>(axis)];
  const auto& values = problem.scalars[scalar].sides[static_cast<std::size_t>(axis)];
  if (!is_wall_of_constant_value(sides[0], values[0]) ||
      !is_wall_of_constant_value(sides[1], values[1]))
    return;
  const double difference = values[0].value({}, 0) - values[1].value({}, 0);
  if (difference == 0) return;
  const double factor = grid.axis(axis).length() / (difference * area_of_side(grid, axis));
  for (std::size_t side = 0; side < 2; ++side)
    plan.nusselt_numbers.push_back(
        {"nusselt_" + problem.scalars[scalar].name + "_" + side_name(axis, side), axis,
         face_of_side(grid, axis, side), factor, scalar});
}

// From the largest q, -q, and 1/|q| of q >= 0 and of q <= 0 (quantities.hpp).
double smallest(std::span<const double> largest) {
  return largest[1] > 0 ? -largest[1] : 1 / largest[2];
}
double greatest(std::span<const double> largest) {
  return largest[0] > 0 ? largest[0] : 0 - 1 / largest[3];
}

}  // namespace

QuantityPlan quantity_plan(const Problem& problem, const Grid& grid) {
  QuantityPlan plan;
  plan.velocity_is_solved_for = !problem.prescribed_velocity;
  plan.viscosity = problem.viscosity;
  plan.scalars = scalar_names(problem);
  for (int axis = 0; axis < grid.dim(); ++axis) {
    plan.lengths.push_back(grid.axis(axis).length());
    if (problem.boundaries.periodic(axis)) plan.periodic_axes.push_back(axis);
    add_flow_rates(problem.boundaries, grid, axis, plan);
    for (std::size_t scalar = 0; scalar < problem.scalars.size(); ++scalar)
      add_nusselt_numbers(problem, grid, scalar, axis, plan);
  }
  return plan;
}

std::vector<Quantity> quantities_of(const QuantityPlan& plan, std::span<const double> results,
                                    int dim) {
  std::vector<Quantity> quantities;
  if (plan.velocity_is_solved_for) {
    quantities.push_back({"enstrophy", results[1]});
    quantities.push_back({"dissipation", plan.viscosity * results[0]});
  }
  for (const int axis : plan.periodic_axes) {
    const auto d = static_cast<std::size_t>(axis);
    quantities.push_back(
        {std::string("flow_rate_") + axis_names[d], results[2 + d] / plan.lengths[d]});
  }
  results = results.subspan(2 + static_cast<std::size_t>(dim));
  std::vector<Quantity> of_scalars;
  for (const std::string& name : plan.scalars) {
    of_scalars.push_back({name + "_integral", results[0]});
    of_scalars.push_back({name + "_minimum", smallest(results.subspan(1, 4))});
    of_scalars.push_back({name + "_maximum", greatest(results.subspan(1, 4))});
    results = results.subspan(5);
  }
  for (const MeasuredSide& side : plan.flow_rates) {
    quantities.push_back({side.name, side.factor * results[0]});
    results = results.subspan(1);
  }
  quantities.insert(quantities.end(), of_scalars.begin(), of_scalars.end());
  for (const MeasuredSide& side : plan.nusselt_numbers) {
    quantities.push_back({side.name, side.factor * results[0]});
    results = results.subspan(1);
  }
  return quantities;
}

}  // namespace hodge::sim
