// forces: the scales and directions of drag and lift coefficients.
//
//   forces: {speed: 1, length: 1}                                      # 2D: drag along x, lift y
//   forces: {speed: 1, area: 0.785, drag: [1, 0, 0], lift: [0, 0, 1]}  # 3D
#include <algorithm>

#include "sim/app/config/read_point.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"

namespace hodge::sim {
namespace {

ValueReader direction(Point& out, const GridSettings& grid) {
  return checked(point(out, grid), [&out](const YamlNode& value, const std::string& path) {
    if (std::all_of(out.begin(), out.end(), [](double x) { return x == 0; }))
      throw config_error(value.place, "{} is 0, expected a direction", path);
  });
}

std::vector<Key> force_keys(const GridSettings& grid, ForceSettings& forces) {
  const bool flat = grid.dim == 2;
  return {required("speed", number(forces.speed, above(0)), "of the undisturbed flow, L/T"),
          required(flat ? "length" : "area", number(forces.area, above(0)),
                   flat ? "of the body across the flow, L" : "of the body across the flow, L^2"),
          optional("drag", direction(forces.drag, grid), "direction of drag, of any length"),
          optional("lift", direction(forces.lift, grid), "direction of lift, of any length")};
}

}  // namespace

ValueReader forces_section(std::optional<ForceSettings>& forces, const GridSettings& grid) {
  return optional_value(forces,
                        [&grid](ForceSettings& read) { return map_of(force_keys(grid, read)); });
}

}  // namespace hodge::sim
