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
};

template <int Dim>
struct ScalarMedia {
  BodyPoints<Dim> points;
  std::vector<std::vector<SurfaceFace<Dim>>> surfaces;  // of each body
  // Padded: r at the faces of each component, and the capacity of cells; empty without media.
  std::vector<double> faces[Dim], capacity;
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

// Errors: KeyError where a body that has a condition or heat touches neither fluid nor a medium.
void check_contacts(const Grid& grid, const Problem& problem,
                    const std::vector<std::uint8_t>& cells);

}  // namespace hodge::sim
