// A stage of an explicit scheme at the faces beside sharp bodies (operators/sharp_rates.hpp). What
// friction is stiffer by there than far from bodies, lambda = nu stiffness, or friction and
// convection together where that is more, is taken at the new level, so that the step may be as
// long as without bodies. With rates that leave it out,
//
//   (1 + dt_k lambda) new = q + dt (gamma rate + zeta old rate) - dt_k (grad p)_d / rho
//   dt_k = (gamma + zeta) dt
//
// The stage of all other faces (runge_kutta.hpp) overwrites the forcing, which stands in the array
// of the new level, so values and rates are computed before it and stored behind it.
#pragma once

#include "sim/discrete/operators/sharp_rates.hpp"
#include "sim/time/runge_kutta.hpp"

namespace hodge::sim {

// scratch: the new values, then the rates. `implicit`: 1; 0 where all of friction is explicit.
template <int Dim, class Space>
void compute_sharp_stage(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                         const SharpView<Dim>& sharp, double implicit, double* scratch) {
  const RatesOfStage<> rates = rates_of(equation);
  const double nu = equation.transport.diffusivity;
  const double over = equation.stage.length() * equation.dt;
  linalg::for_each<Space>(sharp.count, [=] HODGE_LAMBDA(int i) {
    const SharpFace<Dim>& face = sharp.faces[i];
    const ConstFieldView<Dim> q = at_origin(equation, field.q);
    TransportOperator<Dim> on = equation.transport;
    on.location = field.location;
    const SharpRate rate = sharp_rate(on.grid, face, field.location, nu, equation.velocity, q);
    const double lambda = implicit * fmax(nu * face.stiffness, rate.stiffness());
    const double transported = rate.rate + lambda * q(face.c);
    const StageValues values = stage_values(on, equation, field, rates, transported, face.c);
    scratch[i] = values.next / (1.0 + over * lambda);
    scratch[sharp.count + i] = values.rate;
  });
}

template <int Dim, class Space>
void store_sharp_stage(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                       const SharpView<Dim>& sharp, const double* scratch) {
  const RatesOfStage<> rates = rates_of(equation);
  linalg::for_each<Space>(sharp.count, [=] HODGE_LAMBDA(int i) {
    store_stage(equation, field, rates, {scratch[i], scratch[sharp.count + i]}, sharp.faces[i].c);
  });
}

// take_stage() of all components.
template <int Dim, class Space>
void take_stage_of_velocity(const StageEquation<Dim>& equation,
                            const std::array<StageField<Dim>, Dim>& components,
                            std::optional<SharpFaces<Dim, Space>>& sharp, double implicit = 1.0) {
  for (int d = 0; sharp && d < Dim; ++d)
    compute_sharp_stage<Dim, Space>(equation, components[d], sharp->view(d), implicit,
                                    sharp->scratch(d));
  take_stage<0, Dim, Space>(equation, components);
  for (int d = 0; sharp && d < Dim; ++d)
    store_sharp_stage<Dim, Space>(equation, components[d], sharp->view(d), sharp->scratch(d));
}

// What the time of implicit friction leaves of accelerations.
template <int Dim, class Space>
void damp_beside_sharp_bodies(const BodyView<Dim>& bodies, const SharpFaces<Dim, Space>& sharp,
                              VelocityField<Dim, Space>& accelerations) {
  for (int d = 0; d < Dim; ++d) {
    const SharpView<Dim> faces = sharp.view(d);
    const FieldView<Dim> a = accelerations[d].view();
    linalg::for_each<Space>(faces.count, [=] HODGE_LAMBDA(int i) {
      a(faces.faces[i].c) *= bodies.mobility(d, faces.faces[i].c);
    });
  }
}

}  // namespace hodge::sim
