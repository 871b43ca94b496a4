// Bodies of whole cells: a face is closed where one of its two cells is solid, and the value beyond
// is, in terms of that within,
//
//   of a scalar               the same: no flux
//   of u_d, in the surface    0
//   of u_d, behind it         minus that value: no slip half-way, where both cells of the face are
//                             solid and a wall lies between it and the free face beside it across d
//
// Beyond the box periodic axes repeat, and the outermost cells go on elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

// `cells`: of every cell of the whole box, unpadded, the number of its body from 1, or 0
// (cell_bodies); or empty.
template <int Dim>
BodyPoints<Dim> staircase(const Layout<Dim>& layout, const std::vector<std::uint8_t>& cells,
                          const Boundaries& boundaries);

}  // namespace hodge::sim
