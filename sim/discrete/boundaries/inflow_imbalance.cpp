// Whether the fluxes of closed regions balance, and the words for it where they do not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {
namespace {

std::string corner_text(const Point& x, int dim) {
  std::vector<std::string> parts;
  for (int d = 0; d < dim; ++d) parts.push_back(fmt::format("{:.4g}", x[d]));
  return fmt::format("({})", fmt::join(parts, ", "));
}

std::string place_text(const ClosedRegion& region, int dim) {
  if (region.all_fluid) return "the fluid";
  return fmt::format("the region of {} {} between {} and {}", region.cells,
                     region.cells == 1 ? "cell" : "cells", corner_text(region.lower, dim),
                     corner_text(region.upper, dim));
}

// "x_lower lets 1 in and 0.2 out"
std::string side_text(const ClosedInflow::OfSide& side, const PassingFlux& flux) {
  const double in = 0.5 * (flux.gross - flux.outward), out = 0.5 * (flux.gross + flux.outward);
  std::vector<std::string> parts;
  if (in != 0) parts.push_back(fmt::format("{:.6g} in", in));  // what is no number, too
  if (out != 0) parts.push_back(fmt::format("{:.6g} out", out));
  return fmt::format("{} lets {}", side_name(side.axis, side.side), fmt::join(parts, " and "));
}

std::string open_kinds() {
  std::vector<std::string> names;
  for (const SideTraits& entry : side_kind_table())
    if (entry.is_open()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string imbalance_text(const ClosedInflow& inflow, std::size_t region,
                           std::span<const PassingFlux> fluxes, double t) {
  std::vector<std::string> sides;
  for (std::size_t k = 0; k < inflow.sides.size(); ++k) {
    const PassingFlux& flux = fluxes[region * inflow.sides.size() + k];
    if (flux.gross != 0) sides.push_back(side_text(inflow.sides[k], flux));
  }
  const PassingFlux total = total_of(inflow, fluxes, region);
  const bool enters = total.outward < 0;
  const std::string sum =
      fmt::format("{:.6g} more {} than {} (of {:.6g} that pass; {:.3g} % may be missing)",
                  std::abs(total.outward), enters ? "enters" : "leaves",
                  enters ? "leaves" : "enters", total.gross, 100 * balance_tolerance);
  return fmt::format(
      "{} reaches no open side ({}) and its inflow does not balance{}: {}, so that {}; give it an "
      "open side, or let as much out as in",
      place_text(inflow.regions[region], inflow.dim), open_kinds(),
      inflow.changes ? fmt::format(" at t = {:.6g}", t) : "", fmt::join(sides, ", "), sum);
}

}  // namespace

PassingFlux total_of(const ClosedInflow& inflow, std::span<const PassingFlux> fluxes,
                     std::size_t region) {
  PassingFlux total;
  for (const PassingFlux& flux :
       fluxes.subspan(region * inflow.sides.size(), inflow.sides.size())) {
    total.outward += flux.outward;
    total.gross += flux.gross;
  }
  return total;
}

std::optional<std::string> imbalance(const ClosedInflow& inflow,
                                     std::span<const PassingFlux> fluxes, double t,
                                     std::span<const double> rounding) {
  for (std::size_t r = 0; r < inflow.regions.size(); ++r) {
    const PassingFlux total = total_of(inflow, fluxes, r);
    const double least = rounding.empty() ? 0.0 : rounding[r];
    const double allowed = std::max(balance_tolerance * total.gross, least);
    if (!(std::abs(total.outward) <= allowed) || !std::isfinite(total.gross))
      return imbalance_text(inflow, r, fluxes, t);
  }
  return std::nullopt;
}

}  // namespace hodge::sim
