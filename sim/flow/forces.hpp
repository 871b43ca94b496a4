// The force of the fluid on each body, M L / T^2 (in 2D a unit of length along z): the momentum
// that the discrete equations lose at its surface, so that what drives a flow and what acts on its
// bodies add up.
//
//       +---w---+------+    Between the last free face v and the body, half of the cell q is
//       v   q   | body |    a control volume without momentum: what enters it acts on the body.
//       +---w---+------+    n points into the body, A is the area of the face between them, h the
//                           width of q along n.
//
//   pressure   p(q) A n + density (f h / 2 A + (v / 2)^2 A n + what the faces w carry into it)
//   viscous    density nu (v / h A n + for the two faces w of q their mean / (h / 2) A along them)
//
// f is the force on the fluid, so that a fluid at rest gives the weight of what the body displaces.
// The mean pressure gradient that holds a flow rate acts on the body's volume as on the fluid's.
// The viscous part of v vanishes on a flat surface, as du_n/dn does, but not on a staircase. What
// the flow carries is taken as central, whatever the convection scheme: a difference of second
// order.
//
// Moments are those of these forces at the middles of the faces, about a point that each body has;
// along z alone in 2D. On a periodic axis a face lies within half the axis from the body's middle.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

template <int Dim>
struct ForceFields {
  GridView<Dim> grid;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  BodyView<Dim> bodies;
  Forcing<Dim> forcing[Dim] = {};
  double density = 1, viscosity = 0;   // rho, nu
  FaceCoefficient<Dim> coefficient{};  // of nu
};

// Of one body: pressure along each axis, viscous, then the moments of both.
template <int Dim>
inline constexpr int moment_count = Dim == 2 ? 1 : 3;
template <int Dim>
inline constexpr int force_count = 2 * (Dim + moment_count<Dim>);

// The lever of a moment: from `about` to a point near `middle`.
template <int Dim>
struct Lever {
  double middle[Dim], about[Dim], period[Dim];  // period 0: not periodic

  HODGE_HD double along(int e, double x) const {
    double from_middle = x - middle[e];
    if (period[e] != 0.0) from_middle -= period[e] * std::round(from_middle / period[e]);
    return middle[e] + from_middle - about[e];
  }
};

template <int Dim>
Lever<Dim> lever_of(const BodyFrame& frame, const Grid& grid, const Boundaries& boundaries) {
  Lever<Dim> lever{};
  for (int d = 0; d < Dim; ++d) {
    const auto e = static_cast<std::size_t>(d);
    lever.middle[d] = frame.middle[e];
    lever.about[d] = frame.about[e];
    lever.period[d] = boundaries.periodic(d) ? grid.axis(d).length() : 0.0;
  }
  return lever;
}

// A face between the fluid cell q and a body: beyond q along axis d, above for side = 1, below -1.
template <int Dim>
struct WettedFace {
  Index<Dim> q;
  int d, side;

  HODGE_HD Index<Dim> beyond(const Index<Dim>& c) const { return c.shifted(d, side); }
  // The index of component d's face on the far or near side of q.
  HODGE_HD Index<Dim> far() const { return q.shifted(d, side > 0 ? 0 : 1); }
  HODGE_HD Index<Dim> near() const { return q.shifted(d, side > 0 ? 1 : 0); }
};

// Momentum along d that the face of component t of q above (t_side = 1) or below it carries into
// the half cell, from a free face next to it.
template <int Dim>
HODGE_HD double carried_along(const ForceFields<Dim>& f, const WettedFace<Dim>& face, int t,
                              int t_side) {
  const Index<Dim> neighbour = face.q.shifted(t, t_side);
  if (f.bodies.body(neighbour) != 0 || f.bodies.body(face.beyond(neighbour)) != 0) return 0.0;
  const double inward = -t_side * f.velocity[t](t_side > 0 ? neighbour : face.q);
  const double value = 0.5 * f.velocity[face.d](face.near().shifted(t, t_side));
  return 0.5 * f.grid.face_area(t, face.q) * inward * value;
}

// The friction along t at the face, for nu = 1: that of the two faces of component t of q. The wall
// is behind half of such a face's side, and behind the other half too unless q is the last beside
// it.
template <int Dim>
HODGE_HD double friction_along(const ForceFields<Dim>& f, const WettedFace<Dim>& face, int t) {
  double sum = 0.0;
  for (int t_side = -1; t_side <= 1; t_side += 2) {
    const Index<Dim> at = t_side > 0 ? face.q.shifted(t, 1) : face.q;
    const bool last = f.bodies.body(face.beyond(face.q.shifted(t, t_side))) == 0;
    const double part = last ? f.grid.distance(t, at[t]) / f.grid.width(t, face.q[t]) : 1.0;
    sum += part * f.coefficient.at(t, face.d, with(at, face.d, face.near()[face.d])) *
           f.velocity[t](at);
  }
  const int d = face.d;
  return f.grid.face_area(d, face.q) * sum / f.grid.distance(d, face.near()[d]);
}

// Adds a pressure force or a viscous one (part 1) at a point, and its moment.
template <int Dim>
HODGE_HD void add_at(const Lever<Dim>& lever, const double (&x)[Dim], int part,
                     const double (&force)[Dim], double (&sums)[force_count<Dim>]) {
  double arm[Dim];
  for (int e = 0; e < Dim; ++e) {
    arm[e] = lever.along(e, x[e]);
    sums[part * Dim + e] += force[e];
  }
  double* const moments = sums + 2 * Dim + part * moment_count<Dim>;
  for (int k = 0; k < moment_count<Dim>; ++k) {
    const int a = Dim == 2 ? 0 : (k + 1) % 3, b = Dim == 2 ? 1 : (k + 2) % 3;
    moments[k] += arm[a] * force[b] - arm[b] * force[a];
  }
}

// Adds the force at one face.
template <int Dim>
HODGE_HD void add_force(const ForceFields<Dim>& f, const Lever<Dim>& lever,
                        const WettedFace<Dim>& face, double (&sums)[force_count<Dim>]) {
  const Index<Dim>& q = face.q;
  const int d = face.d;
  const double area = f.grid.face_area(d, q), width = f.grid.width(d, q[d]);
  const double v = f.velocity[d](face.far());
  double inertia = area * (0.25 * face.side * v * v +
                           0.5 * width * forcing_in_cell(f.forcing[d], face.near(), q));
  for (int t = 0; t < Dim; ++t)
    for (int t_side = -1; t_side <= 1 && t != d; t_side += 2)
      inertia += carried_along(f, face, t, t_side);
  const double mu = f.density * f.viscosity;
  double x[Dim], pressure[Dim] = {}, viscous[Dim];
  pressure[d] = face.side * f.pressure(q) * area + f.density * inertia;
  for (int t = 0; t < Dim; ++t) {
    x[t] = f.grid.coordinate(d, t, face.near());
    viscous[t] = mu * (t == d ? f.coefficient.at(d, d, q.shifted(d, 1)) * area * v / width
                              : friction_along(f, face, t));
  }
  add_at(lever, x, 0, pressure, sums);
  add_at(lever, x, 1, viscous, sums);
}

// A mean pressure gradient acts on what the body displaces, too.
template <int Dim>
HODGE_HD void add_mean_gradient(const ForceFields<Dim>& f, const Lever<Dim>& lever,
                                const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  double x[Dim], force[Dim] = {};
  for (int d = 0; d < Dim; ++d) {
    x[d] = f.grid.centre(d, c[d]);
    if (f.forcing[d].uniform != nullptr)
      force[d] = f.density * *f.forcing[d].uniform * f.grid.cell_volume(c);
  }
  add_at(lever, x, 0, force, sums);
}

// The force on `body` at the faces of cell c, and in it where it is of the body.
template <int Dim>
HODGE_HD void force_at(const ForceFields<Dim>& f, const Lever<Dim>& lever, int body,
                       const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  for (double& part : sums) part = 0.0;
  if (const int here = f.bodies.body(c); here != 0) {
    if (here == body) add_mean_gradient(f, lever, c, sums);
    return;
  }
  for (int d = 0; d < Dim; ++d)
    for (int side = -1; side <= 1; side += 2)
      if (f.bodies.body(c.shifted(d, side)) == body) add_force(f, lever, {c, d, side}, sums);
}

// One pass over the cells for each body, one copy to the host: add(lever, body, c, sums) adds to
// zeros. `results` has force_count entries for each.
template <int Dim, class Space, class Add>
std::vector<BodyForce> forces_by(const GridView<Dim>& grid, const std::vector<BodyFrame>& bodies,
                                 const std::vector<Lever<Dim>>& levers, const Add& add,
                                 linalg::Buffer<double, Space>& results) {
  constexpr int count = force_count<Dim>, moments = moment_count<Dim>;
  const Box<Dim> cells{Index<Dim>::filled(0), grid.cells};
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const int body = static_cast<int>(k) + 1;
    const Lever<Dim> lever = levers[k];
    linalg::reduce<Space>(
        cells, linalg::Sums<count>(),
        [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
          add(lever, body, c, value);
        },
        results.data() + k * count);
  }
  const std::vector<double> values = results.to_host();
  std::vector<BodyForce> forces;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    BodyForce force{.body = bodies[k].name};
    const double* const of = values.data() + k * count;
    for (int d = 0; d < Dim; ++d) {
      force.pressure[d] = of[d];
      force.viscous[d] = of[Dim + d];
    }
    for (int m = 0; m < moments; ++m) {
      force.pressure_moment[3 - moments + m] = of[2 * Dim + m];
      force.viscous_moment[3 - moments + m] = of[2 * Dim + moments + m];
    }
    forces.push_back(force);
  }
  return forces;
}

template <int Dim, class Space>
std::vector<BodyForce> body_forces(const ForceFields<Dim>& fields,
                                   const std::vector<BodyFrame>& bodies,
                                   const std::vector<Lever<Dim>>& levers,
                                   linalg::Buffer<double, Space>& results) {
  return forces_by<Dim, Space>(
      fields.grid, bodies, levers,
      [=] HODGE_LAMBDA(const Lever<Dim>& lever, int body, const Index<Dim>& c,
                       double(&sums)[force_count<Dim>]) { force_at(fields, lever, body, c, sums); },
      results);
}

}  // namespace hodge::sim
