// What drives a velocity component or a scalar beside transport and pressure, as a field:
//
//   component d   f_d(x, t) + G_d + sum_k weight_k buoyancy_k,d (c_k - neutral_k)      L / T^2
//   scalar        s(x, t)                                                              [c] / T
//
// f and s, where piecewise, are means over the control volume (formula_field.hpp). G holds a flow
// rate (time/flow_rate_control.hpp). A scalar at a face is linear between the two cell centres. A
// face in an open side stands for the half cell within (open_faces.hpp): a scalar is continued to
// its middle from the two cells within. What it is in the side, which may jump where fluid begins
// to enter, is not asked.
// Source: J. Boussinesq, Theorie analytique de la chaleur, vol. 2, 1903 (buoyancy).
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
struct BuoyancyTerm {
  ConstFieldView<Dim> scalar;
  double acceleration = 0;  // along d, a unit of the scalar, times the weight
  double neutral = 0;
};

inline constexpr int most_buoyancy_terms = 8;

template <int Dim>
struct Forcing {
  GridView<Dim> grid;
  int location;
  ConstFieldView<Dim> given{};  // f or s; null: the constant below
  double constant = 0;
  int terms = 0;
  BuoyancyTerm<Dim> term[most_buoyancy_terms] = {};
  const double* uniform = nullptr;  // G, in the space; null: 0
  BodyView<Dim> bodies{};
  bool open[2] = {};  // whether the lower and the upper side along the component are

  // Whether it is more than the constant.
  HODGE_HD bool varies() const { return given.origin != nullptr || is_more_than_given(); }
  HODGE_HD bool is_more_than_given() const { return terms > 0 || uniform != nullptr; }
  HODGE_HD bool any() const { return varies() || constant != 0.0; }
};

// The side along the component in which face c lies and which is open: 0, 1, or -1.
template <int Dim>
HODGE_HD int open_side_at(const Forcing<Dim>& f, const Index<Dim>& c) {
  if (f.location == at_cells) return -1;
  if (f.open[0] && c[f.location] == 0) return 0;
  return f.open[1] && c[f.location] == f.grid.cells[f.location] ? 1 : -1;
}

template <int Dim>
HODGE_HD double given_at(const Forcing<Dim>& f, const Index<Dim>& c) {
  const double uniform = f.uniform != nullptr ? *f.uniform : 0.0;
  return uniform + (f.given.origin != nullptr ? f.given(c) : f.constant);
}

// In the middle of the half cell beside an open side: q + (q - q_within) (h / 4) / distance.
template <int Dim>
HODGE_HD double scalar_beside_side(const Forcing<Dim>& f, const ConstFieldView<Dim>& q, int side,
                                   const Index<Dim>& c) {
  const int d = f.location, inward = side == 0 ? 1 : -1;
  const Index<Dim> cell = c.shifted(d, -side), within = cell.shifted(d, inward);
  if (f.bodies.excludes(at_cells, within)) return q(cell);
  const double distance = f.grid.distance(d, c[d] + inward);
  return q(cell) + 0.25 * f.grid.width(d, cell[d]) / distance * (q(cell) - q(within));
}

template <int Dim>
HODGE_HD double scalar_at_face(const Forcing<Dim>& f, const ConstFieldView<Dim>& q,
                               const Index<Dim>& c) {
  const int d = f.location, side = open_side_at(f, c);
  if (side >= 0) return scalar_beside_side(f, q, side, c);
  const double below = f.grid.width(d, c[d] - 1), above = f.grid.width(d, c[d]);
  return (above * q(c.shifted(d, -1)) + below * q(c)) / (below + above);
}

template <int Dim>
HODGE_HD double forcing_at(const Forcing<Dim>& f, const Index<Dim>& c) {
  double sum = given_at(f, c);
  for (int k = 0; k < f.terms; ++k)
    sum += f.term[k].acceleration * (scalar_at_face(f, f.term[k].scalar, c) - f.term[k].neutral);
  return sum;
}

// At a face that a body blocks, in the half of `cell` beside it.
template <int Dim>
HODGE_HD double forcing_in_cell(const Forcing<Dim>& f, const Index<Dim>& face,
                                const Index<Dim>& cell) {
  double sum = given_at(f, face);
  for (int k = 0; k < f.terms; ++k)
    sum += f.term[k].acceleration * (f.term[k].scalar(cell) - f.term[k].neutral);
  return sum;
}

// The fluid part of a face's control volume.
template <int Dim>
HODGE_HD double fluid_beside(const GridView<Dim>& grid, const BodyView<Dim>& bodies, int d,
                             const Index<Dim>& c) {
  double volume = 0.0;
  for (int side = 0; side < 2; ++side) {
    const Index<Dim> cell = c.shifted(d, side - 1);
    volume += 0.5 * grid.cell_volume(cell) * bodies.fluid(cell);
  }
  return volume;
}

// V f over the fluid beside a face: of one without an unknown with the scalars of each cell.
template <int Dim>
HODGE_HD double driven_momentum(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                                const Forcing<Dim>& forcing, int d, const Index<Dim>& c) {
  if (!forcing.any()) return 0.0;
  const bool blocked = bodies.excludes(d, c);
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    const Index<Dim> cell = c.shifted(d, side - 1);
    const double volume = 0.5 * grid.cell_volume(cell) * bodies.fluid(cell);
    if (volume != 0.0)
      sum += volume * (blocked ? forcing_in_cell(forcing, c, cell) : forcing_at(forcing, c));
  }
  return sum;
}

// At cells, or at all faces of a component, those in sides too.
template <int Dim, class Space>
void evaluate_forcing(const Forcing<Dim>& forcing, Field<Dim, Space>& result) {
  const FieldView<Dim> f = result.view();
  Box<Dim> box = result.layout().interior();
  if (forcing.location != at_cells) ++box.upper[forcing.location];
  linalg::for_each<Space>(box,
                          [=] HODGE_LAMBDA(const Index<Dim>& c) { f(c) = forcing_at(forcing, c); });
}

}  // namespace hodge::sim
