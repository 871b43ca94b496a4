// The flow through any section of a periodic axis, and the velocities without divergence that
// change it:
//
//   Q_d(u) L_d = integral of u_d over the box = sum over faces of V A u_d          L^(Dim + 1) / T
//   w_d = m (e_d - grad chi_d),   div(A m grad chi_d) = div(A m e_d)
//
// e_d: 1 along d, 0 on the faces of solids; A, m: open part and mobility of a face (body_view.hpp),
// 1 but beside sharp solids. w_d is the potential flow along d past the solids; without solids
// chi_d = 0 and w_d = e_d. Ghosts of chi are filled as those of a pressure increment.
#pragma once

#include <array>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/operators/correction.hpp"

namespace hodge::sim {

template <int Dim>
struct UnitFlow {
  GridView<Dim> grid;
  BodyView<Dim> bodies;
  SideKinds<Dim> sides;
  ConstFieldView<Dim> chi[Dim];  // null: 0
};

// Component d of w_axis at a face, without a look at solids and sides.
template <int Dim>
HODGE_HD double unit_flow_at(const UnitFlow<Dim>& on, int axis, int d, const Index<Dim>& c) {
  const double uniform = d == axis ? 1.0 : 0.0;
  if (!on.chi[axis].origin) return uniform;
  return on.bodies.mobility(d, c) * (uniform - gradient(on.grid, on.chi[axis], d, c));
}

// The integral of each component over the box.
template <int Dim, class Space>
void integrate_velocity(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                        const VelocityField<Dim, Space>& velocity, double* integrals) {
  std::array<linalg::Reduction, Dim> sums;
  sums.fill(linalg::Reduction::sum);
  const ConstVelocityView<Dim> u = velocity.view();
  linalg::reduce<Space, Dim>(
      velocity[0].layout().interior(), sums,
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[Dim]) {
        for (int d = 0; d < Dim; ++d)
          value[d] = grid.control_volume(d, c) * bodies.open(d, c) * u[d](c);
      },
      integrals);
}

// velocity := scale w_axis on all faces of the box, also on the upper ones where the fluid
// continues beyond.
template <int Dim, class Space>
void set_unit_flow(const UnitFlow<Dim>& on, int axis, double scale,
                   VelocityField<Dim, Space>& velocity) {
  const VelocityView<Dim> u = velocity.view();
  const CorrectedFaces<Dim> faces(velocity[0].layout(), on.sides);
  Box<Dim> box = velocity[0].layout().interior();
  for (int d = 0; d < Dim; ++d) ++box.upper[d];
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    for (int d = 0; d < Dim; ++d) {
      const bool moves =
          (on.sides.continues[d][1] || faces.contain(d, c)) && !on.bodies.excludes(d, c);
      u[d](c) = moves ? scale * unit_flow_at(on, axis, d, c) : 0.0;
    }
  });
}

// u += sum over axes of impulse w_axis; `impulses` (one per axis, 0 where none) in the space.
template <int Dim, class Space>
void add_unit_flows(const UnitFlow<Dim>& on, const double* impulses,
                    VelocityField<Dim, Space>& velocity) {
  const VelocityView<Dim> u = velocity.view();
  const CorrectedFaces<Dim> faces(velocity[0].layout(), on.sides);
  linalg::for_each<Space>(faces.any(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    unrolled<Dim>([&](auto d) {
      if (!faces.contain(d, c) || on.bodies.excludes(d, c)) return;
      double change = 0.0;
      for (int axis = 0; axis < Dim; ++axis)
        change += impulses[axis] * unit_flow_at(on, axis, d, c);
      u[d](c) += change;
    });
  });
}

// p += factor sum over axes of impulse chi_axis, in the fluid
template <int Dim, class Space>
void add_unit_potentials(const UnitFlow<Dim>& on, const double* impulses, double factor,
                         Field<Dim, Space>& pressure) {
  const FieldView<Dim> p = pressure.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (on.bodies.excludes(at_cells, c)) return;
    for (int axis = 0; axis < Dim; ++axis)
      if (on.chi[axis].origin) p(c) += factor * impulses[axis] * on.chi[axis](c);
  });
}

// The impulses that bring the flow to `targets`, the integrals of the components that are wanted.
template <int Dim>
struct WantedFlow {
  double targets[Dim] = {};
  double inverse[Dim][Dim] = {};  // of M_de = integral of component d of w_e; 0 where not wanted
};

template <int Dim, class Space>
void find_impulses(const WantedFlow<Dim>& wanted, const double* integrals, double* impulses) {
  linalg::for_each<Space>(Dim, [=] HODGE_LAMBDA(int d) {
    double sum = 0.0;
    for (int e = 0; e < Dim; ++e) sum += wanted.inverse[d][e] * (wanted.targets[e] - integrals[e]);
    impulses[d] = sum;
  });
}

// driving += factor impulse,  published = driving + ahead factor impulse
template <int Dim, class Space>
void accelerate(const double* impulses, double factor, double ahead, double* driving,
                double* published) {
  linalg::for_each<Space>(Dim, [=] HODGE_LAMBDA(int d) {
    const double change = factor * impulses[d];
    driving[d] += change;
    published[d] = driving[d] + ahead * change;
  });
}

}  // namespace hodge::sim
