// What bodies are to one scalar, on the grid, made on the host: the points of the flow's bodies
// with what the scalar has of its own (model/solid_scalar.hpp).
//
//   a medium (heat)        its cells are unknowns of the scalar; through its surface, and between
//                          two media, conductances are in series,
//
//       K = 1 / (h_1 / (2 k_1) + R_1 + R_2 + h_2 / (2 k_2))       per area, k conductivities
//
//                          so that the coefficient of the face is r = K delta / D
//                          (fields/face_coefficient.hpp): exact for slabs that end at faces
//   a condition            the value beyond is a closure of that within, entry by entry
//                          (scalar_bodies.hpp)
//   none                   no flux
//
// A surface with a condition may bound fluid or a medium; r is that of the medium there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// A face of a body with a condition, of the cell c beside it, along `axis` towards `side`. Cells of
// the first layer of ghosts have closures, too, for limited fluxes through the faces next to them.
template <int Dim>
struct SurfaceFace {
  Index<Dim> c;
  double shift[Dim];  // of coordinates, to those in the box: periods
  int axis, side;
  int entry;  // of c in the table
  double near,
      across;  // per area: from the centre of c to the face; that of the operator, D r / delta
  bool at_point = false;  // of a sharp body: at this place in the box, not over the face
  double place[Dim] = {};
};

// The surface of a sharp body in cell c (sharp_scalars.hpp).
template <int Dim>
struct SharpWall {
  Index<Dim> c;
  double place[Dim];      // its middle, in the box
  double area, distance;  // distance: of the centre of c from it, negative in the body
};

// The least 1 + k d / D of a convective condition with coefficient k, and the largest k that has it
// in every cell of a grid: L/T.
inline constexpr double least_convective_share = 0.25;
double largest_convective_coefficient(double diffusivity, const Grid& grid);

template <int Dim>
struct WeighedCell {
  Index<Dim> c;
  double weight;
};
// Of sharp bodies that conduct the scalar (sharp_media.hpp): what heat along the surface carries
// through the face below c along `axis` towards c, sum of weight * (q(tap) - q(c)).
template <int Dim>
struct FluxAlongSurface {
  Index<Dim> c;
  int axis;
  int first, last;  // taps
};
// A cell and the faces of it that have such a flux, -1: none.
template <int Dim>
struct CellAlongSurface {
  Index<Dim> c;
  int face[Dim][2];  // [axis][side]

  CellAlongSurface() = default;
  explicit CellAlongSurface(const Index<Dim>& at) : c(at) {
    for (auto& faces : face) faces[0] = faces[1] = -1;
  }
};
template <int Dim>
struct FluxesAlongSurfaces {
  std::vector<FluxAlongSurface<Dim>> faces;
  std::vector<CellAlongSurface<Dim>> cells;
  std::vector<WeighedCell<Dim>> taps;
};
// The volume of a body in a cell over that of the cell and its capacity.
template <int Dim>
struct PartOfCell {
  Index<Dim> c;
  double share;
};
// Of a cell that a body is in but its centre is not, or the other way round: by how much what the
// body gives exceeds what its cells give, with their sources s and rates of change,
//
//   of_body s_body + of_fluid s_fluid + stored dq/dt
template <int Dim>
struct BeyondOwner {
  Index<Dim> c;
  double of_body, of_fluid, stored;
};

template <int Dim>
struct ScalarMedia {
  BodyPoints<Dim> points;
  std::vector<std::vector<SurfaceFace<Dim>>> surfaces;  // of each body
  // Padded: r at the faces of each component, and the capacity of cells; empty without media.
  std::vector<double> faces[Dim], capacity;
  // Of sharp bodies: their surfaces by wall pieces, the cells beside and behind those by closures.
  std::vector<std::vector<SharpWall<Dim>>> walls;
  std::vector<Index<Dim>> beside, behind;
  // Of sharp bodies that conduct it. Padded: the body that the centre of a cell is in; the part of
  // the fluid in cells over their capacity; r of sides (empty: that of faces).
  bool conducts = false;
  std::vector<int> owners;
  std::vector<double> fluid_share, in_sides[Dim];
  std::vector<std::vector<PartOfCell<Dim>>> parts;          // of each body
  std::vector<std::vector<BeyondOwner<Dim>>> beyond_owner;  // of each body
  FluxesAlongSurfaces<Dim> along;
};

// Whether a body has the scalar in it, or a condition for it that is more than no flux.
bool has_media(const ScalarProblem& scalar, const std::vector<Solid>& solids);
bool meets_bodies(const ScalarProblem& scalar, const std::vector<Solid>& solids);

// `flow`: what bodies are to the velocity; `cells` as in staircase().
template <int Dim>
ScalarMedia<Dim> scalar_media(const Grid& grid, const Layout<Dim>& layout, const Problem& problem,
                              const ScalarProblem& scalar, const std::vector<std::uint8_t>& cells,
                              const BodyPoints<Dim>& flow);

// The largest diffusivity of an explicit scheme: over fluid and media the larger one of k and of
// what faces to the others conduct, over the capacity. L^2/T.
double largest_diffusivity(const ScalarProblem& scalar, const std::vector<Solid>& solids,
                           const Grid& grid);

// The least conductivity of the fluid and of what conducts the scalar beside it. L^2/T.
double least_conductivity(const ScalarProblem& scalar, const std::vector<Solid>& solids);

// Errors: KeyError where a body that has a condition or heat touches neither fluid nor a medium.
void check_contacts(const Grid& grid, const Problem& problem,
                    const std::vector<std::uint8_t>& cells);

}  // namespace hodge::sim
