// Squares of velocity gradients, integrated as the discrete diffusion integrates them.
//
//   dissipation / nu = sum over pairs of neighbouring values of u_d   w g (u_d there - u_d here)^2
//
// with g of operators/diffusion.hpp. Then sum_faces u_d (V du_d/dt by diffusion) = -dissipation
// over periodic boxes and walls at rest, solids included: with central convection, which does no
// work, the kinetic energy of flow/diagnostics.hpp changes at this rate and no other.
//
//   w = 1/2   for a ghost beyond a side or for minus the value here behind a solid's surface: the
//             wall is half-way, so that g (2 du)^2 / 2 is the square of du / (h/2) times half a
//             cell; again 1/2 for values in a side, whose control volumes reach beyond it
//
// and for every first value u_1 beside a side along which the velocity is given, (f - 1) times its
// excess over the side's velocity times the sum of its g (u_1 - u there) across the side: what the
// factor f of side_friction.hpp adds to diffusion there.
//
//   enstrophy = 1/2 sum over edges of V omega^2,   omega = du_b/dx_a - du_a/dx_b in two differences
//
// where four faces meet, V the fluid's part of the four quarters of cells around the edge. On equal
// cells in a periodic box a velocity without divergence has dissipation = 2 nu enstrophy exactly.
#pragma once

#include "sim/base/unrolled.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "sim/discrete/operators/side_friction.hpp"

namespace hodge::sim {

template <int Dim>
struct VelocityGradients {
  GridView<Dim> grid;
  BodyView<Dim> bodies;
  SideKinds<Dim> sides;
  ConstVelocityView<Dim> velocity;

  // Whether index i of an axis is a cell; of a face, whether it is one of its own (beyond a side
  // where the fluid continues, face n is another cell's face 0).
  HODGE_HD bool is_cell(int axis, int i) const { return i >= 0 && i < grid.cells[axis]; }
  HODGE_HD bool is_face(int axis, int i) const {
    return is_cell(axis, i) || (i == grid.cells[axis] && !sides.continues[axis][1]);
  }
  // Whether index i is a cell, or lies beyond a side where the fluid continues.
  HODGE_HD bool has_fluid_at(int axis, int i) const {
    return is_cell(axis, i) || sides.continues[axis][i < 0 ? 0 : 1];
  }
  // Whether fluid is below a face of its own.
  HODGE_HD bool is_face_above_fluid(int axis, int i) const {
    return is_face(axis, i) && (i > 0 || sides.continues[axis][0]);
  }
  // Whether c and the cells below it are fluid and c is in no side: nothing is special there.
  HODGE_HD bool is_inner(const Index<Dim>& c) const {
    bool inner = !bodies.any();
    for (int f = 0; f < Dim; ++f)
      inner = inner && is_cell(f, c[f]) && (c[f] > 0 || sides.continues[f][0]);
    return inner;
  }
  HODGE_HD bool in_side(int axis, int i) const {
    return (i == 0 && !sides.continues[axis][0]) ||
           (i == grid.cells[axis] && !sides.continues[axis][1]);
  }
};

// u_d at the face beside face `here`.
template <int Dim>
HODGE_HD double value_beside(const VelocityGradients<Dim>& on, int d, int e, int side,
                             const Index<Dim>& here) {
  const Index<Dim> there = here.shifted(e, side == 0 ? -1 : 1);
  if (!on.bodies.excludes(d, there)) return on.velocity[d](there);
  return on.bodies.beyond(d, e, side, here)(on.velocity[d](here));
}

// u_d at c minus u_d at c - e_e, the values as the free one of the two sees them.
template <int Dim>
HODGE_HD double difference_below(const VelocityGradients<Dim>& on, int d, int e,
                                 const Index<Dim>& c) {
  const Index<Dim> below = c.shifted(e, -1);
  const bool here = !on.bodies.excludes(d, c), there = !on.bodies.excludes(d, below);
  if (!here && !there) return 0.0;
  return here ? on.velocity[d](c) - value_beside(on, d, e, 0, c)
              : value_beside(on, d, e, 1, below) - on.velocity[d](below);
}

// Whether a wall is half-way between u_d at c and the value beside it.
template <int Dim>
HODGE_HD bool is_beside_wall(const VelocityGradients<Dim>& on, int d, int e, int side,
                             const Index<Dim>& c) {
  return on.bodies.excludes(d, c.shifted(e, side == 0 ? -1 : 1)) &&
         on.bodies.beyond(d, e, side, c).slope < 0.0;
}

// w of u_d(c) and u_d(c - e_e), 0 where there is no such pair.
template <int Dim>
HODGE_HD double pair_weight(const VelocityGradients<Dim>& on, int d, int e, const Index<Dim>& c) {
  bool exists = true;
  for (int f = 0; f < Dim; ++f) {
    if (f == e)
      exists = exists && (e == d ? on.is_face_above_fluid(e, c[e]) : on.is_face(e, c[e]));
    else
      exists = exists && (f == d ? on.is_face(f, c[f]) : on.is_cell(f, c[f]));
  }
  if (!exists || e == d) return exists ? 1.0 : 0.0;
  const Index<Dim> below = c.shifted(e, -1);
  const bool at_surface = is_beside_wall(on, d, e, 0, c) || is_beside_wall(on, d, e, 1, below);
  return (on.in_side(e, c[e]) || at_surface ? 0.5 : 1.0) * (on.in_side(d, c[d]) ? 0.5 : 1.0);
}

// What f adds, of the row of u_d at c beside a side of axis e.
template <int Dim>
HODGE_HD double side_dissipation(const VelocityGradients<Dim>& on, int d, int e, int side,
                                 const Index<Dim>& c) {
  for (int f = 0; f < Dim; ++f)
    if (f != e && !(f == d ? on.is_face(f, c[f]) : on.is_cell(f, c[f]))) return 0.0;
  const double added = side_factor(on.grid, on.sides, on.bodies, d, e, c) - 1.0;
  if (added == 0.0 || on.bodies.excludes(d, c)) return 0.0;
  const double here = on.velocity[d](c);
  const double lower = here - on.velocity[d](c.shifted(e, -1));
  const double upper = here - on.velocity[d](c.shifted(e, 1));
  const double excess = 0.5 * (side == 0 ? lower : upper);
  const double out =
      conductance(on.grid, d, e, c) * lower + conductance(on.grid, d, e, c.shifted(e, 1)) * upper;
  return (on.in_side(d, c[d]) ? 0.5 : 1.0) * added * excess * out;
}

// The same of all rows beside sides whose pair across the side c is the upper one of.
template <int Dim>
HODGE_HD double side_dissipation(const VelocityGradients<Dim>& on, const Index<Dim>& c) {
  double sum = 0.0;
  unrolled<Dim>([&](auto d) {
    unrolled<Dim>([&](auto e) {
      if (c[e] == 0 && has_side_friction(on.sides, d, e, 0))
        sum += side_dissipation(on, d, e, 0, c);
      if (c[e] == on.grid.cells[e] && has_side_friction(on.sides, d, e, 1))
        sum += side_dissipation(on, d, e, 1, c.shifted(e, -1));
    });
  });
  return sum;
}

// Unrolled: a GPU's warps along a wall across axis 0 all come here.
template <int Dim>
HODGE_HD double squared_gradients_beside_sides(const VelocityGradients<Dim>& on,
                                               const Index<Dim>& c) {
  double sum = side_dissipation(on, c);
  unrolled<Dim>([&](auto d) {
    unrolled<Dim>([&](auto e) {
      const double weight = pair_weight(on, d, e, c);
      const double difference = weight == 0.0 ? 0.0 : difference_below(on, d, e, c);
      sum += weight * conductance(on.grid, d, e, c) * difference * difference;
    });
  });
  return sum;
}

// w g (u_d(c) - u_d(c - e_e))^2 of all pairs that c is the upper one of, and what f adds; summed
// over 0 .. n of every axis, to n - 1 where the fluid continues: dissipation / nu.
template <int Dim>
HODGE_HD double squared_gradients(const VelocityGradients<Dim>& on, const Index<Dim>& c) {
  if (!on.is_inner(c)) return squared_gradients_beside_sides(on, c);
  double sum = 0.0;
  unrolled<Dim>([&](auto d) {
    unrolled<Dim>([&](auto e) {
      const double difference = on.velocity[d](c) - on.velocity[d](c.shifted(e, -1));
      sum += conductance(on.grid, d, e, c) * difference * difference;
    });
  });
  return sum;
}

// The fluid around the edge where cell c has its lower faces along a and b, 0 where there is none.
template <int Dim>
HODGE_HD double edge_volume(const VelocityGradients<Dim>& on, int a, int b, const Index<Dim>& c) {
  bool exists = on.is_face(a, c[a]) && on.is_face(b, c[b]);
  for (int f = 0; f < Dim; ++f) exists = exists && (f == a || f == b || on.is_cell(f, c[f]));
  if (!exists) return 0.0;
  double volume = 0.0;
  for (int k = 0; k < 4; ++k) {
    const Index<Dim> cell = c.shifted(a, -(k & 1)).shifted(b, -(k >> 1));
    const bool in_box = on.has_fluid_at(a, cell[a]) && on.has_fluid_at(b, cell[b]);
    if (in_box) volume += 0.25 * on.bodies.fluid(cell) * on.grid.cell_volume(cell);
  }
  return volume;
}

// The same where c is inner: 4 quarters of cells along a and b.
template <int Dim>
HODGE_HD double inner_edge_volume(const GridView<Dim>& grid, int a, int b, const Index<Dim>& c) {
  double volume = grid.distance(a, c[a]) * grid.distance(b, c[b]);
  for (int f = 0; f < Dim; ++f) volume *= f == a || f == b ? 1.0 : grid.width(f, c[f]);
  return volume;
}

// V omega^2 / 2 of the edges where cell c has its lower faces, of volumes(a, b) and of
// differences(d, e) of u_d at c and c - e_e.
template <int Dim, class Volume, class Difference>
HODGE_HD double enstrophy_by(const GridView<Dim>& grid, const Volume& volume,
                             const Difference& difference, const Index<Dim>& c) {
  double sum = 0.0;
  unrolled<Dim>([&](auto a) {
    unrolled<Dim>([&](auto b) {
      if (b <= a) return;
      const double omega = difference(b, a) * grid.inverse_distance(a, c[a]) -
                           difference(a, b) * grid.inverse_distance(b, c[b]);
      sum += 0.5 * volume(a, b) * omega * omega;
    });
  });
  return sum;
}

// Summed over the same: the enstrophy.
template <int Dim>
HODGE_HD double edge_enstrophy(const VelocityGradients<Dim>& on, const Index<Dim>& c) {
  if (on.is_inner(c))
    return enstrophy_by(
        on.grid, [&](int a, int b) { return inner_edge_volume(on.grid, a, b, c); },
        [&](int d, int e) { return on.velocity[d](c) - on.velocity[d](c.shifted(e, -1)); }, c);
  return enstrophy_by(
      on.grid, [&](int a, int b) { return edge_volume(on, a, b, c); },
      [&](int d, int e) { return difference_below(on, d, e, c); }, c);
}

}  // namespace hodge::sim
