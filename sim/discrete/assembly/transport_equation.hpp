// The implicit transport equation of a velocity component or a scalar q, linear in its new value,
// over control volumes V:
//
//   V (a0 q + a1 q^n + a2 q^{n-1}) / dt + theta_c C(u^) q - theta_d D q
//       = V (forcing - (grad p)_d / rho) + explicit terms
//
// V with the capacity of what is there (storage() in operators/diffusion.hpp)
//
//   C(u^) q = sum_sides out value   central or upwind (operators/convection.hpp)
//   D q     = sum_sides g (q there - q here) (operators/diffusion.hpp)
//
// Resistance adds V r to the diagonal, and the forcing has -r q^n (operators/resistance.hpp).
// Explicit terms: transport of known levels with their weights, and minus the deferred correction
// of convection. Beyond a side of the box the value is offset + slope * q here
// (boundaries/closure.hpp), beside a solid a multiple of q here. Without implicit convection the
// matrix is symmetric, on stretched grids too.
//
// What is assembled and solved is the same equation for the increment delta = q - q^n,
// A delta = b - A q^n =: r_n. r_n is the residual of the last level: it says how much changes in
// the step, whatever the size of q is, so a tolerance on r_n does not depend on a mean flow.
#pragma once

#include <array>
#include <optional>

#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/bodies/along_surfaces.hpp"
#include "sim/discrete/bodies/sharp_faces.hpp"
#include "sim/discrete/boundaries/closure.hpp"
#include "sim/discrete/operators/transport.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::sim {

// weight_c (-C(velocity) field) + weight_d D field + weight_t D^T velocity on the right side; of C
// what the implicit upwind has not where `deferred`. D^T: the transposed gradient of a velocity
// whose viscosity varies (operators/diffusion.hpp).
template <int Dim>
struct ExplicitTerm {
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> field;
  double convection = 0, diffusion = 0;
  bool deferred = false;
  double transposed = 0;

  bool any() const { return convection != 0.0 || diffusion != 0.0 || transposed != 0.0; }
};

// What every row of an equation reads.
template <int Dim>
struct ImplicitTerms {
  ClosureView<Dim> closure;
  ConstFieldView<Dim> old_level, older_level;  // q^n, from which the increment counts; q^{n-1}
  ConstVelocityView<Dim> convecting;           // u^
  ConstFieldView<Dim> forcing;                 // [q] / T; null: none
  ConstFieldView<Dim> pressure;                // of a velocity component; null: none
  double implicit_convection = 1, upwind_fraction = 0;
};

// Of a scalar (bodies/sharp_scalars.hpp): the cells beside closures, and what the surfaces in cells
// take away, loss * q; null: nothing.
template <int Dim>
struct CellsAtSharpBodies {
  const Index<Dim>* beside = nullptr;
  int count = 0;
  ConstFieldView<Dim> loss{};

  // Where bodies conduct the scalar: heat along their surfaces by the last iterate; null: none.
  AlongSurfaces<Dim> along{};
  ConstFieldView<Dim> iterate{};

  bool any() const { return count > 0 || loss.origin != nullptr; }
};

template <int Dim>
struct TransportEquation : ImplicitTerms<Dim> {
  TransportOperator<Dim> transport;
  double dt;
  TimeWeights weights;  // a0 + a1 + a2 = 0
  double implicit_diffusion = 1;
  ExplicitTerm<Dim> explicit_terms[2] = {};
  ConstFieldView<Dim> deferred;    // the new q, extrapolated; null: no deferred correction
  ConstFieldView<Dim> resistance;  // implicit part (operators/resistance.hpp); null: none
  double density = 1;
  SharpView<Dim> sharp{};                  // rows beside sharp bodies
  const double* sharp_implicit = nullptr;  // 1/T; of each where convection is explicit
  CellsAtSharpBodies<Dim> at_sharp{};
  bool keeps_matrix = false;     // that of the last solve: only the right side is new
  bool equal_locations = false;  // no location's matrix differs from another's but by convection
};

// What a matrix without convection depends on: one that has been assembled of the same has the same
// values.
struct MatrixContent {
  int location;
  double rate, diffusivity;
  std::array<const double*, 6> slopes;  // of the sides
  const void* bodies;                   // with their closures

  bool operator==(const MatrixContent&) const = default;
};

// None where convection, the sides or a coefficient change the matrix in every step.
template <int Dim>
std::optional<MatrixContent> constant_matrix(const TransportEquation<Dim>& equation) {
  if (equation.implicit_convection != 0.0 || equation.closure.slopes_change ||
      equation.sharp_implicit != nullptr || equation.transport.coefficient.varies() ||
      equation.resistance.origin != nullptr || equation.at_sharp.any())
    return {};
  MatrixContent content{equation.equal_locations ? at_cells : equation.transport.location,
                        equation.weights.a0 / equation.dt,
                        equation.implicit_diffusion * equation.transport.diffusivity,
                        {},
                        equation.transport.bodies.table};
  for (const auto [axis, side] : sides_of_box(Dim))
    content.slopes[static_cast<std::size_t>(direction(axis, side))] =
        equation.closure.slopes[axis][side];
  return content;
}

}  // namespace hodge::sim
