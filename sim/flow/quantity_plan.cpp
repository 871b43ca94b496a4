#include "sim/flow/quantity_plan.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/boundaries/entering.hpp"

namespace hodge::sim {
namespace {

class QuantityPlanner {
 public:
  QuantityPlanner(const Problem& problem, const Grid& grid) : problem_(problem), grid_(grid) {}

  QuantityPlan plan() {
    add_velocity();
    for (int axis = 0; axis < grid_.dim(); ++axis) add_flow_rates(axis);
    for (std::size_t k = 0; k < problem_.scalars.size(); ++k) add_scalar(k);
    for (int axis = 0; axis < grid_.dim(); ++axis)
      for (std::size_t k = 0; k < problem_.scalars.size(); ++k) add_nusselt_numbers(k, axis);
    return std::move(plan_);
  }

 private:
  void measure(Measurement measurement, std::size_t results) {
    measurement.first = plan_.results;
    plan_.measurements.push_back(measurement);
    plan_.results += results;
  }

  void add_velocity() {
    const std::size_t first = plan_.results, integrals = first + 2;
    measure({Measurement::Of::velocity}, 2 + static_cast<std::size_t>(grid_.dim()));
    if (!problem_.prescribed_velocity && !has_sharp_solids(problem_.solids)) {
      plan_.columns.push_back({"enstrophy", first + 1});
      if (!viscosity_varies(problem_))  // else GridFlow::quantities
        plan_.columns.push_back({"dissipation", first, problem_.viscosity});
    }
    for (int d = 0; d < grid_.dim(); ++d)
      if (problem_.boundaries.periodic(d))
        plan_.columns.push_back({std::string("flow_rate_") + axis_names[d],
                                 integrals + static_cast<std::size_t>(d), 1,
                                 grid_.axis(d).length()});
  }

  Measurement of_side(Measurement::Of of, int axis, int side, std::size_t scalar = 0) const {
    double extent = std::numeric_limits<double>::max();
    for (int e = 0; e < grid_.dim(); ++e)
      if (e != axis) extent = std::min(extent, grid_.axis(e).length());
    return {.of = of,
            .axis = axis,
            .face = side == 0 ? 0 : grid_.cells(axis),
            .scalar = scalar,
            .extent = extent};
  }

  void add_flow_rates(int axis) {
    for (int side = 0; side < 2; ++side) {
      const SideTraits& traits = problem_.boundaries.sides[axis][side].traits();
      if (!traits.is_inflow() && !traits.is_open()) continue;
      const std::string name = side_name(axis, side);
      const bool is_limited = traits.is_open() && !problem_.prescribed_velocity;
      const std::size_t first = plan_.results;
      plan_.columns.push_back({"flow_rate_" + name, is_limited ? first + side_flow_sums : first});
      if (is_limited)
        plan_.columns.push_back({limited_prefix + name, first, 1, 1, QuantityColumn::Of::limited});
      if (is_limited)
        measure(of_side(Measurement::Of::open_side, axis, side), side_flow_sums + 2);
      else
        measure(of_side(Measurement::Of::flow_rate, axis, side), 1);
    }
  }

  void add_scalar(std::size_t scalar) {
    using Of = QuantityColumn::Of;
    const std::string& name = problem_.scalars[scalar].name;
    const std::size_t first = plan_.results;
    measure({.of = Measurement::Of::scalar, .scalar = scalar}, 5);
    plan_.columns.push_back({name + "_integral", first});
    plan_.columns.push_back({name + "_minimum", first + 1, 1, 1, Of::minimum});
    plan_.columns.push_back({name + "_maximum", first + 1, 1, 1, Of::maximum});
    for (std::size_t k = 0; k < problem_.solids.size(); ++k)
      if (const SolidScalar* const of = scalar_of(problem_.solids[k], name))
        add_body(scalar, k, of->nusselt);
  }

  void add_body(std::size_t scalar, std::size_t solid, const std::optional<NusseltScales>& by) {
    const ScalarProblem& of = problem_.scalars[scalar];
    const std::string body = solid_names(problem_.solids)[solid];
    plan_.columns.push_back({of.name + "_rate_" + body, plan_.results});
    if (by)
      plan_.columns.push_back({"nusselt_" + of.name + "_" + body, plan_.results, by->length,
                               by->surface * of.diffusivity * by->difference});
    measure({.of = Measurement::Of::body, .scalar = scalar, .body = static_cast<int>(solid) + 1},
            1);
  }

  void add_nusselt_numbers(std::size_t scalar, int axis) {
    const ScalarProblem& of = problem_.scalars[scalar];
    const auto& values = of.sides[axis];
    for (int side = 0; side < 2; ++side)
      if (!problem_.boundaries.sides[axis][side].traits().is_closed() ||
          !values[side].traits().gives_value() || !values[side].value.is_constant())
        return;
    const double difference = values[0].value({}, 0) - values[1].value({}, 0);
    if (difference == 0) return;
    const double factor = grid_.axis(axis).length() / difference;
    for (int side = 0; side < 2; ++side) {
      plan_.columns.push_back({"nusselt_" + of.name + "_" + side_name(axis, side), plan_.results,
                               factor, 1, QuantityColumn::Of::ratio});
      measure(of_side(Measurement::Of::descent, axis, side, scalar), 2);
    }
  }

  const Problem& problem_;
  const Grid& grid_;
  QuantityPlan plan_;
};

// As reductions to a maximum start at 0, the extremes of fields of one sign come from their
// reciprocals: the results are the largest c and -c, and 1/|c| where c >= 0 and where c <= 0.
double value_of(const QuantityColumn& column, const double* result) {
  switch (column.of) {
    case QuantityColumn::Of::minimum:
      return result[1] > 0 ? -result[1] : 1 / result[2];
    case QuantityColumn::Of::maximum:
      return result[0] > 0 ? result[0] : 0 - 1 / result[3];
    case QuantityColumn::Of::ratio:
      return result[1] > 0 ? column.factor * result[0] / result[1] : 0;
    case QuantityColumn::Of::limited: {
      const SideFlow flow{result[0], result[1], result[2], result[3]};
      const double passing = result[side_flow_sums + 1];
      return passing > 0 ? (1 - entering_share(&flow)) * flow.entering / passing : 0;
    }
    case QuantityColumn::Of::result:
      break;
  }
  return column.factor * result[0] / column.divisor;
}

}  // namespace

QuantityPlan quantity_plan(const Problem& problem, const Grid& grid) {
  return QuantityPlanner(problem, grid).plan();
}

std::vector<Quantity> quantities_of(const QuantityPlan& plan, std::span<const double> results) {
  std::vector<Quantity> quantities;
  for (const QuantityColumn& column : plan.columns)
    quantities.push_back({column.name, value_of(column, &results[column.first])});
  return quantities;
}

}  // namespace hodge::sim
