#include "sim/app/output/forces.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

using Vector3 = std::array<double, 3>;

double along(const Vector3& a, const Point& direction) {
  double sum = 0, squares = 0;
  for (int d = 0; d < 3; ++d) {
    sum += a[d] * direction[d];
    squares += direction[d] * direction[d];
  }
  return sum / std::sqrt(squares);
}

Vector3 sum_of(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void add_vector(CsvRow& row, const std::string& name, const Vector3& of, int first, int dim) {
  for (int d = first; d < dim; ++d) row.push_back({name + "_" + axis_names[d], of[d]});
}

void add_body(CsvRow& row, const BodyForce& force, const ForceScales& scales) {
  const std::string& body = force.body;
  const auto& by = scales.coefficients;
  const double unit = by ? 2 / (scales.density * by->speed * by->speed * by->area) : 0;
  const auto add_coefficients = [&](const std::string& prefix, const Vector3& whole) {
    if (!by) return;
    row.push_back({prefix + "drag", unit * along(whole, by->drag)});
    row.push_back({prefix + "lift", unit * along(whole, by->lift)});
  };
  add_vector(row, body + "_pressure", force.pressure, 0, scales.dim);
  add_vector(row, body + "_viscous", force.viscous, 0, scales.dim);
  add_coefficients(body + "_", sum_of(force.pressure, force.viscous));
  const int first_moment = scales.dim == 2 ? 2 : 0;
  add_vector(row, body + "_pressure_moment", force.pressure_moment, first_moment, 3);
  add_vector(row, body + "_viscous_moment", force.viscous_moment, first_moment, 3);
  const auto length = by ? by->reference_length(scales.dim) : std::nullopt;
  const Point axis = by ? cross(by->drag, by->lift) : Point{};
  if (length && axis != Point{}) {
    const Vector3 whole = sum_of(force.pressure_moment, force.viscous_moment);
    row.push_back({body + "_moment", unit / *length * along(whole, axis)});
  }
  if (!force.control) return;
  add_vector(row, body + "_control", *force.control, 0, scales.dim);
  add_coefficients(body + "_control_", *force.control);
}

}  // namespace

CsvRow forces_row(long step, double time, const std::vector<BodyForce>& forces,
                  const ForceScales& scales) {
  CsvRow row{{"step", step}, {"t", time}};
  for (const BodyForce& force : forces) add_body(row, force, scales);
  return row;
}

}  // namespace hodge::sim
