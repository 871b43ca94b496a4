// A step or stage with explicit convection at the faces beside sharp bodies
// (operators/sharp_rates.hpp). What friction is stiffer by there than far from bodies, lambda, is
// taken at the new level, so that the step may be as long as without bodies. dt_k = (gamma + zeta)
// dt, length of the stage:
//
//   rk3      (1 + dt_k lambda) new = q + dt (gamma rate + zeta old rate) - dt_k (grad p)_d / rho
//            with rates that leave lambda q out; first order in time
//
// ab2 and cn_ab2 read q^{n-1}, so that lambda acts on the change of the change alone, of second
// order. Adams-Bashforth is stable where s, what is implicit, is at least half of all friction and
// convection; a little more damps, a = 9/16 (U. M. Ascher, S. J. Ruuth & B. T. R. Wetton, SIAM J.
// Numer. Anal. 32, 1995). With delta = q^{n+1} - q^n, delta_old = q^n - q^{n-1}, r = dt / dt_old:
//
//   (1 + dt s) delta = dt (e0 rate^n + e1 rate^{n-1} - (grad p)_d / rho) + dt s r delta_old
//   s                = a lambda, of cn_ab2 a lambda - theta nu D, the matrix of its other rows
//
// a = 1 in the first step, which has no delta_old. The passes of all other faces overwrite the
// forcing, which stands in the array of the result, so values are computed before them and stored
// behind them.
#pragma once

#include "sim/discrete/assembly/right_sides.hpp"
#include "sim/discrete/operators/sharp_rates.hpp"
#include "sim/time/runge_kutta.hpp"

namespace hodge::sim {

// How lambda is implicit.
struct SharpFriction {
  double implicit = 1.0;          // its share; 0: all of friction is explicit
  bool from_levels = false;       // ab2, cn_ab2
  double ratio = 0.0;             // r
  const double* uniform[3] = {};  // G of flow_rate_control.hpp, which is added behind the stage
};

inline SharpFriction friction_of_levels(double ratio) {
  return {ratio > 0.0 ? 9.0 / 16.0 : 1.0, true, ratio};
}

// scratch: the new values, then the rates. From levels: the arrays of the rates still hold u^{n-1}.
template <int Dim, class Space>
void compute_sharp_stage(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                         const ConstVelocityView<Dim>& before, const SharpView<Dim>& sharp,
                         const SharpFriction& friction, double* scratch) {
  const RatesOfStage<> rates = rates_of(equation);
  const double nu = equation.transport.diffusivity;
  const double length = equation.stage.length() * equation.dt;
  const double over = length * friction.implicit;
  const double* const uniform = friction.uniform[field.location];
  linalg::for_each<Space>(sharp.count, [=] HODGE_LAMBDA(int i) {
    const SharpFace<Dim>& face = sharp.faces[i];
    const ConstFieldView<Dim> q = at_origin(equation, field.q);
    TransportOperator<Dim> on = equation.transport;
    const int d = on.location = field.location;
    const double here = q(face.c), lambda = nu * face.stiffness;
    double transported =
        sharp_rate(on.grid, on.bodies, on.side_flows, face, d, nu, equation.velocity, q);
    double extrapolated = 0.0;
    if (friction.from_levels) {
      extrapolated = here + friction.ratio * (here - before[d](face.c));
      if (uniform != nullptr) extrapolated -= length * *uniform;  // so that lambda damps it, too
    } else if (friction.implicit > 0.0) {
      transported += lambda * here;
    }
    const StageValues values = stage_values(on, equation, field, rates, transported, face.c);
    scratch[i] = (values.next + over * lambda * extrapolated) / (1.0 + over * lambda);
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
                            std::optional<SharpFaces<Dim, Space>>& sharp,
                            const SharpFriction& friction) {
  ConstVelocityView<Dim> before;
  for (int d = 0; d < Dim; ++d)
    before.component[d] = at_origin<Dim, const double>(equation, components[d].rate);
  for (int d = 0; sharp && d < Dim; ++d)
    compute_sharp_stage<Dim, Space>(equation, components[d], before, sharp->view(d), friction,
                                    sharp->scratch(d));
  take_stage<0, Dim, Space>(equation, components);
  for (int d = 0; sharp && d < Dim; ++d)
    store_sharp_stage<Dim, Space>(equation, components[d], sharp->view(d), sharp->scratch(d));
}

// theta nu D of the change of the change, of a row of the matrix.
template <int Dim>
HODGE_HD double implicit_diffusion_of(const TransportOperator<Dim>& on,
                                      const ConstFieldView<Dim>& q, const SharpFace<Dim>& face) {
  const bool in_side = face.in_open_side >= 0;
  double sum =
      in_side ? diffusion_of_open_face(on, q, OpenFace<Dim>{on.location, face.in_open_side, face.c})
              : diffusion_of(on, q, face.c);
  for (int e = 0; e < Dim; ++e)
    sum += (in_side ? 0.5 : 1.0) * added_side_friction(on, q, e, face.c);
  return sum;
}

// scratch: right sides of cn_ab2, then a lambda.
template <int Dim, class Space>
void compute_sharp_right_side(const RightSide<Dim>& side, const SharpFriction& friction,
                              double* scratch) {
  const TransportEquation<Dim>& equation = side.equation;
  const ExplicitTransport<Dim> terms = shared_terms(equation);
  const RightSideTerms<Dim> of = terms_of(side);
  const SharpView<Dim> sharp = equation.sharp;
  const double theta = equation.implicit_diffusion;
  linalg::for_each<Space>(sharp.count, [=] HODGE_LAMBDA(int i) {
    const SharpFace<Dim>& face = sharp.faces[i];
    const Index<Dim>& c = face.c;
    const TransportOperator<Dim>& on = terms.transport;
    const int d = on.location;
    const double nu = on.diffusivity;
    double rate = known_acceleration(on, terms, of, of.unknowns.row(c), c);
    for (int k = 0; k < 2; ++k)
      rate += terms.convection[k] * sharp_rate(on.grid, on.bodies, on.side_flows, face, d, nu,
                                               terms.velocity[k], of.level[k]);
    const double implicit = friction.implicit * nu * face.stiffness;
    const double volume = volume_of_row(on.grid, face, d);
    const double changed = volume * implicit * (of.level[0](c) - of.level[1](c)) -
                           theta * (implicit_diffusion_of(on, of.level[0], face) -
                                    implicit_diffusion_of(on, of.level[1], face));
    double scale = 1.0;
    for (int e = 0; e < Dim; ++e) scale *= side_factor(on.grid, on.sides, on.bodies, d, e, c);
    scratch[i] = (volume * rate + friction.ratio * changed) / scale;
    scratch[sharp.count + i] = implicit;
  });
}

template <int Dim, class Space>
void store_sharp_right_side(const RightSide<Dim>& side, const double* scratch) {
  const SharpView<Dim> sharp = side.equation.sharp;
  const Unknowns<Dim> unknowns = side.unknowns;
  double* const b = side.b;
  linalg::for_each<Space>(
      sharp.count, [=] HODGE_LAMBDA(int i) { b[unknowns.row(sharp.faces[i].c)] = scratch[i]; });
}

// assemble_right_sides() of all components.
template <int Dim, class Space>
void assemble_right_sides_of_velocity(const std::array<RightSide<Dim>, Dim>& sides,
                                      const std::optional<UniformGrid<Dim>>& uniform,
                                      std::optional<SharpFaces<Dim, Space>>& sharp,
                                      const SharpFriction& friction) {
  for (int d = 0; sharp && d < Dim; ++d)
    compute_sharp_right_side<Dim, Space>(sides[d], friction, sharp->scratch(d));
  assemble_right_sides<0, Dim, Space>(sides, uniform);
  for (int d = 0; sharp && d < Dim; ++d)
    store_sharp_right_side<Dim, Space>(sides[d], sharp->scratch(d));
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
