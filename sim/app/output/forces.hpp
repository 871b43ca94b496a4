// A row of forces.csv: the force of the fluid on every body after a step.
//
// Columns: step, t, and for every body
//
//   <body>_pressure_x, _y (_z in 3D), <body>_viscous_x, ...       the forces on its surface
//   <body>_drag, _lift                                            where their scales are given
//   <body>_pressure_moment_z, <body>_viscous_moment_z             in 3D _x, _y, _z
//   <body>_moment                                                 its coefficient, as above
//   <body>_control_x, ..., <body>_control_drag, _control_lift     by the balance of momentum in a
//                                                                 box, where the body has one
//
//   c = 2 F.direction / (density speed^2 area),   direction of length 1
//   c_moment = 2 M.(drag x lift) / (density speed^2 area length)
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
