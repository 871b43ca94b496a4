// What a body that cuts through cells leaves of the faces and cells of a grid, from a level
// function: negative in the body, positive in the fluid.
//
//   open part of a face   in 2D from a node to the root of the level function on the edge; in 3D
//   the
//                         polygon of its fluid nodes and the roots on its edges, and between two
//                         roots a parabola through a third point of the surface
//   fluid part of a cell  the same polygon in 2D; in 3D the integral over such sections (Simpson)
//
// A cap of the body that pokes through a face between two fluid nodes counts as nothing there.
// Indices are those of the whole box, also beyond its sides by up to `margin`; periodic axes
// repeat. On the host.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "linalg/base/index.hpp"
#include "sim/base/point.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

using linalg::Box;
using linalg::Index;

using LevelFunction = std::function<double(const Point&)>;

// The open part of a face, 0 to 1, and its centroid.
struct OpenPart {
  double fraction = 0;
  Point centroid{};
};

template <int Dim>
class CutGrid {
 public:
  // Knows the nodes of these cells, and `margin` beyond them.
  CutGrid(const Grid& grid, const Boundaries& boundaries, const LevelFunction& level,
          const Box<Dim>& cells);

  static constexpr int margin = 5;

  double edge(int axis, int i) const {
    return edges_[axis][static_cast<std::size_t>(i + margin_of_edges)];
  }
  double centre(int axis, int i) const { return 0.5 * (edge(axis, i) + edge(axis, i + 1)); }
  Point middle(const Index<Dim>& c) const {
    Point x{};
    for (int d = 0; d < Dim; ++d) x[d] = centre(d, c[d]);
    return x;
  }
  double width(int axis, int i) const { return edge(axis, i + 1) - edge(axis, i); }
  double level(const Point& x) const { return level_(x); }

  // Whether the surface may be within two cells of a cell.
  bool is_near(const Index<Dim>& c) const {
    return !nodes_.contains(c) || near_[static_cast<std::size_t>(nodes_.position(c))] != 0;
  }
  OpenPart face(int d, const Index<Dim>& c) const;
  bool is_full(int d, const Index<Dim>& c) const;
  bool is_cut(int d, const Index<Dim>& c) const;
  double fluid(const Index<Dim>& c) const;
  // Where the surface crosses the edges of a cell.
  std::vector<Point> crossings(const Index<Dim>& c) const;
  // How far from x the surface is along an axis, at most `most` away; negative: it is not there.
  double distance(const Point& x, int axis, int side, double most) const;

 private:
  static constexpr int margin_of_edges = 10;

  double node(const Index<Dim>& c) const;
  Point place(const Index<Dim>& node) const;
  double level_at_node(const Index<Dim>& c) const;
  std::vector<Index<Dim>> find_surface();
  void put_nodes_on_surface(const std::vector<Index<Dim>>& cells);
  int fluid_nodes(int d, const Index<Dim>& c) const;
  OpenPart polygon(int a, int b, const Index<Dim>& c, Point x, const double (&levels)[4]) const;
  double slice(const Index<Dim>& c, int axis, double at) const;

  LevelFunction level_;
  std::vector<double> edges_[Dim];
  Box<Dim> nodes_;
  std::vector<double> levels_;
  std::vector<std::uint8_t> near_;  // of each cell
};

}  // namespace hodge::sim
