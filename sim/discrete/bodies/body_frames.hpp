// Where each body is in the grid, and the box of cells around it whose balance of momentum gives
// the force on it (time/control_volumes.hpp).
//
// The default box has 4 cells between its faces and the body, or down to 2 where a side of the box
// of the flow or another body is nearer; a closed side, along which the fluid may not leave, may
// bound it, and so may any side in which a sharp body stands. Where that fails there is none, and
// the reason is kept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/bodies/cut_cell.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Cells lower .. upper - 1 along each axis. On a periodic axis both may lie beyond the last cell,
// and n cells are the whole axis.
struct CellRange {
  std::array<int, 3> lower{}, upper{};
};

struct BodyFrame {
  std::string name{};
  CellRange cells{};           // of the body
  Point centroid{}, middle{};  // of these cells: their centre of mass, the middle of their extent
  double volume = 0;           // in 2D an area
  Point about{};               // of its moments
  std::optional<CellRange> box{};  // none: `without_box` says why
  std::string without_box{};
  bool box_ends_in_passed_side = false;  // in one through which fluid passes

  // Where the faces of the box lie.
  Point box_lower(const Grid& grid) const;
  Point box_upper(const Grid& grid) const;
};

// `bodies`: of every cell, as cell_bodies() makes them; `cut`: those that sharp bodies have in
// part. Errors: KeyError for a box of the settings that does not fit, and for one of a body that is
// not there.
std::vector<BodyFrame> body_frames(const Grid& grid, const Problem& problem,
                                   std::span<const std::uint8_t> bodies,
                                   std::span<const CutCell> cut,
                                   const std::optional<ForceSettings>& forces);

}  // namespace hodge::sim
