#include "sim/flow/compact_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/discrete/bodies/shapes.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

constexpr double most_slender = 2.5;   // width over thickness
constexpr double least_gap = 0.75;     // over the width of the body beside it
constexpr double equal_within = 1e-9;  // relative: lengths that differ less count as equal

// A box, sphere or cylinder: the points at most `radius` from its core, which is the box itself,
// the centre or the axis.
struct RoundedBox {
  ShapeExtent core;
  double radius = 0;
};

RoundedBox rounded(const BoxShape& box) {
  return {extent(box)};
}

RoundedBox rounded(const SphereShape& sphere) {
  return {{sphere.centre, sphere.centre}, sphere.radius};
}

RoundedBox rounded(const CylinderShape& cylinder) {
  ShapeExtent core = extent(cylinder);
  for (int d = 0; d < 3; ++d)
    if (d != cylinder.axis) core.lower[d] = core.upper[d] = cylinder.centre[d];
  return {core, cylinder.radius};
}

// Nothing: the region is none of these.
std::optional<RoundedBox> rounded(const Region& region) {
  if (region.turned.turns() || region.inside_out) return std::nullopt;
  if (const auto* const box = std::get_if<BoxShape>(&region.shape)) return rounded(*box);
  if (const auto* const sphere = std::get_if<SphereShape>(&region.shape)) return rounded(*sphere);
  const auto* const cylinder = std::get_if<CylinderShape>(&region.shape);
  if (cylinder == nullptr || std::isfinite(cylinder->length)) return std::nullopt;
  return rounded(*cylinder);
}

struct BodyInBox {
  std::string name;
  RoundedBox shape;
  ShapeExtent extent;           // of its part in the box
  std::array<bool, 3> spans{};  // the box along this axis
  bool has_image = false;       // in a side that it touches
  double width = 0, thickness = 0;
};

// How far the box goes on beyond an end of the body until a side; 0: the body is at the side.
double room(const Axis& axis, const ShapeExtent& extent, int d, int side) {
  const double left = side == 0 ? extent.lower[d] - axis.lower() : axis.upper() - extent.upper[d];
  return left > equal_within * axis.length() ? left : 0;
}

// Nothing: no part of the shape is in the box.
std::optional<ShapeExtent> part_in_box(const RoundedBox& shape, const Grid& grid) {
  const ShapeExtent& core = shape.core;
  double squares = 0;  // of the distance from the core to the box
  Point outside{};     // its parts along the axes
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    outside[d] = std::max({0.0, axis.lower() - core.upper[d], core.lower[d] - axis.upper()});
    squares += outside[d] * outside[d];
  }
  ShapeExtent part;
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    const double left = shape.radius * shape.radius - (squares - outside[d] * outside[d]);
    const double reach = std::sqrt(std::max(0.0, left));
    part.lower[d] = std::max(core.lower[d] - reach, axis.lower());
    part.upper[d] = std::min(core.upper[d] + reach, axis.upper());
    if (left < 0 || part.upper[d] - part.lower[d] <= equal_within * axis.length())
      return std::nullopt;
  }
  return part;
}

BodyInBox in_box(const std::string& name, const RoundedBox& shape, const ShapeExtent& part,
                 const Problem& problem, const Grid& grid) {
  BodyInBox body{name, shape, part};
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    const bool ends_at_side[2] = {room(axis, part, d, 0) == 0, room(axis, part, d, 1) == 0};
    body.spans[d] = ends_at_side[0] && ends_at_side[1];
    if (body.spans[d]) continue;
    const bool has_image = !problem.boundaries.periodic(d) && (ends_at_side[0] || ends_at_side[1]);
    const double size = (part.upper[d] - part.lower[d]) * (has_image ? 2 : 1);
    body.has_image = body.has_image || has_image;
    body.thickness = body.width == 0 ? size : std::min(body.thickness, size);
    body.width = std::max(body.width, size);
  }
  return body;
}

// Between two intervals along an axis, of which one may be shifted by the period.
double distance_along(const Axis& axis, bool periodic, const ShapeExtent& a, const ShapeExtent& b,
                      int d) {
  const auto apart = [&](double shift) {
    return std::max({0.0, b.lower[d] + shift - a.upper[d], a.lower[d] - b.upper[d] - shift});
  };
  if (!periodic) return apart(0);
  return std::min({apart(0), apart(axis.length()), apart(-axis.length())});
}

double distance(const ShapeExtent& a, const ShapeExtent& b, const Problem& problem,
                const Grid& grid) {
  double squares = 0;
  for (int d = 0; d < grid.dim(); ++d)
    squares += std::pow(distance_along(grid.axis(d), problem.boundaries.periodic(d), a, b, d), 2);
  return std::sqrt(squares);
}

// The parts in the box are at least as far from each other as the whole bodies and as their
// extents.
double distance(const BodyInBox& a, const BodyInBox& b, const Problem& problem, const Grid& grid) {
  const double of_cores = distance(a.shape.core, b.shape.core, problem, grid);
  return std::max(of_cores - a.shape.radius - b.shape.radius,
                  distance(a.extent, b.extent, problem, grid));
}

bool reaches_beyond(const BodyInBox& body, const Axis& axis, int d) {
  const auto& [core, radius] = body.shape;
  return core.lower[d] - radius < axis.lower() || core.upper[d] + radius > axis.upper();
}

std::string against(const BodyInBox& body, const Problem& problem, const Grid& grid) {
  std::vector<std::string> spanned;
  for (int d = 0; d < grid.dim(); ++d)
    if (body.spans[d]) spanned.emplace_back(axis_names[d]);
  if (static_cast<int>(spanned.size()) > grid.dim() - 2)
    return fmt::format("{} spans the box along {}", body.name, fmt::join(spanned, " and "));
  for (int d = 0; d < grid.dim(); ++d)
    if (problem.boundaries.periodic(d) && !body.spans[d] && reaches_beyond(body, grid.axis(d), d))
      return fmt::format("{} crosses a periodic side", body.name);
  if (body.width > most_slender * body.thickness * (1 + equal_within))
    return fmt::format("{}{} is more than {} times as wide as thick", body.name,
                       body.has_image ? " with its mirror image" : "", most_slender);
  for (int d = 0; d < grid.dim(); ++d) {
    if (body.spans[d]) continue;
    const Axis& axis = grid.axis(d);
    const double rooms[2] = {room(axis, body.extent, d, 0), room(axis, body.extent, d, 1)};
    const bool periodic = problem.boundaries.periodic(d);
    for (const double here : rooms) {
      const double gap = periodic ? rooms[0] + rooms[1] : 2 * here;  // to an image of the body
      if ((periodic || here > 0) && gap < least_gap * body.width * (1 - equal_within))
        return fmt::format("there is a narrow gap beside {} along {}", body.name, axis_names[d]);
    }
  }
  return {};
}

std::string against(const BodyInBox& a, const BodyInBox& b, const Problem& problem,
                    const Grid& grid) {
  const double gap = distance(a, b, problem, grid), width = std::min(a.width, b.width);
  if (gap <= equal_within * width) return fmt::format("{} and {} touch or overlap", a.name, b.name);
  if (gap >= least_gap * width * (1 - equal_within)) return {};
  return fmt::format("the gap between {} and {} is narrow", a.name, b.name);
}

}  // namespace

std::string against_few_iterations(const Problem& problem, const Grid& grid) {
  const std::vector<std::string> names = solid_names(problem.solids);
  std::vector<BodyInBox> bodies;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::optional<RoundedBox> shape = rounded(problem.solids[k].region);
    if (!shape) return names[k] + " may have thin parts: it is no plain box, sphere or cylinder";
    if (const auto part = part_in_box(*shape, grid))
      bodies.push_back(in_box(names[k], *shape, *part, problem, grid));
  }
  for (const BodyInBox& body : bodies)
    if (std::string why = against(body, problem, grid); !why.empty()) return why;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::string why = against(bodies[j], bodies[i], problem, grid); !why.empty()) return why;
  return {};
}

}  // namespace hodge::sim
