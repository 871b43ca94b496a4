// The force of the fluid on each body, M L / T^2 (in 2D a unit of length along z).
//
//        fluid | solid          pressure   sum over its faces of p_f A n
//          c   | c + e_e        viscous    sum over its faces of density nu (U_t(c) / (h_e / 2)) A,
//    -----------                           tangential directions t; U_t the velocity at the centre
//     c - e_e  | (n = e_e)
//
// n points into the body. p_f is extrapolated to the face from c and c - e_e, which is exact for a
// hydrostatic pressure, or p(c) where c - e_e is solid as well. The wall's no-slip is at the face,
// h_e / 2 from the centre of c; the normal part of the viscous force is 0 there, as du_n/dn is.
// First order on uniform grids, as the staircase of blocked cells is.
//
// The pressure needs its ghosts. No force acts where a body meets a side of the box.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "linalg/buffer.hpp"
#include "linalg/parallel.hpp"
#include "sim/flow/flow.hpp"
#include "sim/operators/cell_values.hpp"
#include "sim/solids/body_view.hpp"

namespace hodge::sim {

template <int Dim>
struct ForceFields {
  GridView<Dim> grid;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  BodyView<Dim> bodies;
  double dynamic_viscosity;  // density nu
};

// The sums of one body: pressure along each axis, then viscous.
template <int Dim>
inline constexpr int force_count = 2 * Dim;

// At the face of fluid cell c towards its neighbour along e: above for side = 1, below for -1.
template <int Dim>
HODGE_HD double face_pressure(const ForceFields<Dim>& f, const Index<Dim>& c, int e, int side) {
  const Index<Dim> behind = c.shifted(e, -side);
  if (f.bodies.solid(behind)) return f.pressure(c);
  const double distance = f.grid.distance(e, side > 0 ? c[e] : c[e] + 1);
  const double gradient = (f.pressure(c) - f.pressure(behind)) / distance;
  return f.pressure(c) + 0.5 * f.grid.width(e, c[e]) * gradient;
}

// The part of the force on `body` that acts on its faces with the fluid cell c.
template <int Dim>
HODGE_HD void force_at(const ForceFields<Dim>& f, int body, const Index<Dim>& c,
                       double (&force)[force_count<Dim>]) {
  for (double& part : force) part = 0.0;
  if (f.bodies.solid(c)) return;
  for (int e = 0; e < Dim; ++e)
    for (int side = -1; side <= 1; side += 2) {
      if (f.bodies.body(c.shifted(e, side)) != body) continue;
      const double area = f.grid.face_area(e, c);
      force[e] += side * face_pressure(f, c, e, side) * area;
      const double shear = 2.0 * f.dynamic_viscosity * area / f.grid.width(e, c[e]);
      for (int t = 0; t < Dim; ++t)
        force[Dim + t] += t == e ? 0.0 : shear * cell_velocity(f.velocity, t, c);
    }
}

// One pass over the cells for each of the named bodies, one copy to the host. `results` has
// force_count entries a body.
template <int Dim, class Space>
std::vector<BodyForce> body_forces(const ForceFields<Dim>& fields,
                                   const std::vector<std::string>& names,
                                   linalg::Buffer<double, Space>& results) {
  constexpr int count = force_count<Dim>;
  std::array<linalg::Reduction, count> sums{};
  sums.fill(linalg::Reduction::sum);
  const Box<Dim> cells{Index<Dim>::filled(0), fields.grid.cells};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const int body = static_cast<int>(k) + 1;
    linalg::reduce<Space, count>(
        cells, sums,
        [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
          force_at(fields, body, c, value);
        },
        results.data() + k * count);
  }
  const std::vector<double> values = results.to_host();
  std::vector<BodyForce> forces;
  for (std::size_t k = 0; k < names.size(); ++k) {
    BodyForce force{.body = names[k]};
    for (int d = 0; d < Dim; ++d) {
      force.pressure[d] = values[k * count + d];
      force.viscous[d] = values[k * count + Dim + d];
    }
    forces.push_back(force);
  }
  return forces;
}

}  // namespace hodge::sim
