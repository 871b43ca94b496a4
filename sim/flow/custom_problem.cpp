#include "sim/flow/custom_problem.hpp"

namespace hodge::sim {
namespace {

// The inflow sides of a prescribed velocity let in what it brings.
void prescribe(const Formulas3& velocity, Problem& problem) {
  problem.prescribed_velocity = velocity;
  for (auto& axis : problem.boundaries.sides)
    for (Side& side : axis)
      if (side.traits().is_inflow()) side.velocity = velocity;
}

ScalarProblem scalar_problem(const CustomScalar& custom) {
  ScalarProblem scalar;
  scalar.name = custom.name;
  scalar.diffusivity = custom.diffusivity;
  scalar.varying_diffusivity = custom.varying_diffusivity;
  scalar.initial = FormulaAtStart{custom.initial};
  scalar.sides = custom.sides;
  scalar.source = custom.source;
  scalar.reaction = custom.reaction;
  scalar.buoyancy = custom.buoyancy;
  scalar.neutral = custom.neutral;
  if (custom.exact) scalar.exact = *custom.exact;
  return scalar;
}

}  // namespace

Problem custom_problem(const CustomSettings& custom) {
  Problem problem;
  problem.density = custom.density;
  problem.viscosity = custom.viscosity;
  problem.varying_viscosity = custom.varying_viscosity;
  problem.boundaries = custom.boundaries;
  for (std::size_t d = 0; d < 3; ++d) {
    bool is_of_flow = false;
    for (int k = 0; k < 3 + static_cast<int>(custom.scalars.size()); ++k)
      is_of_flow = is_of_flow || custom.force[d].depends_on(first_extra_variable + k);
    if (is_of_flow)
      problem.flow_force[d] = custom.force[d];
    else
      problem.force[d] = custom.force[d];
  }
  for (int d = 0; d < 3; ++d)
    if (custom.boundaries.periodic(d)) problem.flow_rate[d] = custom.flow_rate[d];
  problem.initial_velocity = FormulasAtStart{custom.initial_velocity};
  if (custom.initial_pressure)
    problem.initial_pressure = [p = *custom.initial_pressure](Point x) { return p(x, 0); };
  if (const auto& exact = custom.exact_velocity) {
    problem.exact.emplace();
    problem.exact->velocity = vector_function(*exact);
    if (custom.exact_pressure) problem.exact->pressure = *custom.exact_pressure;
  }
  if (custom.prescribed_velocity) prescribe(*custom.prescribed_velocity, problem);
  return problem;
}

std::vector<ScalarProblem> custom_scalars(const CustomSettings& custom) {
  std::vector<ScalarProblem> scalars;
  for (const CustomScalar& scalar : custom.scalars) scalars.push_back(scalar_problem(scalar));
  return scalars;
}

}  // namespace hodge::sim
