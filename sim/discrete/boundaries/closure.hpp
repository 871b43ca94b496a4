// How the value of one field beyond a side, or in it, follows from the value within:
//
//   ghost = offset + slope * inner            cells, and velocity components along the side
//   u(face) = offset + slope * u(next face)   the component across the side
//
// Every condition that hodge has is of this form (field_boundary.hpp), so assembly moves `slope` to
// the diagonal and `offset` to the right side, and ghosts are filled by it. Offsets and slopes are
// arrays over the padded layer of a side.
#pragma once

#include "sim/base/formulas/program.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/mean_boxes.hpp"

namespace hodge::sim {

template <int Dim>
struct ClosureView {
  Index<Dim> cells;
  bool periodic[Dim];
  const double* offsets[Dim][2];  // null: values beyond that side are left alone
  const double* slopes[Dim][2];
  bool slopes_change;  // from step to step

  // Of c in the padded layer normal to axis, axis 0 fastest.
  HODGE_HD int position(int axis, const Index<Dim>& c) const {
    return layer_position(cells, axis, c);
  }
  HODGE_HD double offset(int axis, int side, const Index<Dim>& c) const {
    return offsets[axis][side][position(axis, c)];
  }
  HODGE_HD double slope(int axis, int side, const Index<Dim>& c) const {
    return slopes[axis][side][position(axis, c)];
  }
};

// One side as the values of a field beyond it see it.
template <int Dim>
struct SidePoints {
  GridView<Dim> grid;
  BoxBounds<Dim> bounds;
  int location, axis;
  SideIndices at;
  const double* places = nullptr;  // PlacesInSides

  // A formula over the part of the side that belongs to the value at c.
  HODGE_HD double value_at(const ProgramView& formula, double t, const Index<Dim>& c) const {
    MeanBox box = mean_box(grid, bounds, location, axis, c);
    const double* const place =
        places ? places + Dim * layer_position(grid.cells, axis, c) : nullptr;
    if (place != nullptr && place[0] == place[0])
      for (int e = 0; e < Dim; ++e) box.lower[e] = box.upper[e] = box.place[e] = place[e];
    box.lower[axis] = box.upper[axis] = box.place[axis] = grid.edge(axis, at.face());
    return value_over(formula, box, t);
  }
  // Between the values within and beyond, or between the face in the side and the next.
  HODGE_HD double distance() const {
    return location == axis ? grid.width(axis, at.inner(1)) : grid.distance(axis, at.face());
  }
};

}  // namespace hodge::sim
