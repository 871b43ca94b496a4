#include "sim/flow/compact_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "sim/discrete/bodies/shapes.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

constexpr double most_slender = 2.5;  // width over thickness
constexpr double least_gap = 0.75;    // over the width of the body beside it

// The part of a solid that lies in the box.
struct BodyInBox {
  std::string name;
  Extent extent;
  std::array<bool, 3> spans{};  // the box along this axis
  double width = 0, thickness = 0;
};

// How far the box goes on beyond an end of the body until a side; 0: the body is at the side.
double room(const Axis& axis, const Extent& extent, int d, int side) {
  return side == 0 ? extent.lower[d] - axis.lower() : axis.upper() - extent.upper[d];
}

BodyInBox in_box(const std::string& name, Extent extent, const Problem& problem, const Grid& grid) {
  BodyInBox body{name, extent, {}};
  for (int d = 0; d < grid.dim(); ++d) {
    const Axis& axis = grid.axis(d);
    body.extent.lower[d] = std::max(extent.lower[d], axis.lower());
    body.extent.upper[d] = std::min(extent.upper[d], axis.upper());
    const bool ends_at_side[2] = {room(axis, body.extent, d, 0) <= 0,
                                  room(axis, body.extent, d, 1) <= 0};
    body.spans[d] = ends_at_side[0] && ends_at_side[1];
    if (body.spans[d]) continue;
    const bool has_image = !problem.boundaries.periodic(d) && (ends_at_side[0] || ends_at_side[1]);
    const double size = (body.extent.upper[d] - body.extent.lower[d]) * (has_image ? 2 : 1);
    body.thickness = body.width == 0 ? size : std::min(body.thickness, size);
    body.width = std::max(body.width, size);
  }
  return body;
}

// Between two intervals along an axis, of which one may be shifted by the period.
double distance_along(const Axis& axis, bool periodic, const Extent& a, const Extent& b, int d) {
  const auto apart = [&](double shift) {
    return std::max({0.0, b.lower[d] + shift - a.upper[d], a.lower[d] - b.upper[d] - shift});
  };
  if (!periodic) return apart(0);
  return std::min({apart(0), apart(axis.length()), apart(-axis.length())});
}

double distance(const BodyInBox& a, const BodyInBox& b, const Problem& problem, const Grid& grid) {
  double squares = 0;
  for (int d = 0; d < grid.dim(); ++d)
    squares += std::pow(
        distance_along(grid.axis(d), problem.boundaries.periodic(d), a.extent, b.extent, d), 2);
  return std::sqrt(squares);
}

std::string against(const BodyInBox& body, const Problem& problem, const Grid& grid) {
  int free_axes = 0;
  for (int d = 0; d < grid.dim(); ++d) free_axes += body.spans[d] ? 0 : 1;
  if (free_axes < 2) return body.name + " divides the box";
  if (body.width > most_slender * body.thickness)
    return fmt::format("{} is more than {} times as wide as thick", body.name, most_slender);
  for (int d = 0; d < grid.dim(); ++d) {
    if (body.spans[d]) continue;
    const Axis& axis = grid.axis(d);
    const double rooms[2] = {room(axis, body.extent, d, 0), room(axis, body.extent, d, 1)};
    const bool periodic = problem.boundaries.periodic(d);
    for (const double here : rooms) {
      const double gap = periodic ? rooms[0] + rooms[1] : 2 * here;  // to an image of the body
      if ((periodic || here > 0) && gap < least_gap * body.width)
        return fmt::format("there is a narrow gap beside {} along {}", body.name, axis_names[d]);
    }
  }
  return {};
}

}  // namespace

std::string against_few_iterations(const Problem& problem, const Grid& grid) {
  const std::vector<std::string> names = solid_names(problem.solids);
  std::vector<BodyInBox> bodies;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto extent_of = [](const auto& shape) -> std::optional<Extent> {
      if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, SurfaceShape>)
        return std::nullopt;
      else
        return extent(shape);
    };
    const std::optional<Extent> extent = std::visit(extent_of, problem.solids[k].shape);
    if (!extent) return names[k] + " is a surface, which may have thin parts";
    bodies.push_back(in_box(names[k], *extent, problem, grid));
  }
  for (const BodyInBox& body : bodies)
    if (std::string why = against(body, problem, grid); !why.empty()) return why;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (distance(bodies[i], bodies[j], problem, grid) <
          least_gap * std::min(bodies[i].width, bodies[j].width))
        return fmt::format("the gap between {} and {} is narrow", names[j], names[i]);
  return {};
}

}  // namespace hodge::sim
