#include "sim/app/output/forces.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

double force_coefficient(const BodyForce& force, const Point& direction,
                         const ForceSettings& scales, double density) {
  double along = 0, squares = 0;
  for (int d = 0; d < 3; ++d) {
    along += (force.pressure[d] + force.viscous[d]) * direction[d];
    squares += direction[d] * direction[d];
  }
  return 2 * along / std::sqrt(squares) / (density * scales.speed * scales.speed * scales.area);
}

ForcesWriter::ForcesWriter(RowFile file, const std::vector<std::string>& bodies,
                           const Scales& scales)
    : file_(std::move(file)), scales_(scales) {
  if (file_.empty()) file_.append(header(bodies));
}

std::string ForcesWriter::header(const std::vector<std::string>& bodies) const {
  std::string text = "step,t";
  for (const std::string& body : bodies) {
    for (const char* kind : {"pressure", "viscous"})
      for (int d = 0; d < scales_.dim; ++d)
        text += fmt::format(",{}_{}_{}", body, kind, axis_names[d]);
    if (scales_.coefficients) text += fmt::format(",{0}_drag,{0}_lift", body);
  }
  return text + "\n";
}

void ForcesWriter::append(long step, double time, const std::vector<BodyForce>& forces) {
  std::string row = fmt::format("{},{}", step, time);
  for (const BodyForce& force : forces) {
    for (const auto* part : {&force.pressure, &force.viscous})
      for (int d = 0; d < scales_.dim; ++d) row += fmt::format(",{}", (*part)[d]);
    if (!scales_.coefficients) continue;
    const ForceSettings& scales = *scales_.coefficients;
    for (const Point& direction : {scales.drag, scales.lift})
      row += fmt::format(",{}", force_coefficient(force, direction, scales, scales_.density));
  }
  file_.append(row + "\n");
}

}  // namespace hodge::sim
