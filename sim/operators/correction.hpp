// The two corrections that the pressure increment phi makes, and the mean of the pressure.
//
//   p^{n+1} = p^n + phi - rho nu div u*
//   u^{n+1} = u* - dt / (rho a0) grad phi         whose divergence is 0 by the equation of phi
//
// Source: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006,
// Sec. 3.4 (rotational form).
#pragma once

#include "linalg/parallel.hpp"
#include "linalg/scalar.hpp"
#include "sim/assembly/unknowns.hpp"
#include "sim/operators/divergence.hpp"
#include "sim/operators/gradient.hpp"

namespace hodge::sim {

// p += phi - dynamic_viscosity div u
template <int Dim, class Space>
void update_pressure(const GridView<Dim>& grid, const Field<Dim, Space>& increment,
                     double dynamic_viscosity, const VelocityField<Dim, Space>& velocity,
                     Field<Dim, Space>& pressure) {
  const ConstFieldView<Dim> phi = increment.view();
  const ConstVelocityView<Dim> u = velocity.view();
  const FieldView<Dim> p = pressure.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    p(c) += phi(c) - dynamic_viscosity * divergence(grid, u, c);
  });
}

// p -= mean of p over the box
template <int Dim, class Space>
void remove_mean(const GridView<Dim>& grid, double box_volume, Field<Dim, Space>& pressure) {
  const ConstFieldView<Dim> p = std::as_const(pressure).view();
  linalg::Scalar<Space> integral;
  linalg::reduce<Space, 1>(
      pressure.layout().interior(), {linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = grid.cell_volume(c) * p(c);
      },
      integral.data());
  pressure.values() = pressure.values() - integral / box_volume;
}

// u_d -= factor (grad phi)_d at the unknown faces of component d
template <int Dim, class Space>
void subtract_gradient(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns, int d,
                       double factor, const Field<Dim, Space>& increment,
                       Field<Dim, Space>& component) {
  const ConstFieldView<Dim> phi = increment.view();
  const FieldView<Dim> u = component.view();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    u(c) -= factor * gradient(grid, phi, d, c);
  });
}

}  // namespace hodge::sim
