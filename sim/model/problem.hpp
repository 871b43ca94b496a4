// A case as sim sees it: the fluid, the scalars that it carries, boundaries, solids, the initial
// state, and the exact solution where one is known.
//
//   du/dt + div(u u) = -grad p / density + div(viscosity grad u) + force + buoyancy
//                      - 2 rotation x u,   div u = 0
//                      where the viscosity varies: div(viscosity (grad u + grad u^T))
//   dc/dt + div(u c) = div(diffusivity grad c) + source + reaction
//
// Points have three coordinates, of which a 2D problem ignores the last; velocities have three
// components likewise. Formulas run on the device; functions are called on the host, at the start
// and where errors are measured. Piecewise formulas are means over faces (velocity), cells
// (scalars, sources) or the control volumes of faces (forces).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/flow_rates.hpp"
#include "sim/model/resistance.hpp"
#include "sim/model/solid.hpp"
#include "sim/model/stored_state.hpp"
#include "sim/model/turbulence.hpp"

namespace hodge::sim {

struct ExactSolution {
  std::function<std::array<double, 3>(Point, double t)> velocity;
  std::function<double(Point, double t)> pressure;
};

// The formulas as one function.
inline auto vector_function(const std::array<Expression, 3>& f) {
  return [f](const Point& x, double t) -> std::array<double, 3> {
    return {f[0](x, t), f[1](x, t), f[2](x, t)};
  };
}

// Formulas as functions that a flow starts from: whoever takes means finds them by their type
// (flow/initial_values.hpp), and subdivides where they are piecewise.
struct FormulaAtStart {
  Expression f;
  double operator()(const Point& x) const { return f(x, 0); }
};
struct FormulasAtStart {
  std::array<Expression, 3> f;
  std::array<double, 3> operator()(const Point& x) const {
    return {f[0](x, 0), f[1](x, 0), f[2](x, 0)};
  }
};

// A scalar c that the fluid carries: a concentration, a temperature. Its unit is [c].
struct ScalarProblem {
  std::string name;
  double diffusivity = 0;  // D, L^2/T; of one that varies its largest at t = 0
  std::optional<Expression> varying_diffusivity;  // of coefficient_variables(); absent: a constant
  std::function<double(Point)> initial;           // absent: 0
  ScalarSides sides;                              // without flux unless said
  Expression source = 0;                          // of x, y, z, t; [c]/T
  std::optional<Expression> reaction;             // of x, y, z, t and all scalars; [c]/T
  std::array<double, 3> buoyancy{};               // acceleration of the fluid per unit of c
  double neutral = 0;                             // the c without buoyancy
  std::function<double(Point, double t)> exact;   // absent: not known
};

using PrescribedVelocity = std::array<Expression, 3>;

struct Problem {
  double density = 1;    // rho, M/L^3
  double viscosity = 0;  // nu, kinematic, L^2/T; of one that varies its largest at t = 0
  std::optional<Expression> varying_viscosity{};  // of coefficient_variables(); absent: a constant
  std::optional<Turbulence> turbulence{};         // adds an eddy viscosity; absent: none
  Boundaries boundaries;
  // Several threads call these functions at once.
  std::function<std::array<double, 3>(Point)> initial_velocity;  // absent: at rest
  std::function<double(Point)> initial_pressure;                 // absent: that of the velocity
  std::optional<ExactSolution> exact;
  std::array<Expression, 3> force{};  // per unit of mass; of x, y, z, t; L/T^2
  // Of forces that depend on the flow, in place of those in `force`, which are 0 then; of
  // force_variables(). L/T^2
  std::array<std::optional<Expression>, 3> flow_force{};
  Point rotation{};     // Omega of the frame, 1/T; in 2D along z
  FlowRates flow_rate;  // along periodic axes; takes what acceleration it needs
  std::vector<ScalarProblem> scalars;
  std::vector<Solid> solids;
  std::string treatment{};  // of solids that left it open, and why; empty: none did
  Resistances resistances{};
  // Where given, the velocity is this and no momentum is solved for. It should have no divergence
  // on the grid; convection is conservative whether it does or not.
  std::optional<PrescribedVelocity> prescribed_velocity;
  // Where given, the flow begins with these fields, and what they lack begins as above.
  std::shared_ptr<const StoredState> stored_state{};
};

// Errors: those of cell_bodies (solid.hpp).
inline std::vector<std::uint8_t> cell_bodies(const Grid& grid, const Problem& problem) {
  return cell_bodies(grid, problem.solids, problem.boundaries.periodic_axes());
}

// The flow is known and begins so.
inline void start_from(Problem& problem, const ExactSolution& exact) {
  problem.initial_velocity = [exact](Point x) { return exact.velocity(x, 0); };
  problem.initial_pressure = [exact](Point x) { return exact.pressure(x, 0); };
  problem.exact = exact;
}

inline bool has_reactions(const Problem& problem) {
  bool any = false;
  for (const ScalarProblem& scalar : problem.scalars) any = any || scalar.reaction;
  return any;
}

inline bool rotates(const Problem& problem) {
  return problem.rotation != Point{} && !problem.prescribed_velocity;
}
inline bool has_flow_force(const Problem& problem) {
  bool any = rotates(problem);
  for (const auto& f : problem.flow_force) any = any || f;
  return any;
}

// Whether there is a force, a flow rate, a source or buoyancy, which take a field of their own.
inline bool has_forcing(const Problem& problem) {
  bool any = has_flow_rate(problem.flow_rate) || has_flow_force(problem);
  for (const Expression& f : problem.force) any = any || !f.is_zero();
  for (const ScalarProblem& scalar : problem.scalars)
    any = any || !scalar.source.is_zero() || scalar.buoyancy != std::array<double, 3>{};
  return any;
}

// Whether nothing flows: the prescribed velocity is 0 everywhere.
inline bool is_at_rest(const Problem& problem) {
  if (!problem.prescribed_velocity) return false;
  bool rests = true;
  for (const Expression& f : *problem.prescribed_velocity) rests = rests && f.is_zero();
  return rests;
}

inline bool has_exact_solution(const Problem& problem) {
  bool any = problem.exact.has_value();
  for (const ScalarProblem& scalar : problem.scalars) any = any || scalar.exact;
  return any;
}

// Whether diffusion has coefficients that are fields.
inline bool viscosity_varies(const Problem& problem) {
  return problem.varying_viscosity || problem.turbulence;
}
inline bool diffusivity_varies(const Problem& problem, const ScalarProblem& scalar) {
  return scalar.varying_diffusivity || problem.turbulence;
}

// Whether any coefficient of diffusion varies.
inline bool diffusion_varies(const Problem& problem) {
  bool any = !problem.prescribed_velocity && viscosity_varies(problem);
  for (const ScalarProblem& scalar : problem.scalars)
    any = any || diffusivity_varies(problem, scalar);
  return any;
}

// The variables of a viscosity or diffusivity beside x, y, z, t: the shear rate (2 S:S)^(1/2) of
// the velocity, 1/T, and the scalars by name.
inline constexpr const char* shear_rate_name = "shear_rate";
inline std::vector<std::string> coefficient_variables(const std::vector<std::string>& scalars) {
  std::vector<std::string> names{shear_rate_name};
  names.insert(names.end(), scalars.begin(), scalars.end());
  return names;
}
inline constexpr std::size_t most_scalars_in_coefficients = 8;

// Those of a force: the velocity at the place, and the scalars by name, in this order. A parameter
// or a scalar that is called u, v or w keeps its name; that component has none then.
inline std::vector<std::string> force_variables(int dim, const std::vector<std::string>& scalars,
                                                const std::vector<std::string>& taken = {}) {
  std::vector<std::string> names;
  for (const char* component : {"u", "v", "w"}) {
    if (static_cast<int>(names.size()) == dim) break;
    bool is_taken = false;
    for (const auto* list : {&scalars, &taken})
      for (const std::string& name : *list) is_taken = is_taken || name == component;
    names.push_back(is_taken ? std::string("velocity_") + component : component);
  }
  names.insert(names.end(), scalars.begin(), scalars.end());
  return names;
}

// The variables of a reaction: the scalars by name.
inline std::vector<std::string> scalar_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const ScalarProblem& scalar : problem.scalars) names.push_back(scalar.name);
  return names;
}

}  // namespace hodge::sim
