// A viscosity or diffusivity that varies, from its values at cells to the places where diffusion
// reads it (fields/face_coefficient.hpp):
//
//   at cells             normal stress
//   on edges             shear stress: of the four cells around the edge
//   at faces             fluxes of a scalar: of the two cells
//
// A value between cells is their harmonic mean, weighed by their widths: that of layers in series,
// exact where the coefficient jumps at a face and of second order where it is smooth. Eddy
// viscosities, which may be 0 in a cell, have the arithmetic mean, added to it.
//
// Beyond a side the coefficient goes on as it does within, q_1 q_1 / q_2, at most by a factor of 2:
// positive, of second order where it is smooth, and not much more than q_1 behind a jump. In a side
// along which the velocity is given, or a scalar, the difference of two values is the derivative a
// quarter of a cell from the side (operators/side_friction.hpp), so the coefficient is that of
// there: three parts of the cell within, one of the value beyond. Cells of bodies do not count.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

// Of the two values within.
HODGE_HD inline double continued(double first, double second) {
  if (!(second > 0.0)) return first;
  const double ratio = first / second;
  return first * (ratio < 0.5 ? 0.5 : ratio > 2.0 ? 2.0 : ratio);
}

template <int Dim, class Space>
void fill_coefficient_ghosts(const SideKinds<Dim>& sides, Field<Dim, Space>& coefficient) {
  const Layout<Dim> layout = coefficient.layout();
  const FieldView<Dim> q = coefficient.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    linalg::for_each<Space>(ghosts_of_rows(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      const GhostOfRow row(n, c[axis]);
      if (sides.wraps[axis]) return store(periodic_ghost(q, row, axis, c), q, row, axis, c);
      if (sides.continues[axis][row.at.side]) return;
      const double first = q(with(c, axis, row.at.inner(1)));
      const double value = n > 1 ? continued(first, q(with(c, axis, row.at.inner(2)))) : first;
      store({value, row.exists()}, q, row, axis, c);
    });
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, std::span(&q, 1));
  }
}

// What the values between cells are made of.
template <int Dim>
struct CoefficientOfCells {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  BodyView<Dim> bodies;
  ConstFieldView<Dim> total;
  ConstFieldView<Dim> eddy{};  // times the factor the part with an arithmetic mean; null: none
  double eddy_factor = 0;
  bool of_scalar = false;
};

// The part that cell i has in a value on the lower face of cell `face` along axis e.
template <int Dim>
HODGE_HD double width_in_mean(const CoefficientOfCells<Dim>& on, int e, int face, int i) {
  const int side = face == 0 ? 0 : 1;
  const bool in_side = (face == 0 || face == on.grid.cells[e]) && !on.sides.continues[e][side];
  if (!in_side) return on.grid.width(e, i);
  const bool beyond = side == 0 ? i < 0 : i >= on.grid.cells[e];
  const bool at_quarter = on.of_scalar || on.sides.velocity_along[e][side];
  return beyond || !at_quarter ? 1.0 : 3.0;
}

// Of the cells around the lower corner of c along the axes a and b; of the two along a where b = a.
template <int Dim>
HODGE_HD double between_cells(const CoefficientOfCells<Dim>& on, int a, int b,
                              const Index<Dim>& c) {
  double weights = 0.0, resistance = 0.0, eddy = 0.0;
  const int count = a == b ? 2 : 4;
  for (int k = 0; k < count; ++k) {
    Index<Dim> cell = c.shifted(a, (k & 1) - 1);
    if (count == 4) cell = cell.shifted(b, (k >> 1) - 1);
    if (on.bodies.excludes(at_cells, cell)) continue;
    double weight = width_in_mean(on, a, c[a], cell[a]);
    if (count == 4) weight *= width_in_mean(on, b, c[b], cell[b]);
    const double of_eddy = on.eddy.origin != nullptr ? on.eddy_factor * on.eddy(cell) : 0.0;
    weights += weight;
    const double others = on.total(cell) - of_eddy;
    resistance += weight / (others > 0.0 ? others : 0.0);  // infinite where it does not conduct
    eddy += weight * of_eddy;
  }
  return weights > 0.0 ? weights / resistance + eddy / weights : 0.0;
}

// The points whose neighbours below are in the padded field.
template <int Dim>
Box<Dim> above_first_ghosts(const Layout<Dim>& layout) {
  Box<Dim> box = layout.padded();
  for (int d = 0; d < Dim; ++d) ++box.lower[d];
  return box;
}

template <int Dim>
struct PlacesBetweenCells {
  FieldView<Dim> of[Dim];
  int count;
};

// Where diffusion reads the coefficient, all in one pass: of a scalar at the faces of component e;
// of a velocity on the edges along e below c along both other axes, in 2D [0] at the lower corner.
template <int Dim, class Space>
void fill_between_cells(const CoefficientOfCells<Dim>& on, std::vector<Field<Dim, Space>>& fields) {
  PlacesBetweenCells<Dim> places{{}, static_cast<int>(fields.size())};
  for (std::size_t e = 0; e < fields.size(); ++e) places.of[e] = fields[e].view();
  linalg::for_each<Space>(above_first_ghosts(fields[0].layout()),
                          [=] HODGE_LAMBDA(const Index<Dim>& c) {
                            unrolled<Dim>([&](auto e) {
                              if (e >= places.count) return;
                              const int a = on.of_scalar ? e : Dim == 2 ? 0 : (e + 1) % Dim;
                              const int b = on.of_scalar ? e : Dim == 2 ? 1 : (e + 2) % Dim;
                              places.of[e](c) = between_cells(on, a, b, c);
                            });
                          });
}

// Over the fluid of all processes; `is_bad`: some value is no number or not above 0, or where it
// may vanish below 0.
struct CoefficientRange {
  double least = 0, largest = 0;
  bool is_bad = false;
  double worst = 0;  // the least of all, where that is below 0
};

// `results`: four values.
template <int Dim, class Space>
CoefficientRange range_of(const BodyView<Dim>& bodies, const Field<Dim, Space>& coefficient,
                          bool may_vanish, linalg::Buffer<double, Space>& results) {
  const ConstFieldView<Dim> q = coefficient.view();
  using enum linalg::Reduction;
  linalg::reduce<Space>(
      coefficient.layout().interior(), linalg::Kinds<max, max, max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[4]) {
        const double here = q(c);
        const bool fluid = !bodies.excludes(at_cells, c);
        const bool good = here < 1e300 && (may_vanish ? here >= 0.0 : here > 0.0);
        value[0] = fluid && good ? here : 0.0;
        value[1] = fluid && good && here > 1e-300 ? 1.0 / here : 0.0;
        value[2] = fluid && !good ? 1.0 : 0.0;
        value[3] = fluid && here < 0.0 ? -here : 0.0;
      },
      results.data());
  std::array<double, 4> found;
  results.download(found);
  return {found[1] > 0 ? 1.0 / found[1] : 0.0, found[0], found[2] > 0, -found[3]};
}

}  // namespace hodge::sim
