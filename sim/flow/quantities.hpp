// Measures the quantities of history.csv (quantity_plan.hpp) as the discrete equations have them:
// one reduction over the cells, one for each scalar, one for each side; one download.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/boundaries/entering.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "sim/discrete/operators/velocity_gradients.hpp"
#include "sim/flow/diagnostics.hpp"
#include "sim/flow/quantity_plan.hpp"

namespace hodge::sim {

// The results of each function are listed at Measurement::Of.
template <int Dim, class Space>
void measure_velocity(const VelocityGradients<Dim>& on, const Layout<Dim>& part, double* results) {
  constexpr int count = 2 + Dim;
  Box<Dim> faces = part.interior();
  for (int d = 0; d < Dim; ++d)
    if (!on.sides.continues[d][1]) ++faces.upper[d];
  linalg::reduce<Space>(
      faces, linalg::Sums<count>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
        value[0] = squared_gradients(on, c);
        value[1] = edge_enstrophy(on, c);
        bool cell = true;
        for (int d = 0; d < Dim; ++d) cell = cell && on.is_cell(d, c[d]);
        for (int d = 0; d < Dim; ++d)
          value[2 + d] =
              cell ? on.grid.control_volume(d, c) * on.bodies.open(d, c) * on.velocity[d](c) : 0.0;
      },
      results);
}

// V 2 nu S:S of cell c and of the edges where it has its lower faces, of a viscosity nu = r: normal
// strain in the cell, shear on the edges, where the stresses are.
template <int Dim>
HODGE_HD double dissipation_at(const VelocityGradients<Dim>& on, const FaceCoefficient<Dim>& r,
                               const Index<Dim>& c) {
  double sum = 0.0;
  bool cell = true;
  for (int d = 0; d < Dim; ++d) cell = cell && on.is_cell(d, c[d]);
  const double volume = cell ? on.bodies.fluid(c) * on.grid.cell_volume(c) : 0.0;
  for (int d = 0; d < Dim && volume > 0.0; ++d) {
    const double strain =
        (on.velocity[d](c.shifted(d, 1)) - on.velocity[d](c)) * on.grid.inverse_width(d, c[d]);
    sum += 2.0 * volume * r.cells(c) * strain * strain;
  }
  for (int a = 0; a < Dim; ++a)
    for (int b = a + 1; b < Dim; ++b) {
      const double around = edge_volume(on, a, b, c);
      if (around == 0.0) continue;
      const double shear = difference_below(on, b, a, c) * on.grid.inverse_distance(a, c[a]) +
                           difference_below(on, a, b, c) * on.grid.inverse_distance(b, c[b]);
      sum += around * r.at(a, b, c) * shear * shear;
    }
  return sum;
}

// The integral of that over the fluid.
template <int Dim, class Space>
double varying_dissipation(const VelocityGradients<Dim>& on, const FaceCoefficient<Dim>& r,
                           const Layout<Dim>& part, linalg::Buffer<double, Space>& result) {
  Box<Dim> points = part.interior();
  for (int d = 0; d < Dim; ++d)
    if (!on.sides.continues[d][1]) ++points.upper[d];
  linalg::reduce<Space>(
      points, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = dissipation_at(on, r, c);
      },
      result.data());
  double sum = 0;
  result.download(std::span(&sum, 1));
  return sum;
}

// A scalar where it is: `bodies` are those that it meets.
template <int Dim>
struct MeasuredScalar {
  ConstFieldView<Dim> values;
  BodyView<Dim> bodies;
  FaceCoefficient<Dim> coefficient;
  double diffusivity;
  ConstFieldView<Dim> gain{}, loss{};  // of sharp bodies, in the cells that they cut; or null
  // Of sharp bodies that conduct it: which one the centre of a cell is in, or null; r of sides; and
  // by how much what a body gives exceeds what its cells do.
  FieldView<Dim, const int> owner{};
  FaceCoefficient<Dim> sides{};
  std::vector<int> conductors{};
  std::function<ConstFieldView<Dim>(int body)> beyond_owner{};
};

template <int Dim, class Space>
void measure_scalar(const GridView<Dim>& grid, const MeasuredScalar<Dim>& of, double* results) {
  const ConstFieldView<Dim> scalar = of.values;
  const BodyView<Dim> bodies = of.bodies;
  const FaceCoefficient<Dim> coefficient = of.coefficient;
  using enum linalg::Reduction;
  linalg::reduce<Space, 5>(
      Box<Dim>{Index<Dim>::filled(0), grid.cells}, {sum, max, max, max, max},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[5]) {
        const bool fluid = !bodies.excludes(at_cells, c);
        const double q = fluid ? scalar(c) : 0.0;
        value[0] = bodies.fluid(c) * grid.cell_volume(c) * coefficient.capacity_at(c) * q;
        value[1] = q;
        value[2] = -q;
        value[3] = fluid && q >= 0.0 ? 1.0 / magnitude(q) : 0.0;
        value[4] = fluid && q <= 0.0 ? 1.0 / magnitude(q) : 0.0;
      },
      results);
}

// Integrals over one side: of u_d across it, or of -dq/dx and 1 where there is fluid.
template <int Dim, class Space>
void measure_flow_rate(const GridView<Dim>& grid, const BodyView<Dim>& bodies, const Box<Dim>& side,
                       int axis, int face, const ConstFieldView<Dim>& u, double* result) {
  linalg::reduce<Space, 1>(
      side, {linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        const Index<Dim> at = with(c, axis, face);
        value[0] = bodies.open(axis, at) * grid.face_area(axis, c) * u(at);
      },
      result);
}

// Of an open side: the sums of SideFlow, then the integrals of u_d and |u_d|.
template <int Dim, class Space>
void measure_open_side(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                       const Box<Dim>& faces, int axis, int face, double extent,
                       const ConstVelocityView<Dim>& u, double* result) {
  constexpr int count = side_flow_sums + 2;
  const int side = face == 0 ? 0 : 1, inner = face - side;
  linalg::reduce<Space>(
      faces, linalg::Sums<count>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
        const SideFlow at = side_flow_at(grid, bodies.open(axis, with(c, axis, face)), u, axis,
                                         side, extent, with(c, axis, inner));
        value[0] = at.outward;
        value[1] = at.entering;
        value[2] = at.energy;
        value[3] = at.deviation;
        value[4] = side == 0 ? -at.outward : at.outward;
        value[5] = magnitude(at.outward);
      },
      result);
}

// Where bodies conduct the scalar their part of the side counts, too, by its conductivity.
template <int Dim, class Space>
void measure_descent(const GridView<Dim>& grid, const MeasuredScalar<Dim>& of, const Box<Dim>& side,
                     int axis, int face, double* result) {
  const ConstFieldView<Dim> q = of.values;
  const BodyView<Dim> bodies = of.bodies;
  const FaceCoefficient<Dim> coefficient = of.coefficient, sides = of.sides;
  const bool conducts_sharply = of.owner.origin != nullptr;
  linalg::reduce<Space>(
      side, linalg::Sums<2>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        const Index<Dim> above = with(c, axis, face), below = with(c, axis, face - 1);
        const bool conducts = coefficient.varies() && !bodies.cuts_faces;
        double open =
            conducts ? (bodies.excludes(at_cells, above) ? 0.0 : 1.0) : bodies.open(axis, above);
        double r = conducts ? coefficient.at(at_cells, axis, above) : 1.0;
        if (conducts_sharply) {
          r = sides.at(at_cells, axis, above);
          open = coefficient.at(at_cells, axis, above) / r;
        }
        const double g = open * r * conductance(grid, at_cells, axis, above);
        value[0] = open > 0.0 ? g * (q(below) - q(above)) : 0.0;
        value[1] = open * grid.face_area(axis, c);
      },
      result);
}

// Of a sharp body that conducts the scalar: what leaves the cells whose centre is in it, but by
// sides of the box, and the rest.
template <int Dim, class Space>
void measure_conductor(const GridView<Dim>& grid, const Box<Dim>& cells,
                       const MeasuredScalar<Dim>& of, int body, const SideKinds<Dim>& sides,
                       double* result) {
  const ConstFieldView<Dim> q = of.values, beyond = of.beyond_owner(body);
  const BodyView<Dim> bodies = of.bodies;
  const FaceCoefficient<Dim> coefficient = of.coefficient;
  const FieldView<Dim, const int> owner = of.owner;
  const double diffusivity = of.diffusivity;
  linalg::reduce<Space>(
      cells, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = beyond(c);
        if (owner(c) != body) return;
        for (int e = 0; e < Dim; ++e)
          for (int side = 0; side < 2; ++side) {
            const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1), face = c.shifted(e, side);
            const bool in_side =
                !sides.continues[e][side] && c[e] == (side == 0 ? 0 : cells.upper[e] - 1);
            if (in_side || owner(there) == body) continue;
            value[0] -= diffusivity * coefficient.at(at_cells, e, face) *
                        conductance(grid, at_cells, e, face) *
                        difference_across(q, bodies, at_cells, e, side, c);
          }
      },
      result);
}

// What a body gives to all around it, the scalar's amount a time.
template <int Dim, class Space>
void measure_body(const GridView<Dim>& grid, const Box<Dim>& cells, const MeasuredScalar<Dim>& of,
                  int body, double* result) {
  const ConstFieldView<Dim> q = of.values, gain = of.gain, loss = of.loss;
  const BodyView<Dim> bodies = of.bodies;
  const FaceCoefficient<Dim> coefficient = of.coefficient;
  const double diffusivity = of.diffusivity;
  linalg::reduce<Space>(
      cells, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = 0.0;
        if (bodies.excludes(at_cells, c)) return;
        const bool is_in_cell = bodies.body(c) == body, is_cut = bodies.cuts_faces;
        if (is_in_cell && is_cut && gain.origin != nullptr) value[0] = gain(c) - loss(c) * q(c);
        if (is_in_cell && !is_cut) return;
        for (int e = 0; e < Dim; ++e)
          for (int side = 0; side < 2; ++side) {
            const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
            if (bodies.body(there) != body) continue;
            if (is_cut && !bodies.excludes(at_cells, there)) continue;
            const Index<Dim> face = c.shifted(e, side);
            value[0] += diffusivity * coefficient.at(at_cells, e, face) *
                        conductance(grid, at_cells, e, face) *
                        difference_across(q, bodies, at_cells, e, side, c);
          }
      },
      result);
}

template <int Dim, class Space>
class Quantities {
 public:
  // `part`: the cells of the grid that this process has.
  Quantities(const Problem& problem, const Grid& grid, const Layout<Dim>& part)
      : part_(part),
        plan_(quantity_plan(problem, grid)),
        results_(plan_.results),
        on_host_(plan_.results) {}

  std::vector<Quantity> measure(const VelocityGradients<Dim>& on,
                                const std::vector<MeasuredScalar<Dim>>& scalars) const {
    for (const Measurement& m : plan_.measurements) {
      double* const result = results_.data() + m.first;
      const auto [side, face] = side_of(m);
      switch (m.of) {
        case Measurement::Of::velocity:
          measure_velocity<Dim, Space>(on, part_, result);
          break;
        case Measurement::Of::scalar:
          measure_scalar<Dim, Space>(on.grid, scalars[m.scalar], result);
          break;
        case Measurement::Of::flow_rate:
          measure_flow_rate<Dim, Space>(on.grid, on.bodies, side, m.axis, face, on.velocity[m.axis],
                                        result);
          break;
        case Measurement::Of::open_side:
          measure_open_side<Dim, Space>(on.grid, on.bodies, side, m.axis, face, m.extent,
                                        on.velocity, result);
          break;
        case Measurement::Of::descent:
          measure_descent<Dim, Space>(on.grid, scalars[m.scalar], side, m.axis, face, result);
          break;
        case Measurement::Of::body:
          if (std::ranges::count(scalars[m.scalar].conductors, m.body) > 0)
            measure_conductor<Dim, Space>(on.grid, part_.interior(), scalars[m.scalar], m.body,
                                          on.sides, result);
          else
            measure_body<Dim, Space>(on.grid, part_.interior(), scalars[m.scalar], m.body, result);
      }
    }
    results_.download(on_host_);
    return quantities_of(plan_, on_host_);
  }

 private:
  // The cells along a side and the index of its faces here; no cells where other processes have
  // them.
  std::pair<Box<Dim>, int> side_of(const Measurement& m) const {
    Box<Dim> side = part_.interior();
    side.upper[m.axis] = 1;
    const bool upper = m.face > 0;
    const bool is_here = (upper ? part_.behind : part_.before)[m.axis] == 0;
    if (!is_here) side.upper[m.axis] = 0;
    return {side, upper ? part_.cells[m.axis] : 0};
  }

  Layout<Dim> part_;
  QuantityPlan plan_;
  mutable linalg::Buffer<double, Space> results_;  // scratch of measure
  mutable std::vector<double> on_host_;
};

}  // namespace hodge::sim
