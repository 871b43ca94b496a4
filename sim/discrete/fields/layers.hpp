// The layers of a padded field beside the sides of its box.
#pragma once

#include "sim/discrete/fields/layout.hpp"

namespace hodge::sim {

// Indices along one axis of n cells at one of its sides: the face that lies in it, and for
// k = 1, 2, 3 the k-th cell beyond it, within it, and within the opposite side.
struct SideIndices {
  int n, side;

  HODGE_HD int face() const { return side == 0 ? 0 : n; }
  HODGE_HD int ghost(int k) const { return side == 0 ? -k : n - 1 + k; }
  HODGE_HD int inner(int k) const { return side == 0 ? k - 1 : n - k; }
  HODGE_HD int opposite(int k) const { return side == 0 ? n - k : k - 1; }
  // Faces k beyond and within the one in the side.
  HODGE_HD int face_beyond(int k) const { return side == 0 ? -k : n + k; }
  HODGE_HD int face_within(int k) const { return side == 0 ? k : n - k; }
};

template <int Dim>
HODGE_HD Index<Dim> with(Index<Dim> c, int axis, int value) {
  for (int d = 0; d < Dim; ++d) c[d] = d == axis ? value : c[d];
  return c;
}

// Position of c in the padded layer normal to axis, axis 0 fastest.
template <int Dim>
HODGE_HD int layer_position(const Index<Dim>& cells, int axis, const Index<Dim>& c) {
  int position = 0;
  for (int d = Dim - 1; d >= 0; --d) {
    if (d == axis) continue;
    position = position * (cells[d] + 2 * ghost_width) + c[d] + ghost_width;
  }
  return position;
}

// The extent of the other axes, one layer thick along `axis`: padded, and that of a side's faces.
template <int Dim>
Box<Dim> one_layer(Box<Dim> box, int axis) {
  box.lower[axis] = 0;
  box.upper[axis] = 1;
  return box;
}
template <int Dim>
Box<Dim> layer(const Layout<Dim>& layout, int axis) {
  return one_layer(layout.padded(), axis);
}
template <int Dim>
Box<Dim> side_faces(const Layout<Dim>& layout, int axis) {
  return one_layer(layout.interior(), axis);
}

}  // namespace hodge::sim
