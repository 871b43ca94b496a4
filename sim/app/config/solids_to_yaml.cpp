#include "sim/app/config/solids_to_yaml.hpp"

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

// "[1, 0.5]": the coordinates that the dimension has.
std::string list(const Point& point, int dim) {
  std::string text;
  for (int d = 0; d < dim; ++d) text += (d > 0 ? ", " : "") + number_text(point[d]);
  return "[" + text + "]";
}

std::string text_of(const BoxShape& box, int dim) {
  return fmt::format("box: {{lower: {}, upper: {}}}", list(box.lower, dim), list(box.upper, dim));
}

std::string text_of(const SphereShape& sphere, int dim) {
  return fmt::format("sphere: {{centre: {}, radius: {}}}", list(sphere.centre, dim),
                     number_text(sphere.radius));
}

std::string text_of(const CylinderShape& cylinder, int dim) {
  return fmt::format("cylinder: {{axis: {}, centre: {}, radius: {}}}", axis_names[cylinder.axis],
                     list(cylinder.centre, dim), number_text(cylinder.radius));
}

std::string text_of(const SurfaceShape& surface, int /*dim*/) {
  return fmt::format("surface: {{file: {}}}", double_quoted(surface.file));
}

}  // namespace

std::string solids_text(const std::vector<Solid>& solids, int dim) {
  if (solids.empty()) return "solids: []\n";
  std::string text = "solids:\n";
  for (const Solid& solid : solids) {
    const std::string shape =
        std::visit([dim](const auto& kind) { return text_of(kind, dim); }, solid.shape);
    const std::string name =
        solid.name.empty() ? "" : fmt::format("name: {}, ", double_quoted(solid.name));
    text += fmt::format("  - {{{}{}}}\n", name, shape);
  }
  return text;
}

std::string forces_text(const std::optional<ForceSettings>& forces, int dim) {
  if (!forces) return "";
  return fmt::format("forces:\n  speed: {}\n  {}: {}\n  drag: {}\n  lift: {}\n",
                     number_text(forces->speed), dim == 2 ? "length" : "area",
                     number_text(forces->area), list(forces->drag, dim), list(forces->lift, dim));
}

}  // namespace hodge::sim
