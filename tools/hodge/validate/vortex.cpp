#include "tools/hodge/validate/vortex.hpp"

#include "tools/hodge/validate/cell_field.hpp"

namespace hodge::tools {
namespace {

Profile stream_function(const CellField& velocity, double x) {
  const sim::Axis& axis = velocity.grid().axis(1);
  const Profile u = velocity.line(0, {.axis = 1, .through = {x, 0, 0}});
  Profile psi;
  psi.add(axis.lower(), 0);
  for (int j = 0; j < axis.cells(); ++j)
    psi.add(axis.edges[j + 1], psi.values.back() + axis.widths[j] * u.values[j]);
  return psi;
}

}  // namespace

// The minimum over x of the minima over y.
Vortex primary_vortex(const sim::Flow& flow) {
  const CellField velocity(flow, "velocity");
  const sim::Axis& axis = velocity.grid().axis(0);
  Profile least, height;
  for (int i = 0; i < axis.cells(); ++i) {
    const Extremum column = extremum(stream_function(velocity, axis.centre(i)), -1);
    least.add(axis.centre(i), column.value);
    height.add(axis.centre(i), column.position);
  }
  const Extremum vortex = extremum(least, -1);
  return {vortex.value, vortex.position, interpolate(height, vortex.position)};
}

}  // namespace hodge::tools
