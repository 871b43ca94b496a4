// What history.csv says of the present fields beside the diagnostics (sim/OUTPUT.md):
//
//   enstrophy, dissipation      operators/velocity_gradients.hpp; not of a prescribed velocity,
//                               nor beside sharp bodies
//   flow_rate_<axis>            integral of u_d over the box / its length, of periodic axes
//   flow_rate_<side>            through a side that lets fluid in or out, positive along the axis
//   entering_limited_<side>     how much of an open side the rule for entering fluid acts on
//                               (boundaries/entering.hpp): (1 - share) (what enters) / (what passes
//                               either way), 0 to 1
//   <scalar>_integral, _minimum, _maximum   over the fluid and the bodies that conduct the scalar,
//                               the integral with the capacity
//   <scalar>_rate_<body>        what a body with a condition or heat gives, an amount a time
//   nusselt_<scalar>_<body>     rate * length / (surface * diffusivity * difference), as scaled
//   nusselt_<scalar>_<side>     <-dc/dx> L / (c_lower - c_upper), <> the mean over the side
//                               without solids, between walls of constant values; 1 for conduction
//                               alone
//
// Each is a Column, made of the results of a Measurement; a problem decides which it has.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// One reduction in the space (quantities.hpp), and where its results are among all results.
struct Measurement {
  enum class Of {
    velocity,   // dissipation / nu, enstrophy, the integral of each u_d
    scalar,     // integral, the largest c and -c, the largest 1/|c| where c >= 0 and where c <= 0
    flow_rate,  // the integral of u_d over a side
    open_side,  // SideFlow (boundaries/entering.hpp) of a side, the integrals of u_d and |u_d|
    body,       // what a body gives of a scalar
    descent     // the integral of -dc/dx over a side, and of 1, without solids
  };
  Of of;
  int axis = 0, face = 0;  // of a side; face: 0 or n
  std::size_t scalar = 0;
  int body = 0;           // from 1
  double extent = 0;      // the smallest of an open side
  std::size_t first = 0;  // result
};

// A quantity: factor * result / divisor, factor * result / the next one, or an extreme of a scalar.
struct QuantityColumn {
  enum class Of { result, ratio, limited, minimum, maximum };
  std::string name;
  std::size_t first;  // result
  double factor = 1, divisor = 1;
  Of of = Of::result;
};

struct QuantityPlan {
  std::vector<Measurement> measurements;
  std::vector<QuantityColumn> columns;
  std::size_t results = 0;
};

inline constexpr const char* limited_prefix = "entering_limited_";  // then the name of a side

QuantityPlan quantity_plan(const Problem& problem, const Grid& grid);

std::vector<Quantity> quantities_of(const QuantityPlan& plan, std::span<const double> results);

}  // namespace hodge::sim
