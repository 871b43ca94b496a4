// The layers of a padded field beside the sides of its box.
#pragma once

#include "sim/base/unrolled.hpp"
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

// The cells beside the sides of a box as the indices of one loop: the last one is the number of a
// side, 2 axis + side, those before it lie along that side.
template <int Dim>
struct CellsBesideSides {
  Index<Dim> cells;

  Box<Dim> box() const {
    Box<Dim> all{Index<Dim>::filled(0), Index<Dim>::filled(0)};
    for (int d = 0; d < Dim; ++d)
      for (int k = 0; k + 1 < Dim; ++k)
        all.upper[k] = cells[d] > all.upper[k] ? cells[d] : all.upper[k];
    all.upper[Dim - 1] = 2 * Dim;
    return all;
  }
  // f(axis, side, cell) of an index; nothing where the side is shorter than the box of indices.
  template <class F>
  HODGE_HD void visit(const Index<Dim>& at, F f) const {
    const int side = at[Dim - 1] % 2;
    unrolled<Dim>([&](auto axis) {
      if (at[Dim - 1] / 2 != axis) return;
      Index<Dim> c = Index<Dim>::filled(0);
      bool inside = true;
      int k = 0;
      unrolled<Dim>([&](auto d) {
        if (d == axis) return;
        c[d] = at[k];
        inside = inside && at[k++] < cells[d];
      });
      c[axis] = SideIndices{cells[axis], side}.inner(1);
      if (inside) f(axis, side, c);
    });
  }
};

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
