#include "sim/flow/inflow_profiles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "sim/base/formulas/separation.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

constexpr double rounding_of_a_profile = 1e-12;  // of its gross flux: what is none

void scale(const BoxSide& at, const SideFlux& profile, Side& side) {
  const double into = at.side == 0 ? profile.open : -profile.open;
  const std::string key = fmt::format("boundaries.{}.flow_rate", side_name(at.axis, at.side));
  if (!std::isfinite(profile.gross))
    throw KeyError(key, fmt::format("{}: the profile {} is no finite number everywhere in the side",
                                    key, quote(side.velocity[at.axis].text())));
  if (std::abs(into) <= rounding_of_a_profile * profile.gross)
    throw KeyError(key,
                   fmt::format("{} is {}, and nothing passes the side with the profile {}, "
                               "expected one that lets fluid in or out",
                               key, side.flow_rate->text(), quote(side.velocity[at.axis].text())));
  const Expression factor = side.flow_rate->times(1 / into);
  for (Expression& u : side.velocity) u = u.times(factor);
  side.flow_rate.reset();
}

}  // namespace

SideFlux flux_of_formula(const Boundaries& boundaries, const Grid& grid,
                         const std::vector<std::uint8_t>& bodies, const BoxSide& at, double t,
                         const SideOpenings& openings) {
  const SeparatedFormula normal(boundaries.sides[at.axis][at.side].velocity[at.axis]);
  SideFlux flux;
  std::size_t number = 0;
  for_each_on_host(cells_along_side(grid, at.axis, at.side), [&](const Index<3>& c) {
    const double area = face_area(grid, at.axis, c);
    const MeanBox face = mean_box_in_side(grid, at.axis, at.side, c);
    flux.whole += area * normal.over(face, t, Smooth::mean);
    const SideOpening* const opening = opening_at(openings, number++);
    const auto cell = static_cast<std::size_t>(all_cells(grid).position(c));
    if (opening == nullptr && !bodies.empty() && bodies[cell] != 0) return;
    const double passes = area * open_velocity(normal, grid, at, c, opening, t);
    flux.open += passes;
    flux.gross += std::abs(passes);
  });
  return flux;
}

void scale_inflows(const GridSettings& settings, Problem& problem) {
  std::vector<std::uint8_t> bodies;
  for (const BoxSide& at : sides_of_box(settings.dim)) {
    Side& side = problem.boundaries.sides[at.axis][at.side];
    if (!side.flow_rate) continue;
    const Grid grid(settings);
    if (bodies.empty() && !problem.solids.empty()) bodies = cell_bodies(grid, problem);
    scale(at,
          flux_of_formula(problem.boundaries, grid, bodies, at, 0,
                          openings_of_side(grid, problem, at)),
          side);
  }
}

}  // namespace hodge::sim
