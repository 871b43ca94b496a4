// The force of the fluid on sharp bodies, M L / T^2: what the discrete equations lose at a body.
// Friction beside it is not conservative (operators/sharp_rates.hpp), that of all other faces is.
// So between the faces f far from a body and the band of faces g beside it,
//
//   force_d = sum over sides between f and g of what passes from f to g:
//                 density (flux (u_f + u_g) / 2 - nu conductance (u_g - u_f)), and p A along d
//             + sum over g of V density (f_d + R_d - du_d/dt)
//
// A side of g in a side of the box, where the body touches it, counts by its open part. Through an
// open side passes what its half control volumes have there (operators/open_faces.hpp). In front of
// the first ones behind an inflow side is half a cell that no equation of u_d is of: what passes
// the side is taken in place of what passes the section behind it, with p on the line through the
// next two.
//
// V the fluid part of a control volume, R the resistance of porous bodies and sponges. This is the
// momentum balance over the innermost contour of such faces, and equals that over any larger one
// (time/control_volumes.hpp) to rounding in a steady flow. du_d/dt: by the last step. Faces without
// an unknown carry their part of f, too.
//
// A box of the balance of momentum that ends in such a side ends in the sections through the middle
// of its first cells; what is beyond these sections of faces g is added to it
// (force_beyond_sections).
//
//   pressure   the integral of p over the surface, by p and its gradient in the cells that it cuts
//   viscous    the rest
#pragma once

#include "sim/discrete/operators/cell_gradient.hpp"
#include "sim/discrete/operators/open_faces.hpp"
#include "sim/discrete/operators/resistance.hpp"
#include "sim/discrete/operators/sharp_rates.hpp"
#include "sim/flow/forces.hpp"

namespace hodge::sim {

template <int Dim>
struct SharpForceFields {
  ForceFields<Dim> of;
  ConstVelocityView<Dim> previous;
  double last_dt = 0;  // 0: no step before
  SideFlows<Dim> side_flows{};
  const SharpFace<Dim>* faces[Dim] = {};
  const WallPiece<Dim>* pieces = nullptr;
  ResistanceView<Dim> resistance[Dim] = {};
};

// p in the inflow side behind which a face is, or in the open side that it lies in.
template <int Dim>
HODGE_HD double pressure_in_side(const ForceFields<Dim>& of, int d, int side, bool is_open,
                                 const Index<Dim>& c) {
  const double above = of.pressure(c), below = of.pressure(c.shifted(d, -1));
  if (is_open) return 0.5 * (above + below);
  const Index<Dim> first = side == 0 ? c.shifted(d, -1) : c;
  const double share = 0.5 * of.grid.width(d, first[d]) * of.grid.inverse_distance(d, c[d]);
  return side == 0 ? below + share * (below - above) : above + share * (above - below);
}

// Through the open side that a face lies in.
template <int Dim>
HODGE_HD double passed_through_open_side(const SharpForceFields<Dim>& f, int d,
                                         const SharpFace<Dim>& face) {
  const ForceFields<Dim>& of = f.of;
  const int side = face.in_open_side;
  const double here = of.velocity[d](face.c), area = of.grid.face_area(d, face.c);
  const double inward = side == 0 ? 1.0 : -1.0, out = -inward * area * here;
  return -of.density * out * carried_through_side(f.side_flows, face, d, out) * here +
         inward * pressure_in_side(of, d, side, true, face.c) * area;
}

// Through the inflow side behind which a face is.
template <int Dim>
HODGE_HD double passed_through_inflow(const SharpForceFields<Dim>& f, int d,
                                      const SharpFace<Dim>& face) {
  const ForceFields<Dim>& of = f.of;
  const int side = face.behind_inflow;
  const Index<Dim>& c = face.c;
  const Index<Dim> there = c.shifted(d, side == 0 ? -1 : 1);
  const double inward = side == 0 ? 1.0 : -1.0, area = of.grid.face_area(d, c);
  const double here = of.velocity[d](c), beyond = of.velocity[d](there);
  const Index<Dim> first = side == 0 ? there : c;
  double force = of.density * (inward * area * beyond * beyond -
                               of.viscosity * conductance(of.grid, d, d, c.shifted(d, side)) *
                                   (here - beyond)) +
                 inward * pressure_in_side(of, d, side, false, c) * area;
  const double half = 0.5 * of.grid.cell_volume(first);
  force += of.density * half * forcing_at(of.forcing[d], c);
  if (f.last_dt > 0.0) force -= of.density * half * (beyond - f.previous[d](there)) / f.last_dt;
  return force;
}

// From the face beyond a side along e of half a control volume at a side of the box.
template <int Dim>
HODGE_HD double passed_through_half(const ForceFields<Dim>& of, const OpenFace<Dim>& face, int e,
                                    int side) {
  const int d = face.d;
  const Index<Dim>& c = face.c;
  const double inward = side == 0 ? 1.0 : -1.0;  // along +e
  const double here = of.velocity[d](c), beyond = of.velocity[d](c.shifted(e, side == 0 ? -1 : 1));
  const double flux = inward * flux_through_half(of.grid, of.velocity, face, e, side);
  const double conducts = 0.5 * of.viscosity * conductance(of.grid, d, e, c.shifted(e, side));
  return of.density * (0.5 * flux * (here + beyond) - conducts * (here - beyond));
}

// From the face beyond a side whose control volume is whole.
template <int Dim>
HODGE_HD double passed_between(const ForceFields<Dim>& of, int d, int e, int side,
                               const Index<Dim>& c) {
  const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1), at = c.shifted(e, side);
  const double inward = side == 0 ? 1.0 : -1.0;  // along +e
  const double here = of.velocity[d](c), beyond = of.velocity[d](there);
  const double flux = inward * convecting_flux(of.grid, of.velocity, d, e, at);
  double sum = of.density * (0.5 * flux * (here + beyond) -
                             of.viscosity * conductance(of.grid, d, e, at) * (here - beyond));
  if (e == d) sum += inward * of.pressure(side == 0 ? there : c) * of.grid.face_area(d, c);
  return sum;
}

// What passes into the band from the face beyond a side.
template <int Dim>
HODGE_HD double passed_from(const SharpForceFields<Dim>& f, int d, int e, int side,
                            const SharpFace<Dim>& face) {
  if (lies_in_side(face, d, e, side)) return passed_through_open_side(f, d, face);
  if (e == d && side == face.behind_inflow) return passed_through_inflow(f, d, face);
  const ForceFields<Dim>& of = f.of;
  const Index<Dim>& c = face.c;
  if (face.in_open_side >= 0 && e != d)
    return passed_through_half(of, OpenFace<Dim>{d, face.in_open_side, c}, e, side);
  return passed_between(of, d, e, side, c);
}

// Into the half cell in front of the first face behind an inflow side, through the half of a side
// along e.
template <int Dim>
HODGE_HD double passed_in_front(const ForceFields<Dim>& of, int d, int e, int side,
                                const SharpFace<Dim>& face) {
  const int from = face.behind_inflow;
  return passed_through_half(of, OpenFace<Dim>{d, from, face.c.shifted(d, from == 0 ? -1 : 1)}, e,
                             side);
}

// nu grad u and the stress nu (grad u + grad u^T) have the same force, but not the same moment.
template <int Dim>
HODGE_HD void add_moment_of_transposed(const SharpForceFields<Dim>& f, const Lever<Dim>& lever,
                                       int d, int e, int side, const SharpFace<Dim>& face,
                                       const double (&x)[Dim], double (&sums)[force_count<Dim>]) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim> at = face.c.shifted(e, side);
  const double part = face.in_open_side >= 0 && e != d ? 0.5 : 1.0;  // of the side
  const double slope =
      (of.velocity[e](at) - of.velocity[e](at.shifted(d, -1))) * of.grid.inverse_spacing(e, d, at);
  double force[Dim] = {}, sums_of[force_count<Dim>] = {};
  force[d] = (side == 0 ? -part : part) * of.density * of.viscosity *
             of.grid.control_area(d, e, at) * slope;
  add_at(lever, x, 1, force, sums_of);
  for (int k = 2 * Dim; k < force_count<Dim>; ++k) sums[k] += sums_of[k];
}

// The shear stress at a face, along d through a plane across e.
template <int Dim>
HODGE_HD double shear_stress(const ForceFields<Dim>& of, const SharpFace<Dim>& face, int d, int e) {
  const double here = of.velocity[d](face.c);
  double sum = 0.0;
  for (int side = 0; side < 2; ++side)
    sum += face.slope[e][side] * (value_on_side(face, of.velocity[d], e, side) - here);
  sum += sum_of_taps(face.turning[e], SharpFace<Dim>::most_turning, of.velocity[e], face.c);
  return of.density * of.viscosity * sum;
}

// The bands of two components are not the same region, so that the couple of the shear stress in
// them does not cancel.
template <int Dim>
HODGE_HD void add_couple(const ForceFields<Dim>& of, const SharpFace<Dim>& face, int d,
                         double (&sums)[force_count<Dim>]) {
  for (int e = 0; e < Dim; ++e) {
    if (e == d) continue;
    const double sign = (e + 1) % 3 == d ? -1.0 : 1.0;
    sums[2 * Dim + moment_count<Dim> + (Dim == 2 ? 0 : 3 - d - e)] +=
        sign * face.fluid * shear_stress(of, face, d, e);
  }
}

template <int Dim>
HODGE_HD double fluid_of_row(const ForceFields<Dim>& of, const SharpFace<Dim>& face, int d) {
  if (face.in_open_side < 0) return fluid_beside(of.grid, of.bodies, d, face.c);
  const Index<Dim> cell = OpenFace<Dim>{d, face.in_open_side, face.c}.cell();
  return 0.5 * of.grid.cell_volume(cell) * of.bodies.fluid(cell);
}

// Adds what passes into the band at a face, where it passes, and what the face itself gives.
template <int Dim>
HODGE_HD void add_force_in_band(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int d,
                                const SharpFace<Dim>& face, double (&sums)[force_count<Dim>]) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim>& c = face.c;
  double x[Dim], force[Dim] = {};
  for (int e = 0; e < Dim; ++e) x[e] = of.grid.coordinate(d, e, c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const bool regular = face.regular_beside[e][side];
      if (!regular && face.in_side[e][side] == 0.0) continue;
      const double middle = x[e];
      x[e] = e == d ? of.grid.centre(e, c[e] - 1 + side) : of.grid.edge(e, c[e] + side);
      if (lies_in_side(face, d, e, side)) x[e] = middle;
      if (e == d && side == face.behind_inflow) x[e] = of.grid.edge(e, c[e] - 1 + 2 * side);
      const double open = regular ? 1.0 : face.in_side[e][side];
      force[d] = open * passed_from(f, d, e, side, face);
      add_at(lever, x, 1, force, sums);
      if (regular) add_moment_of_transposed(f, lever, d, e, side, face, x, sums);
      if (e != d && face.behind_inflow >= 0) {
        force[d] = open * passed_in_front(of, d, e, side, face);
        x[d] = of.grid.coordinate(d, d, c.shifted(d, face.behind_inflow == 0 ? -1 : 1));
        add_at(lever, x, 1, force, sums);
        x[d] = of.grid.coordinate(d, d, c);
      }
      x[e] = middle;
    }
  const double fluid = fluid_of_row(of, face, d);
  force[d] =
      of.density * (face.in_open_side < 0 ? driven_momentum(of.grid, of.bodies, of.forcing[d], d, c)
                                          : fluid * forcing_at(of.forcing[d], c));
  if (f.last_dt > 0.0)
    force[d] -= of.density * fluid * (of.velocity[d](c) - f.previous[d](c)) / f.last_dt;
  if (f.resistance[d].any())
    force[d] += of.density * fluid *
                resisting_rate(f.resistance[d], {of.velocity, of.velocity}, of.velocity[d], c);
  add_at(lever, x, 1, force, sums);
  add_couple(of, face, d, sums);
}

// The body beside a face that has no unknown; 0: none.
template <int Dim>
HODGE_HD int body_beside(const SharpForceFields<Dim>& f, int d, const Index<Dim>& c) {
  const int above = f.of.bodies.body(c), below = f.of.bodies.body(c.shifted(d, -1));
  if (above != 0 || below != 0) return above != 0 ? above : below;
  const int piece = f.of.bodies.at(c).piece;
  return piece >= 0 ? f.pieces[piece].body : 0;
}

// What drives the fluid beside a face that has no unknown.
template <int Dim>
HODGE_HD void add_driven(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int d,
                         const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  double x[Dim], force[Dim] = {};
  for (int e = 0; e < Dim; ++e) x[e] = f.of.grid.coordinate(d, e, c);
  force[d] = f.of.density * driven_momentum(f.of.grid, f.of.bodies, f.of.forcing[d], d, c);
  add_at(lever, x, 1, force, sums);
}

template <int Dim>
HODGE_HD void add_sharp_force(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int body,
                              const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  const BodyPoint<Dim>& point = f.of.bodies.at(c);
  for (int d = 0; d < Dim; ++d) {
    if (point.row[d] >= 0 && f.faces[d][point.row[d]].body == body)
      add_force_in_band(f, lever, d, f.faces[d][point.row[d]], sums);
    else if (f.of.bodies.excludes(d, c) && body_beside(f, d, c) == body)
      add_driven(f, lever, d, c, sums);
    if (c[d] + 1 < f.of.grid.cells[d]) continue;
    const int last = f.of.bodies.at(c.shifted(d, 1)).row[d];  // in an open side
    if (last >= 0 && f.faces[d][last].in_open_side == 1 && f.faces[d][last].body == body)
      add_force_in_band(f, lever, d, f.faces[d][last], sums);
  }
  if (point.piece < 0 || f.pieces[point.piece].body != body) return;
  const WallPiece<Dim>& piece = f.pieces[point.piece];
  double x[Dim], force[Dim];
  for (int d = 0; d < Dim; ++d) {
    x[d] = f.of.grid.centre(d, piece.c[d]) + piece.middle[d];
    force[d] = f.of.pressure(piece.c) * piece.area[d];
  }
  for (int e = 0; e < Dim; ++e) {
    const double slope = gradient_in_cell(f.of.grid, f.of.bodies, f.of.pressure, e, piece.c);
    for (int d = 0; d < Dim; ++d) force[d] += slope * piece.moment[d][e];
  }
  add_at(lever, x, 0, force, sums);
  for (double& part : force) part = -part;
  add_at(lever, x, 1, force, sums);
}

// Beyond the section through the middle of the cell between a face in an open side and the next one
// within, of the first, or of the half cell in front of the first face behind an inflow side: what
// passes into it but through that section, and what it gives, less what the balance over a box that
// ends in the section has there.
template <int Dim>
HODGE_HD double beyond_section(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int d,
                               const SharpFace<Dim>& face) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim>& c = face.c;
  if (face.in_open_side >= 0) {
    double sums[force_count<Dim>] = {};
    add_force_in_band(f, lever, d, face, sums);
    const int inner = 1 - face.in_open_side;
    const double whole = face.regular_beside[d][inner] ? 1.0 : 0.0;
    const bool meets = !of.bodies.excludes(d, c.shifted(d, inner == 0 ? -1 : 1));
    const double taken = (meets ? of.bodies.open(d, c) : 0.0) - whole;
    return sums[Dim + d] + taken * passed_between(of, d, d, inner, c);
  }
  const int from = face.behind_inflow;
  double sum =
      face.in_side[d][from] * passed_through_inflow(f, d, face) -
      of.bodies.open(d, c.shifted(d, from == 0 ? -1 : 1)) * passed_between(of, d, d, from, c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2 && e != d; ++side) {
      const double open = face.regular_beside[e][side] ? 1.0 : face.in_side[e][side];
      if (open > 0.0) sum += open * passed_in_front(of, d, e, side, face);
    }
  return sum;
}

// Adds it to the viscous force, of the faces below c and of those in an upper side above c.
template <int Dim>
HODGE_HD void add_beyond_sections(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int body,
                                  const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  for (int d = 0; d < Dim; ++d)
    for (int side = 0; side < 2; ++side) {
      if (side == 1 && c[d] + 1 < f.of.grid.cells[d]) continue;
      const int row = f.of.bodies.at(c.shifted(d, side)).row[d];
      if (row < 0) continue;
      const SharpFace<Dim>& face = f.faces[d][row];
      const bool in_side = face.in_open_side >= 0 && (side == 0 || face.in_open_side == 1);
      if (face.body == body && (in_side || (side == 0 && face.behind_inflow >= 0)))
        sums[Dim + d] += beyond_section(f, lever, d, face);
    }
}

template <int Dim, class Space>
std::vector<BodyForce> force_beyond_sections(const SharpForceFields<Dim>& fields,
                                             const std::vector<BodyFrame>& bodies,
                                             const std::vector<Lever<Dim>>& levers,
                                             linalg::Buffer<double, Space>& results) {
  return forces_by<Dim, Space>(
      fields.of.grid, bodies, levers,
      [=] HODGE_LAMBDA(const Lever<Dim>& lever, int body, const Index<Dim>& c,
                       double(&sums)[force_count<Dim>]) {
        for (double& part : sums) part = 0.0;
        add_beyond_sections(fields, lever, body, c, sums);
      },
      results);
}

template <int Dim, class Space>
std::vector<BodyForce> sharp_body_forces(const SharpForceFields<Dim>& fields,
                                         const std::vector<BodyFrame>& bodies,
                                         const std::vector<Lever<Dim>>& levers,
                                         linalg::Buffer<double, Space>& results) {
  return forces_by<Dim, Space>(
      fields.of.grid, bodies, levers,
      [=] HODGE_LAMBDA(const Lever<Dim>& lever, int body, const Index<Dim>& c,
                       double(&sums)[force_count<Dim>]) {
        for (double& part : sums) part = 0.0;
        add_sharp_force(fields, lever, body, c, sums);
      },
      results);
}

}  // namespace hodge::sim
