// Functions of a point where a grid has its values, and the boxes that these are means over.
//
//   cell c           the centre of the cell
//   face c of u_d    the lower edge of cell c along d, the cell's centre along the other axes
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

#include "sim/base/formulas/mean.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// The point of cell c, or of the face of component d at c.
template <int Dim>
Point point_of(const Grid& grid, int d, const Index<Dim>& c) {
  Point point{};
  for (int e = 0; e < Dim; ++e) point[e] = e == d ? grid.edges(e)[c[e]] : grid.axis(e).centre(c[e]);
  return point;
}

// Visits the indices of a box on the host, axis 0 fastest.
template <int Dim, class Visit>
void for_each_on_host(const Box<Dim>& box, Visit visit) {
  Index<Dim> c = box.lower;
  for (long long i = 0; i < box.size(); ++i) {
    visit(c);
    for (int d = 0; d < Dim && ++c[d] == box.upper[d]; ++d) c[d] = box.lower[d];
  }
}

// The same by all threads, a layer of the last axis each. Errors: those of visit, one of them.
template <int Dim, class Visit>
void for_each_by_threads(const Box<Dim>& box, const Visit& visit) {
  [[maybe_unused]] const bool parallel = box.size() > 4096;
  std::exception_ptr error;
#pragma omp parallel for schedule(static) if (parallel)
  for (int k = box.lower[Dim - 1]; k < box.upper[Dim - 1]; ++k) {
    Box<Dim> layer = box;
    layer.lower[Dim - 1] = k;
    layer.upper[Dim - 1] = k + 1;
    try {
      for_each_on_host(layer, visit);
    } catch (...) {
#pragma omp critical
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

// The cell of an axis of n cells that stands for cell i: itself inside the box; beyond it, at most
// ghost_width away, the cell of the other end on a periodic axis, and the outermost one elsewhere.
inline int inner_cell(int i, int n, bool periodic) {
  return periodic ? (i + n * ghost_width) % n : std::clamp(i, 0, n - 1);
}

inline Box<3> all_cells(const Grid& grid) {
  return {{{0, 0, 0}}, {{grid.cells(0), grid.cells(1), grid.cells(2)}}};
}

// The cells along a side of the box, the point of that side at cell c, and the area of its face
// there. axis -1: no side, but the centre of the cell and its volume.
inline Box<3> cells_along_side(const Grid& grid, int axis, int side) {
  Box<3> cells = all_cells(grid);
  cells.lower[axis] = side == 0 ? 0 : grid.cells(axis) - 1;
  cells.upper[axis] = cells.lower[axis] + 1;
  return cells;
}
inline Point point_in_side(const Grid& grid, int axis, int side, const Index<3>& c) {
  Point x{};
  for (int e = 0; e < grid.dim(); ++e)
    x[e] = e == axis ? grid.edges(e)[c[e] + side] : grid.axis(e).centre(c[e]);
  return x;
}
inline double face_area(const Grid& grid, int axis, const Index<3>& c) {
  double area = 1;
  for (int e = 0; e < grid.dim(); ++e)
    if (e != axis) area *= grid.axis(e).widths[c[e]];
  return area;
}

// Of a whole side; in 2D a length: the other axis has a unit of length along z.
inline double side_area(const Grid& grid, int axis) {
  double area = 1;
  for (int e = 0; e < grid.dim(); ++e)
    if (e != axis) area *= grid.axis(e).length();
  return area;
}

// The box that a value is a mean over: the cell (d = at_cells), or the face; place is its point.
// The index may have more axes than the grid.
template <int Dim>
MeanBox mean_box(const Grid& grid, int d, const Index<Dim>& c) {
  MeanBox box;
  for (int e = 0; e < grid.dim(); ++e) {
    box.lower[e] = grid.edges(e)[c[e]];
    box.upper[e] = e == d ? box.lower[e] : grid.edges(e)[c[e] + 1];
    box.place[e] = e == d ? box.lower[e] : grid.axis(e).centre(c[e]);
  }
  return box;
}
inline Point point_of(const MeanBox& box) {
  return {box.place[0], box.place[1], box.place[2]};
}
inline MeanBox mean_box_in_side(const Grid& grid, int axis, int side, const Index<3>& c) {
  MeanBox box;
  const Point x = point_in_side(grid, axis, side, c);
  for (int e = 0; e < grid.dim(); ++e) {
    box.place[e] = x[e];
    box.lower[e] = e == axis ? x[e] : grid.edges(e)[c[e]];
    box.upper[e] = e == axis ? x[e] : grid.edges(e)[c[e] + 1];
  }
  return box;
}

// Padded values of f(box) for the cells (d = at_cells) of a layout or the faces 0 .. n of component
// d; elsewhere 0. Several threads call f at once.
template <int Dim, class Function>
std::vector<double> sample(const Grid& grid, const Layout<Dim>& layout, int d, const Function& f) {
  std::vector<double> padded(layout.size());
  const FieldView<Dim> values = view_of(layout, padded.data());
  Box<Dim> box = layout.interior();
  if (d != at_cells) ++box.upper[d];
  for_each_by_threads(
      box, [&](const Index<Dim>& c) { values(c) = f(mean_box(grid, d, layout.in_whole(c))); });
  return padded;
}

}  // namespace hodge::sim
