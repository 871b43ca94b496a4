// The surface of a sharp body as output shows it: in each cell that it cuts one patch, a segment in
// 2D and a polygon in 3D between the crossings of the cell's edges, with what is sampled there made
// of, on the host.
//
//   velocity   0 at the surface: u = phi (g + b . r + r . B r), phi the level function over its
//              slope, r the place from the middle of the patch. g = du/dn, b and B fit the faces
//              around in the fluid that see the patch best, with weights that fall with their
//              distance in widths of cells. So g is a sum of taps, exact where u is such a product
//   scalar     of a body that gives a value w: q - w(foot) = phi (g + b . r + r . B r), the cells
//              whose centre is in the fluid, foot the nearest point of the surface
//              of a body that conducts it, k inside and D around: with s the way along n,
//
//                  q = w - F s / D + G . x + x . B x         in the fluid
//                  q = w + R F - F s / k + G' . x + x . B' x in the body
//
//              fits the cells around that see the patch from both sides. The value w at the
//              surface and what enters the fluid, F, are sums of taps; G is the gradient along the
//              surface, G' = G but where that has a resistance R
//
// Taps lie within `ghost_width` cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/cut_faces.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct PatchTap {
  std::int8_t shift[3];  // from the cell of the patch
  double weight;

  template <int Dim>
  HODGE_HD Index<Dim> place(Index<Dim> cell) const {
    for (int d = 0; d < Dim; ++d) cell[d] += shift[d];
    return cell;
  }
};

// The taps of a slope at a patch, and the feet of those that are cells, in the box.
struct PatchTaps {
  std::vector<PatchTap> taps;
  std::vector<Point> feet;
};

// Of a body that conducts a scalar.
struct ConductedTaps {
  std::vector<PatchTap> value, flux;  // w and F, of the same cells
};

template <int Dim>
class SharpSurface {
 public:
  // Of the whole box. `scalar`: whose bodies with a value alone count; null: the flow's.
  SharpSurface(const Grid& grid, const Problem& problem, const ScalarProblem* scalar = nullptr);

  // Of all bodies, in the order of the cells.
  std::vector<SurfacePatch> patches();
  double centre(int axis, int i) const { return faces_.grid().centre(axis, i); }
  Point in_box(const Point& x) const { return levels_.in_box(x); }
  // Of du_d/dn, or with at_cells of dq/dn, at a patch.
  PatchTaps slope_taps(int location, const SurfacePatch& patch);
  // `within`: a level function that is less than 0 in the body and in no other one. Of a surface of
  // the flow.
  ConductedTaps conducted_taps(const SurfacePatch& patch, double diffusivity,
                               const HeatInside& heat, const LevelFunction& within) const;

 private:
  static constexpr std::size_t unknowns = 1 + Dim + Dim * (Dim + 1) / 2;  // of g, b and B
  struct Sample {
    PatchTap tap;
    Point foot;
    std::array<double, unknowns> row;
    double weight;
  };
  // Of a fit on both sides: w, F, G along each axis of the surface and B, of both.
  static constexpr std::size_t on_side = Dim - 1 + Dim * (Dim + 1) / 2;
  static constexpr std::size_t conducted = 2 + 2 * on_side;
  struct ConductedSample {
    PatchTap tap;
    std::array<double, conducted> row;
    double weight;
  };
  std::vector<ConductedSample> conducted_samples(const SurfacePatch& patch, double diffusivity,
                                                 const HeatInside& heat,
                                                 const LevelFunction& within) const;
  bool is_in_box(const Index<Dim>& c) const;
  double slope_of_level(const Point& x, const Index<Dim>& c, Point& gradient) const;
  Point on_surface(Point x, const Index<Dim>& c) const;
  bool sees(const SurfacePatch& patch, const Point& x) const;
  bool counts(int location, const Index<Dim>& c, const SurfacePatch& patch, Point& x);
  std::vector<Sample> samples(int location, const SurfacePatch& patch);
  Index<Dim> cell_of(const SurfacePatch& patch) const;

  const Boundaries& boundaries_;
  Box<Dim> cells_;
  BodyLevels levels_;
  LevelFunction level_;
  CutFaces<Dim> faces_;
};

}  // namespace hodge::sim
