// How the value of one field beyond a side, or in it, follows from the value within:
//
//   ghost = offset + slope * inner            cells, and velocity components along the side
//   u(face) = offset + slope * u(next face)   the component across the side
//
// Every condition that hodge has is of this form (field_boundary.hpp), so assembly moves `slope` to
// the diagonal and `offset` to the right side, and ghosts are filled by it. Offsets and slopes are
// arrays over the padded layer of a side.
#pragma once

#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/field.hpp"

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

}  // namespace hodge::sim
