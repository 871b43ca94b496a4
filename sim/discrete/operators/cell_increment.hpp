// The pressure increment phi as the direct solver leaves it, one value per cell, and the correction
// of the velocity by it.
//
//   u^{n+1} = u* - factor grad phi,   factor = dt / (rho a0)
//
// What phi is beyond a side follows as boundaries/ghosts.hpp fills it: the cell at the opposite
// side of a periodic axis, or 2 value - inner at an open side. No other side has a corrected face.
// Where processes share the box, the cells of others lie before and behind the values, one layer
// each.
// There are no solids in a box that is solved directly.
//
// Bytes per cell in 3D: u read and written, 48, phi 8; with the pressure 16 more, with the
// published one 8 beside.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "linalg/base/read_once.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/operators/correction.hpp"

namespace hodge::sim {

template <int Dim>
struct CellIncrement {
  ConstFieldView<Dim> values{};
  Index<Dim> cells{};
  SideKinds<Dim> sides{};
  SideValues<Dim> in_sides{};

  HODGE_HD double operator()(const Index<Dim>& c) const { return values(c); }
  // Beyond a side, next to the cell beside it; c: any index of that row. Beyond a closed side as
  // within: no gradient.
  HODGE_HD double beyond(int d, int side, const Index<Dim>& c) const {
    const SideIndices at{cells[d], side};
    if (sides.wraps[d]) return (*this)(with(c, d, at.opposite(1)));
    if (sides.continues[d][side]) return (*this)(with(c, d, at.ghost(1)));
    const double inner = (*this)(with(c, d, at.inner(1)));
    if (!sides.open[d][side]) return inner;
    const double* const value = in_sides.of[d][side];
    return (value ? 2.0 * value[layer_position(cells, d, c)] : 0.0) - inner;
  }
  // phi(c) - phi(c - e_d) at a face in a side.
  HODGE_HD double difference_in_side(int d, int side, const Index<Dim>& c) const {
    const double inner = (*this)(with(c, d, SideIndices{cells[d], side}.inner(1)));
    return side == 0 ? inner - beyond(d, 0, c) : beyond(d, 1, c) - inner;
  }
};

// Values of cells one after the other.
template <int Dim>
ConstFieldView<Dim> view_of_rows(const double* values, const Index<Dim>& cells) {
  ConstFieldView<Dim> view;
  view.origin = values;
  int stride = 1;
  for (int d = 0; d < Dim; ++d) {
    view.stride[d] = stride;
    stride *= cells[d];
  }
  return view;
}

// Part d: the faces of component d between cells; where the pressure changes the cells; then the
// faces in each side.
template <int Dim, PressureChange change>
struct CorrectionAtPoint {
  static constexpr bool has_pressure = change != PressureChange::none;
  static constexpr int together = Dim + (has_pressure ? 1 : 0), parts = together + 2 * Dim;

  GridView<Dim> grid;
  CellIncrement<Dim> phi;
  double factor;
  VelocityView<Dim> u;
  PressureUpdate<Dim> update;

  template <int Part>
  HODGE_HD double value(std::integral_constant<int, Part>, const Index<Dim>& c) const {
    if constexpr (Part < Dim) {
      return corrected(Part, phi(c) - phi(c.shifted(Part, -1)), c);
    } else if constexpr (Part < together) {
      return linalg::read_once(update.old(c)) + phi(c);
    } else {
      constexpr int d = (Part - together) / 2, side = (Part - together) % 2;
      return corrected(d, phi.difference_in_side(d, side, c), c);
    }
  }
  template <int Part>
  HODGE_HD void store(std::integral_constant<int, Part>, const Index<Dim>& c, double value) const {
    if constexpr (Part != Dim || !has_pressure) {
      linalg::write_once(u[Part < Dim ? Part : (Part - together) / 2](c), value);
    } else {
      if constexpr (change == PressureChange::publish)
        linalg::write_once(update.published(c), ahead_of(value, update.old(c), update.ahead));
      linalg::write_once(update.pressure(c), value);
    }
  }
  template <int Part>
  HODGE_HD void operator()(std::integral_constant<int, Part> part, const Index<Dim>& c) const {
    store(part, c, value(part, c));
  }

 private:
  HODGE_HD double corrected(int d, double difference, const Index<Dim>& c) const {
    const double correction = factor * (difference * grid.inverse_distance(d, c[d]));
    return linalg::read_once(u[d](c)) - correction;
  }
};

// The boxes of its parts.
template <class AtPoint, int Dim>
std::array<Box<Dim>, static_cast<std::size_t>(AtPoint::parts)> corrected_boxes(
    const Layout<Dim>& layout, const SideKinds<Dim>& sides) {
  const CorrectedFaces<Dim> faces(layout, sides);
  std::array<Box<Dim>, static_cast<std::size_t>(AtPoint::parts)> boxes;
  boxes.fill(layout.interior());
  for (int d = 0; d < Dim; ++d) {
    boxes[static_cast<std::size_t>(d)].lower[d] = 1;
    for (int side = 0; side < 2; ++side) {
      const int face = SideIndices{layout.cells[d], side}.face();
      Box<Dim>& in_side = boxes[static_cast<std::size_t>(AtPoint::together + 2 * d + side)];
      in_side.lower[d] = face;
      in_side.upper[d] = face + 1;
      if (face < faces.of[d].lower[d] || face >= faces.of[d].upper[d])
        in_side = {Index<Dim>::filled(0), Index<Dim>::filled(0)};
    }
  }
  return boxes;
}

template <int Dim, class Space>
void correct_by_increment(const GridView<Dim>& grid, const CellIncrement<Dim>& phi, double factor,
                          VelocityField<Dim, Space>& velocity,
                          const PressureUpdate<Dim>& update = {}) {
  const auto correct = [&]<PressureChange change>() {
    using AtPoint = CorrectionAtPoint<Dim, change>;
    linalg::for_each_of<Space>(corrected_boxes<AtPoint>(velocity[0].layout(), phi.sides),
                               AtPoint{grid, phi, factor, velocity.view(), update});
  };
  using enum PressureChange;
  switch (update.change) {
    case none:
      return correct.template operator()<none>();
    case increment:
      return correct.template operator()<increment>();
    case publish:
      return correct.template operator()<publish>();
  }
}

}  // namespace hodge::sim
