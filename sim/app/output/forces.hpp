// A row of forces.csv: the force of the fluid on every body after a step.
//
// Columns: step, t, and for every body <body>_pressure_x, _y (and _z in 3D), <body>_viscous_x, ...
// and, where their scales are given, <body>_drag and <body>_lift, the coefficients of the whole
// force along the two directions:
//
//   c = 2 F.direction / (density speed^2 area),   direction of length 1
#pragma once

#include <optional>
#include <vector>

#include "sim/base/csv_row.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct ForceScales {
  int dim = 3;
  double density = 1;
  std::optional<ForceSettings> coefficients;
};

// The bodies in their order.
CsvRow forces_row(long step, double time, const std::vector<BodyForce>& forces,
                  const ForceScales& scales);

}  // namespace hodge::sim
