// Forces that depend on the flow, at the faces of component d, L/T^2:
//
//   -2 (Omega x u)_d         of a frame that rotates; the centrifugal force is part of the pressure
//   f_d(x, y, z, t, u, v, w, scalars)
//
// Another component u_e at a face of d is the mean over the cells K beside the face, weighted with
// their widths, and in a cell that of its two faces, as far as they are open:
//
//   u_e = sum_K h_K (A u_e(K below) + A u_e(K above)) / 2 / sum_K h_K
//
//      +---v---+---v---+
//      |   K   u   K   |      v: faces of e
//      +---v---+---v---+
// So each pair of faces of a cell acts on both with V_K / 4, and rotation changes no energy in the
// norm of the projection: sum of A V u.F = 0, on stretched grids, beside sides (in open ones with
// the cell within alone), staircases and sharp bodies. Second order where the widths of neighbours
// differ by O(h^2).
// Ghosts of u are filled.
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/resistance.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// u_e at the face of `place` at c, e another component.
template <int Dim>
HODGE_HD double mean_at_face(const Forcing<Dim>& place, const ResistingVelocity<Dim>& u, int e,
                             const Index<Dim>& c) {
  const int d = place.location, open_side = open_side_at(place, c);
  double sum = 0.0, width = 0.0;
  for (int side = 0; side < 2; ++side) {
    if (side == open_side) continue;
    const Index<Dim> below = c.shifted(d, side - 1), above = below.shifted(e, 1);
    const double h = place.grid.width(d, below[d]);
    sum += 0.5 * h *
           (place.bodies.open(e, below) * u(e, below) + place.bodies.open(e, above) * u(e, above));
    width += h;
  }
  return sum / width;
}

template <int Dim>
HODGE_HD double velocity_at_face(const Forcing<Dim>& place, const ResistingVelocity<Dim>& u, int e,
                                 const Index<Dim>& c) {
  return e == place.location ? u(e, c) : mean_at_face(place, u, e, c);
}

// The acceleration of component d by a unit of u_e, 1/T; and what is taken of a unit of
// u_e^n - u_e^{n-1}: kappa dt (|2 Omega|^2 delta_de - (2 Omega)_d (2 Omega)_e), which the square of
// the first is but for its means (model/schemes.hpp).
template <int Dim>
struct Coriolis {
  double rate[Dim][Dim] = {}, damping[Dim][Dim] = {};
  bool any = false, is_damped = false;
};

// `damped`: kappa dt.
template <int Dim>
Coriolis<Dim> coriolis_of(const Point& omega, double damped) {
  const double f[3] = {2 * omega[0], 2 * omega[1], 2 * omega[2]};
  const double matrix[3][3] = {{0, f[2], -f[1]}, {-f[2], 0, f[0]}, {f[1], -f[0], 0}};
  const double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
  Coriolis<Dim> coriolis;
  for (int d = 0; d < Dim; ++d)
    for (int e = 0; e < Dim; ++e) {
      coriolis.rate[d][e] = matrix[d][e];
      coriolis.damping[d][e] = damped * ((d == e ? square : 0.0) - f[d] * f[e]);
    }
  coriolis.any = square > 0;
  coriolis.is_damped = coriolis.any && damped != 0;
  return coriolis;
}

// At a face; without what its place and time alone give.
template <int Dim>
HODGE_HD double coriolis_at(const Coriolis<Dim>& by, const Forcing<Dim>& place,
                            const ResistingVelocity<Dim>& u, const Index<Dim>& c) {
  const int d = place.location;
  const ResistingVelocity<Dim> change{u.now, u.before, 1.0, -1.0};
  double sum = 0.0;
  for (int e = 0; e < Dim; ++e) {
    if (by.rate[d][e] != 0.0) sum += by.rate[d][e] * mean_at_face(place, u, e, c);
    if (by.is_damped && by.damping[d][e] != 0.0)
      sum -= by.damping[d][e] * velocity_at_face(place, change, e, c);
  }
  return sum;
}

// What formulas of the flow are evaluated from: scalars by two levels with weights.
template <int Dim>
struct FlowAtFaces {
  ResistingVelocity<Dim> u;
  ConstFieldView<Dim> scalars[most_scalars_in_coefficients][2] = {};
  double weights[2] = {1, 0};
  int scalar_count = 0;
  double time = 0;
};

// The variables of a formula at a face, in the order of force_variables().
template <int Dim>
struct VariablesAtFace {
  static constexpr int scalars = first_extra_variable + Dim;
  double of[scalars + static_cast<int>(most_scalars_in_coefficients)] = {};

  HODGE_HD VariablesAtFace(const Forcing<Dim>& place, const FlowAtFaces<Dim>& flow,
                           const Index<Dim>& c) {
    for (int e = 0; e < Dim; ++e) {
      of[e] = place.grid.coordinate(place.location, e, c);
      of[first_extra_variable + e] = velocity_at_face(place, flow.u, e, c);
    }
    of[time_variable] = flow.time;
    for (int k = 0; k < flow.scalar_count; ++k) {
      double& sum = of[scalars + k];
      for (int level = 0; level < 2; ++level)
        if (flow.weights[level] != 0.0)
          sum += flow.weights[level] * scalar_at_face(place, flow.scalars[k][level], c);
    }
  }
};

// to := what place and time give of component d, and rotation.
template <int Dim, class Space>
void evaluate_coriolis(const Coriolis<Dim>& coriolis, const Forcing<Dim>& given,
                       const ResistingVelocity<Dim>& u, Field<Dim, Space>& result) {
  const FieldView<Dim> to = result.view();
  linalg::for_each<Space>(
      points_of(result.layout(), given.location), [=] HODGE_LAMBDA(const Index<Dim>& c) {
        const double still = given_at(given, c);
        to(c) = coriolis.any ? still + coriolis_at(coriolis, given, u, c) : still;
      });
}

// to += f_d
template <int Dim, class Space>
void add_flow_formula(const ProgramView& formula, const Forcing<Dim>& place,
                      const FlowAtFaces<Dim>& from, Field<Dim, Space>& result) {
  const FieldView<Dim> to = result.view();
  linalg::for_each<Space>(points_of(result.layout(), place.location),
                          [=] HODGE_LAMBDA(const Index<Dim>& c) {
                            const VariablesAtFace<Dim> at(place, from, c);
                            to(c) += evaluate(formula, at.of, at.of);
                          });
}

template <int Dim>
struct FlowDerivatives {
  ProgramView of[Dim];  // df_d/du_e
};

// results: max over the faces of |df_d/du_d| and of the sum of |df_d/du_e|, e != d, where they are
// numbers (of sqrt(u^2) at u = 0 they are none).
template <int Dim, class Space>
void measure_flow_rates(const FlowDerivatives<Dim>& derivatives, const Forcing<Dim>& place,
                        const FlowAtFaces<Dim>& from, const Box<Dim>& faces, double* results) {
  using enum linalg::Reduction;
  linalg::reduce<Space>(
      faces, linalg::Kinds<max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        const VariablesAtFace<Dim> at(place, from, c);
        value[0] = value[1] = 0.0;
        for (int e = 0; e < Dim; ++e) {
          const double rate = evaluate(derivatives.of[e], at.of, at.of);
          const double size = rate < 0.0 ? -rate : rate;
          if (size < 1e300) value[e == place.location ? 0 : 1] += size;
        }
      },
      results);
}

}  // namespace hodge::sim
