#include "sim/app/output/forces.hpp"

#include <cmath>

#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

double coefficient(const BodyForce& force, const Point& direction, const ForceSettings& scales,
                   double density) {
  double along = 0, squares = 0;
  for (int d = 0; d < 3; ++d) {
    along += (force.pressure[d] + force.viscous[d]) * direction[d];
    squares += direction[d] * direction[d];
  }
  return 2 * along / std::sqrt(squares) / (density * scales.speed * scales.speed * scales.area);
}

}  // namespace

CsvRow forces_row(long step, double time, const std::vector<BodyForce>& forces,
                  const ForceScales& scales) {
  CsvRow row{{"step", step}, {"t", time}};
  for (const BodyForce& force : forces) {
    for (int d = 0; d < scales.dim; ++d)
      row.push_back({force.body + "_pressure_" + axis_names[d], force.pressure[d]});
    for (int d = 0; d < scales.dim; ++d)
      row.push_back({force.body + "_viscous_" + axis_names[d], force.viscous[d]});
    if (!scales.coefficients) continue;
    const ForceSettings& by = *scales.coefficients;
    row.push_back({force.body + "_drag", coefficient(force, by.drag, by, scales.density)});
    row.push_back({force.body + "_lift", coefficient(force, by.lift, by, scales.density)});
  }
  return row;
}

}  // namespace hodge::sim
