// The lengths of a grid of equal cells, as operators read them from a GridView: constants, so that
// a kernel loads none and a loop computes only once what is made of them. They are the numbers that
// the arrays of the grid hold, so results are the same bit for bit.
#pragma once

#include <optional>

#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

template <int Dim>
struct UniformGrid {
  Index<Dim> cells;
  double h[Dim], inverse_h[Dim];

  HODGE_HD double face_area(int d, const Index<Dim>&) const {
    double area = 1.0;
    unrolled<Dim>([&](auto e) { area *= e == d ? 1.0 : h[e]; });
    return area;
  }
  HODGE_HD double control_area(int /*location*/, int e, const Index<Dim>& c) const {
    return face_area(e, c);
  }
  HODGE_HD double inverse_distance(int d, int) const { return inverse_h[d]; }
  HODGE_HD double inverse_spacing(int /*location*/, int e, const Index<Dim>&) const {
    return inverse_h[e];
  }
  HODGE_HD double control_volume(int /*location*/, const Index<Dim>&) const {
    double volume = 1.0;
    unrolled<Dim>([&](auto e) { volume *= h[e]; });
    return volume;
  }
  HODGE_HD double inverse_control_volume(int /*location*/, const Index<Dim>&) const {
    double inverse = 1.0;
    unrolled<Dim>([&](auto e) { inverse *= inverse_h[e]; });
    return inverse;
  }
};

// Of equal cells; else none.
template <int Dim>
std::optional<UniformGrid<Dim>> uniform_grid(const Grid& grid, const Layout<Dim>& layout) {
  if (!grid.uniform()) return std::nullopt;
  UniformGrid<Dim> uniform{};
  for (int d = 0; d < Dim; ++d) {
    uniform.cells[d] = layout.cells[d];
    uniform.h[d] = grid.axis(d).widths[0];
    uniform.inverse_h[d] = 1.0 / uniform.h[d];
  }
  return uniform;
}

}  // namespace hodge::sim
