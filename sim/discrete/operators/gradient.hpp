// Gradient of a cell-centred field at the faces of component d.
//
//     p(c-e_d) --- delta_d(c) --- p(c)          gradient = (p(c) - p(c - e_d)) / delta_d(c)
//                    ^ face c
#pragma once

#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim, class Grid>  // GridView or UniformGrid
HODGE_HD double gradient(const Grid& grid, const ConstFieldView<Dim>& p, int d,
                         const Index<Dim>& c) {
  return (p(c) - p(c.shifted(d, -1))) * grid.inverse_distance(d, c[d]);
}

}  // namespace hodge::sim
