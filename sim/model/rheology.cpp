#include "sim/model/rheology.hpp"

#include <algorithm>

#include "sim/model/problem.hpp"

namespace hodge::sim {

std::span<const RheologyParameter> rheology_parameters() {
  using linalg::above, linalg::at_least;
  static const RheologyParameter parameters[] = {
      {"consistency", "K of power_law and herschel_bulkley, L^2 T^(n - 2)", above(0)},
      {"exponent", "n, > 0; 1: a Newtonian fluid, of cross 0", above(0)},
      {"least_shear_rate", "g_0, which keeps the viscosity finite where nothing shears, 1/T",
       above(0)},
      {"yield_stress", "of herschel_bulkley, over the density, L^2/T^2", at_least(0)},
      {"zero_shear", "viscosity of carreau and cross at rest, L^2/T", above(0)},
      {"infinite_shear", "viscosity of carreau and cross at large shear rates, L^2/T", at_least(0)},
      {"time", "lambda of carreau and cross, T", above(0)},
  };
  return parameters;
}

std::span<const RheologyModel> rheology_table() {
  static const RheologyModel models[] = {
      {"power_law",
       "consistency*sqrt(shear_rate^2 + least_shear_rate^2)^(exponent - 1)",
       {"consistency", "exponent", "least_shear_rate"}},
      {"carreau",
       "infinite_shear + (zero_shear - infinite_shear)*(1 + (time*shear_rate)^2)^((exponent - "
       "1)/2)",
       {"zero_shear", "infinite_shear", "time", "exponent"}},
      {"cross",
       "infinite_shear + (zero_shear - infinite_shear)/(1 + (time*shear_rate)^exponent)",
       {"zero_shear", "infinite_shear", "time", "exponent"}},
      {"herschel_bulkley",
       "yield_stress/sqrt(shear_rate^2 + least_shear_rate^2)"
       " + consistency*sqrt(shear_rate^2 + least_shear_rate^2)^(exponent - 1)",
       {"yield_stress", "consistency", "exponent", "least_shear_rate"}},
  };
  return models;
}

Expression viscosity_of(const Rheology& fluid) {
  const auto model = std::ranges::find(
      rheology_table(), fluid.model, [](const RheologyModel& of) { return std::string(of.name); });
  return Expression::parse(model->formula, {.constants = FormulaConstants(fluid.parameters),
                                            .variables = coefficient_variables({})});
}

}  // namespace hodge::sim
