// The two corrections that the pressure increment phi makes, and the mean of the pressure.
//
//   p^{n+1} = p^n + phi - chi rho nu div u*
//   u^{n+1} = u* - dt / (rho a0) grad phi         whose divergence is 0 by the equation of phi
//
// chi: the implicit share of diffusion, 1 for bdf2, 1/2 for cn_ab2, 0 for rk3 and ab2.
// Sources: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006,
// Sec. 3.4 (rotational form); D. L. Brown, R. Cortez & M. L. Minion, J. Comput. Phys. 168, 2001
// (Crank-Nicolson).
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/scalar.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/operators/divergence.hpp"
#include "sim/discrete/operators/gradient.hpp"

namespace hodge::sim {

// p := old p + phi - dynamic_viscosity div u in the fluid, old p elsewhere; p may be the old one.
// phi: a view, or values of cells (cell_increment.hpp).
template <int Dim, class Space, class Increment>
void update_pressure(const GridView<Dim>& grid, const BodyView<Dim>& bodies, const Increment& phi,
                     double dynamic_viscosity, const VelocityField<Dim, Space>& velocity,
                     const Field<Dim, Space>& old_pressure, Field<Dim, Space>& pressure) {
  const ConstVelocityView<Dim> u = velocity.view();
  const ConstFieldView<Dim> old = old_pressure.view();
  const FieldView<Dim> p = pressure.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const double before = old(c);
    p(c) = bodies.excludes(at_cells, c)
               ? before
               : before + (phi(c) - dynamic_viscosity * divergence(grid, bodies, u, c));
  });
}

// The same where diffusion is explicit: u is not read, 24 instead of 48 bytes per cell in 3D.
template <int Dim, class Space, class Increment>
void update_pressure(const BodyView<Dim>& bodies, const Increment& phi,
                     const Field<Dim, Space>& old_pressure, Field<Dim, Space>& pressure) {
  const ConstFieldView<Dim> old = old_pressure.view();
  const FieldView<Dim> p = pressure.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    p(c) = bodies.excludes(at_cells, c) ? old(c) : old(c) + phi(c);
  });
}

// The mean of p over the fluid.
template <int Dim, class Space>
void average_pressure(const GridView<Dim>& grid, const BodyView<Dim>& bodies, double fluid_volume,
                      const Field<Dim, Space>& pressure, linalg::Scalar<Space>& mean) {
  const ConstFieldView<Dim> p = pressure.view();
  double* const result = mean.data();
  linalg::reduce<Space>(
      pressure.layout().interior(), linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] =
            bodies.excludes(at_cells, c) ? 0.0 : bodies.fluid(c) * grid.cell_volume(c) * p(c);
      },
      result);
  // Once, not in every cell: a division is dear on a GPU.
  linalg::for_each<Space>(1, [=] HODGE_LAMBDA(int) { *result = *result / fluid_volume; });
}

// p + ahead (p - old), p itself where that is as far as it goes.
HODGE_HD inline double ahead_of(double p, double old, double ahead) {
  return ahead != 0.0 ? (1.0 + ahead) * p + -ahead * old : p;
}

// The end of a step whose pressure lags. `published` holds the new P but for its mean; null: there
// is nothing to take off. In one pass
//
//   P := that,   published := P + ahead (P - old P)
template <int Dim, class Space>
void publish_pressure(const BodyView<Dim>& bodies, const double* mean, double ahead,
                      Field<Dim, Space>& pressure, Field<Dim, Space>& published) {
  const FieldView<Dim> p = pressure.view(), shown = published.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const double old = p(c);
    double now = shown(c);
    if (mean != nullptr) now = bodies.excludes(at_cells, c) ? 0.0 : now - *mean;
    p(c) = now;
    shown(c) = ahead_of(now, old, ahead);
  });
}

// What the correction of the velocity makes of the pressure, too.
enum class PressureChange {
  none,
  increment,  // pressure := old pressure + phi, two fields or one
  publish     // the same in one field, and published := pressure + ahead (pressure - old pressure)
};

template <int Dim>
struct PressureUpdate {
  PressureChange change = PressureChange::none;
  ConstFieldView<Dim> old{};
  FieldView<Dim> pressure{}, published{};
  double ahead = 0;
};

// In the cells of phi.
template <int Dim, class Space>
void update_pressure(const BodyView<Dim>& bodies, const Field<Dim, Space>& increment,
                     const PressureUpdate<Dim>& update) {
  if (update.change == PressureChange::none) return;
  const bool publishes = update.change == PressureChange::publish;
  const ConstFieldView<Dim> phi = increment.view();
  linalg::for_each<Space>(increment.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const double old = update.old(c);
    const double now = bodies.excludes(at_cells, c) ? old : old + phi(c);
    if (publishes) update.published(c) = ahead_of(now, old, update.ahead);
    update.pressure(c) = now;
  });
}

// p -= mean of p over the fluid
template <int Dim, class Space>
void remove_mean(const GridView<Dim>& grid, const BodyView<Dim>& bodies, double fluid_volume,
                 Field<Dim, Space>& pressure) {
  const FieldView<Dim> p = pressure.view();
  linalg::Scalar<Space> of_fluid;
  average_pressure(grid, bodies, fluid_volume, pressure, of_fluid);
  const double* const mean = of_fluid.data();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    p(c) = bodies.excludes(at_cells, c) ? 0.0 : p(c) - *mean;
  });
}

// The faces that the pressure moves: all but those in sides where u_d is given. Face n
// beside a side where the fluid continues is the face 0 beyond.
template <int Dim>
struct CorrectedFaces {
  Box<Dim> of[Dim];  // of component d

  CorrectedFaces(const Layout<Dim>& layout, const SideKinds<Dim>& sides) {
    for (int d = 0; d < Dim; ++d) {
      of[d] = layout.interior();
      if (!sides.continues[d][0] && !sides.open[d][0]) of[d].lower[d] = 1;
      if (sides.open[d][1]) of[d].upper[d] += 1;
    }
  }
  HODGE_HD bool contain(int d, const Index<Dim>& c) const { return of[d].contains(c); }
  // A box around those of all components.
  Box<Dim> any() const {
    Box<Dim> box = of[0];
    for (int d = 0; d < Dim; ++d) {
      box.lower[d] = 0;
      box.upper[d] = of[d].upper[d];
    }
    return box;
  }
};

// The mobility of faces that nothing resists at.
struct FullMobility {
  template <int Dim>
  HODGE_HD double operator()(int, const Index<Dim>&) const {
    return 1.0;
  }
};
template <int Dim>
struct MobilityOfFaces {
  ConstVelocityView<Dim> values;
  HODGE_HD double operator()(int d, const Index<Dim>& c) const { return values[d](c); }
};

// u -= factor m grad phi, all components in one pass; m: the mobility
template <int Dim, class Space, class Mobility = FullMobility>
void subtract_gradient(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                       const SideKinds<Dim>& sides, double factor,
                       const Field<Dim, Space>& increment, VelocityField<Dim, Space>& velocity,
                       const Mobility& mobility = {}) {
  const ConstFieldView<Dim> phi = increment.view();
  const VelocityView<Dim> u = velocity.view();
  const CorrectedFaces<Dim> faces(increment.layout(), sides);
  linalg::for_each<Space>(faces.any(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    bool moves[Dim];
    double change[Dim];
    unrolled<Dim>([&](auto d) { moves[d] = faces.contain(d, c) && !bodies.excludes(d, c); });
    unrolled<Dim>([&](auto d) { change[d] = factor * gradient(grid, phi, d, c); });
    if (bodies.cuts_faces) unrolled<Dim>([&](auto d) { change[d] *= bodies.mobility(d, c); });
    unrolled<Dim>([&](auto d) {
      if (moves[d]) u[d](c) -= change[d] * mobility(d, c);
    });
  });
}

// u = 0 on the faces of solids
template <int Dim, class Space>
void stop_at_solids(const BodyView<Dim>& bodies, VelocityField<Dim, Space>& velocity) {
  if (!bodies.any()) return;
  Box<Dim> box = velocity[0].layout().interior();
  for (int d = 0; d < Dim; ++d) ++box.upper[d];
  const VelocityView<Dim> u = velocity.view();
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    for (int d = 0; d < Dim; ++d)
      if (bodies.open(d, c) == 0.0) u[d](c) = 0.0;
  });
}

}  // namespace hodge::sim
