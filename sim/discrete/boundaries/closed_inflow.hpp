// Regions of fluid that no open side drains, and the faces of inflow sides through which fluid
// enters or leaves them. An incompressible fluid needs as much out as in there: less than
// `balance_tolerance` of what passes is taken out evenly (inflow_balance.hpp), more is an error.
//
// All of this is on the host and found once, from the cells that are not solid.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/formulas/separation.hpp"
#include "sim/discrete/bodies/side_openings.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// The largest net flux through the inflow faces of a region, as a part of the sum of all absolute
// fluxes: a profile that balances exactly does not quite balance on few cells.
inline constexpr double balance_tolerance = 0.01;

// For each region, whether one of its cells lies at an open side, with a face that moves. Here and
// below, empty `regions` (a box without solids) stand for one region of all cells.
std::vector<bool> regions_with_open_side(const Grid& grid, const Boundaries& boundaries,
                                         const FluidRegions& regions,
                                         const OpeningsOfSides& openings = {});

// A region without an open side and with faces of inflow sides.
struct ClosedRegion {
  long long cells = 0;
  bool all_fluid = false;  // there is no other region
  Point lower{}, upper{};  // the corners of a box around it
  double inflow_area = 0;
};

struct ClosedInflow {
  struct OfSide {
    int axis, side;
    std::vector<int> region;  // of every face, the lower axis first: a number of `regions`, or -1
    SideOpenings openings{};
  };

  int dim = 0;
  std::vector<ClosedRegion> regions;
  std::vector<OfSide> sides;  // those that such regions touch
  bool changes = false;       // a formula of these sides depends on t

  bool any() const { return !regions.empty(); }
};

// Whether a formula of its sides depends on t.
bool inflow_changes(const ClosedInflow& inflow, const Boundaries& boundaries);

ClosedInflow closed_inflow(const Grid& grid, const Boundaries& boundaries,
                           const FluidRegions& regions, const OpeningsOfSides& openings = {});

// Of a formula of the velocity across a side, its value at the face of cell c times the open part;
// null: the face is open.
double open_velocity(const SeparatedFormula& normal, const Grid& grid, const BoxSide& at,
                     const Index<3>& c, const SideOpening* opening, double t);
inline const SideOpening* opening_at(const SideOpenings& openings, std::size_t face) {
  return openings.empty() ? nullptr : &openings[face];
}

// What passes through the faces that a region has in a side: volumes a unit of time.
struct PassingFlux {
  double outward = 0;  // the net flux
  double gross = 0;    // the sum of the absolute fluxes of all faces
};

// The sum over its sides.
PassingFlux total_of(const ClosedInflow& inflow, std::span<const PassingFlux> fluxes,
                     std::size_t region);

// By the formulas at time t, of every region and side: [region * sides + side].
std::vector<PassingFlux> passing_fluxes(const Grid& grid, const Boundaries& boundaries,
                                        const ClosedInflow& inflow, double t);

// What does not balance, as the beginning of a sentence: the region, its sides and the amounts.
// `rounding`: net fluxes of each region that count as none; empty: only 0 does.
std::optional<std::string> imbalance(const ClosedInflow& inflow,
                                     std::span<const PassingFlux> fluxes, double t,
                                     std::span<const double> rounding = {});

}  // namespace hodge::sim
