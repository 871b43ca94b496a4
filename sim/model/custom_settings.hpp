// What a configuration says of the problem itself: all of it for the case `custom`, further scalars
// for the others. Formulas have the parameters' values in them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/flow_rates.hpp"
#include "sim/model/rheology.hpp"

namespace hodge::sim {

using Formulas3 = std::array<Expression, 3>;  // one per axis; those beyond the dimension are 0

// See ScalarProblem (problem.hpp).
struct CustomScalar {
  std::string name;
  double diffusivity = 0;
  std::optional<Expression> varying_diffusivity{};
  Expression initial = 0;    // of x, y, z
  bool has_initial = false;  // the file gives it
  Expression source = 0;     // of x, y, z, t
  std::optional<Expression> reaction;
  std::array<double, 3> buoyancy{};
  double neutral = 0;
  std::optional<Expression> exact;
  ScalarSides sides;
};

// See Problem (problem.hpp).
struct CustomSettings {
  bool described_in_file = false;  // the problem is all but the scalars here, and no case's
  double density = 1;
  double viscosity = 0;
  std::optional<Expression> varying_viscosity{};  // that of the rheology where it has a model
  Rheology rheology{};
  Formulas3 force;      // of x, y, z, t and force_variables()
  FlowRates flow_rate;  // 0 along closed axes says nothing
  Boundaries boundaries;
  std::vector<CustomScalar> scalars;
  Formulas3 initial_velocity;                  // of x, y, z
  std::optional<Expression> initial_pressure;  // none: that which belongs to the velocity
  std::optional<Formulas3> exact_velocity;
  std::optional<Expression> exact_pressure;  // only with exact_velocity
  std::optional<Formulas3> prescribed_velocity;
};

}  // namespace hodge::sim
