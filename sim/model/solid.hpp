// Solid bodies in the fluid: cut through cells, or staircases of the cells whose centres are
// inside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/shape.hpp"
#include "sim/model/solid_scalar.hpp"

namespace hodge::sim {

class Grid;

struct Solid {
  std::string name;  // in files and messages; empty: "solid" and its number in the list, from 1
  Region region;
  std::vector<SolidScalar> scalars{};  // what it is to them; not listed: no flux
  bool sharp = false;             // cut through cells (discrete/bodies/sharp.hpp); else a staircase
  bool treatment_is_open = true;  // flow/treatment.hpp may choose another
};

inline bool has_sharp_solids(const std::vector<Solid>& solids) {
  return !solids.empty() && solids.front().sharp;
}

// What the body is to the scalar of this name; null: it says nothing.
inline const SolidScalar* scalar_of(const Solid& solid, const std::string& name) {
  for (const SolidScalar& of : solid.scalars)
    if (of.name == name) return &of;
  return nullptr;
}

// How the body conducts that scalar; null: it is closed to it, or has a condition.
inline const HeatInside* heat_in(const Solid& solid, const std::string& name) {
  const SolidScalar* const of = scalar_of(solid, name);
  return of != nullptr && of->heat ? &*of->heat : nullptr;
}

// Of every solid. Errors: ConfigError where two are the same.
std::vector<std::string> solid_names(const std::vector<Solid>& solids);

inline constexpr std::size_t most_solids = 254;

// For every cell (axis 0 fastest, no ghosts) 0, or 1 + the first body that contains its centre; a
// body that crosses a periodic side goes on at the other one. Errors: ConfigError for a shape that
// makes no body (no radius, say), a body without the centre of any cell, a surface that is not
// closed or a file that holds none, more than most_solids bodies, bodies of one name or that leave
// no fluid; IoError for a file that cannot be read.
std::vector<std::uint8_t> cell_bodies(const Grid& grid, const std::vector<Solid>& solids,
                                      const std::array<bool, 3>& periodic = {});

// The connected regions of fluid cells (neighbours share a face; periodic axes wrap), numbered in
// the order of their first cells.
struct FluidRegions {
  std::vector<int> region;       // of each cell, -1 in solids
  std::vector<long long> cells;  // of each region
};
FluidRegions fluid_regions(const Grid& grid, const std::vector<std::uint8_t>& bodies,
                           const std::array<bool, 3>& periodic);

}  // namespace hodge::sim
