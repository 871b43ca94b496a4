#include "cases/registry.hpp"

#include "sim/flow/custom_problem.hpp"

namespace hodge::cases {

std::span<const Case> case_table() {
  // A line each: the empty comments keep the formatter from filling lines.
  static const Case table[] = {
      backward_facing_step,  //
      brusselator,           //
      brusselator_line,      //
      circular_cylinder,     //
      custom,                //
      duct,                  //
      ethier_steinman,       //
      heated_cavity,         //
      kovasznay,             //
      lid_driven_cavity,     //
      manufactured_scalar,   //
      oscillating_flow,      //
      poiseuille,            //
      rayleigh_benard,       //
      robertson,             //
      rotating_cone,         //
      smith_hutton,          //
      square_cylinder,       //
      taylor_green,          //
      taylor_green_3d,       //
  };
  return table;
}

sim::Problem make_problem(const Case& entry, const sim::Settings& settings) {
  sim::Problem problem = entry.make(settings);
  for (sim::ScalarProblem& scalar : sim::custom_scalars(settings.custom))
    problem.scalars.push_back(std::move(scalar));
  problem.solids.insert(problem.solids.end(), settings.solids.begin(), settings.solids.end());
  return problem;
}

const Case* find_case(std::string_view name) {
  for (const Case& entry : case_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace hodge::cases
