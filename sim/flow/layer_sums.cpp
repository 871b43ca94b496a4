#include "sim/flow/layer_sums.hpp"

#include <algorithm>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {
namespace {

LayerEnd end_of(const Side& side) {
  LayerEnd end;
  if (side.traits().is_periodic()) end.kind = LayerEnd::Kind::periodic;
  if (side.kind == SideKind::slip) end.kind = LayerEnd::Kind::slip;
  if (side.kind != SideKind::wall) return end;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!side.velocity[d].is_constant()) return end;
    end.velocity[d] = side.velocity[d]({}, 0);
  }
  end.kind = LayerEnd::Kind::wall;
  return end;
}

// Why there is no budget; empty: there is.
std::string why_without(const LayerPlan& plan, const Problem& problem) {
  if (problem.prescribed_velocity) return "the velocity is prescribed";
  if (!problem.solids.empty()) return "there are bodies";
  if (viscosity_varies(problem)) return "the viscosity varies";
  for (const LayerEnd& end : plan.ends)
    if (end.kind == LayerEnd::Kind::other)
      return "an end of the axis is no wall with a constant velocity, slip or periodic side";
  return {};
}

}  // namespace

std::optional<LayerPlan> layer_plan(const Settings& settings, const Problem& problem,
                                    const Grid& grid) {
  if (!settings.output.statistics || settings.output.statistics->profile.empty())
    return std::nullopt;
  LayerPlan plan{.dim = grid.dim(), .axis = settings.output.statistics->profile[0] - 'x'};
  plan.layers = grid.cells(plan.axis);
  for (std::size_t side = 0; side < 2; ++side)
    plan.ends[side] = end_of(problem.boundaries.sides[static_cast<std::size_t>(plan.axis)][side]);
  plan.without_exchange = why_without(plan, problem);
  plan.has_exchange = plan.without_exchange.empty();
  plan.scalars = scalar_names(problem);
  return plan;
}

std::size_t layer_values(const LayerPlan& plan, const Grid& grid) {
  const int shared = shared_axis(plan.dim, plan.axis);
  std::size_t lines = 1;
  for (int d = 0; d < plan.dim; ++d)
    if (d != shared) lines *= static_cast<std::size_t>(grid.cells(d));
  const int places = shared < 0 ? 1 : std::min(grid.cells(shared), line_places);
  return lines * static_cast<std::size_t>(places + 1) * static_cast<std::size_t>(plan.count());
}

}  // namespace hodge::sim
