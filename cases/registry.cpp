#include "cases/registry.hpp"

#include <utility>

#include "sim/flow/custom_problem.hpp"

namespace hodge::cases {

// All of them, a line each.
#define HODGE_CASES(CASE)    \
  CASE(backward_facing_step) \
  CASE(brusselator)          \
  CASE(brusselator_line)     \
  CASE(circular_cylinder)    \
  CASE(custom)               \
  CASE(duct)                 \
  CASE(ethier_steinman)      \
  CASE(heated_cavity)        \
  CASE(kovasznay)            \
  CASE(lid_driven_cavity)    \
  CASE(manufactured_scalar)  \
  CASE(oscillating_flow)     \
  CASE(poiseuille)           \
  CASE(rayleigh_benard)      \
  CASE(robertson)            \
  CASE(rotating_cone)        \
  CASE(smith_hutton)         \
  CASE(square_cylinder)      \
  CASE(taylor_green)         \
  CASE(taylor_green_3d)

#define HODGE_DECLARE_CASE(name) Case name();
#define HODGE_MAKE_CASE(name) name(),

HODGE_CASES(HODGE_DECLARE_CASE)

std::span<const Case> case_table() {
  static const Case table[] = {HODGE_CASES(HODGE_MAKE_CASE)};
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
