// What history.csv says of the present fields beside the diagnostics (sim/OUTPUT.md):
//
//   enstrophy, dissipation        operators/velocity_gradients.hpp; not of a prescribed velocity
//   flow_rate_<axis>              integral of u_d over the box / its length, of periodic axes
//   flow_rate_<side>              through an inflow, outflow or pressure side, positive along
//                                 the axis
//   <scalar>_integral, _minimum, _maximum                       over the fluid
//   nusselt_<scalar>_<side>       <-dc/dx> L / (c_lower - c_upper), <> the mean over the side,
//   between
//                                 walls of constant values; 1 for conduction alone
//
// Fluxes are those of the discrete equations. One reduction over the cells, one a scalar, one a
// side; one download.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/velocity_gradients.hpp"
#include "sim/flow/diagnostics.hpp"
#include "sim/flow/quantity.hpp"
#include "sim/flow/quantity_plan.hpp"

namespace hodge::sim {

// Of a scalar: its integral, the largest c and -c, the largest 1/|c| where c >= 0 and where c <= 0:
// as reductions to a maximum start at 0, the extremes of fields of one sign come from their
// reciprocals.
inline constexpr int scalar_sums = 5;

// results[0] dissipation / nu, [1] enstrophy, [2 + d] integral of u_d.
template <int Dim, class Space>
void measure_velocity(const VelocityGradients<Dim>& on, double* results) {
  using enum linalg::Reduction;
  constexpr int count = 2 + Dim;
  Box<Dim> faces{Index<Dim>::filled(0), on.grid.cells};
  for (int d = 0; d < Dim; ++d) ++faces.upper[d];
  std::array<linalg::Reduction, count> sums;
  sums.fill(sum);
  linalg::reduce<Space, count>(
      faces, sums,
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
        value[0] = squared_gradients(on, c);
        value[1] = edge_enstrophy(on, c);
        bool cell = true;
        for (int d = 0; d < Dim; ++d) cell = cell && on.is_cell(d, c[d]);
        for (int d = 0; d < Dim; ++d)
          value[2 + d] = cell ? on.grid.control_volume(d, c) * on.velocity[d](c) : 0.0;
      },
      results);
}

template <int Dim, class Space>
void measure_scalar(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                    const ConstFieldView<Dim>& scalar, double* results) {
  using enum linalg::Reduction;
  linalg::reduce<Space, scalar_sums>(
      Box<Dim>{Index<Dim>::filled(0), grid.cells}, {sum, max, max, max, max},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[scalar_sums]) {
        const bool fluid = !bodies.solid(c);
        const double q = fluid ? scalar(c) : 0.0;
        value[0] = fluid ? grid.cell_volume(c) * q : 0.0;
        value[1] = q;
        value[2] = -q;
        value[3] = fluid && q >= 0.0 ? 1.0 / magnitude(q) : 0.0;
        value[4] = fluid && q <= 0.0 ? 1.0 / magnitude(q) : 0.0;
      },
      results);
}

// Integrals over one side: of u_d across it, or of -dq/dx.
template <int Dim, class Space>
void measure_flow_rate(const GridView<Dim>& grid, const Box<Dim>& side, int axis, int face,
                       const ConstFieldView<Dim>& u, double* result) {
  linalg::reduce<Space, 1>(
      side, {linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = grid.face_area(axis, c) * u(with(c, axis, face));
      },
      result);
}

template <int Dim, class Space>
void measure_descent(const GridView<Dim>& grid, const BodyView<Dim>& bodies, const Box<Dim>& side,
                     int axis, int face, const ConstFieldView<Dim>& q, double* result) {
  linalg::reduce<Space, 1>(
      side, {linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        const Index<Dim> above = with(c, axis, face), below = with(c, axis, face - 1);
        const bool fluid = !bodies.solid(face == 0 ? above : below);
        value[0] = fluid ? conductance(grid, at_cells, axis, above) * (q(below) - q(above)) : 0.0;
      },
      result);
}

template <int Dim, class Space>
class Quantities {
 public:
  Quantities(const Problem& problem, const Grid& grid)
      : plan_(quantity_plan(problem, grid)),
        scalars_(static_cast<int>(problem.scalars.size())),
        results_(2 + Dim + scalar_sums * problem.scalars.size() + plan_.flow_rates.size() +
                 plan_.nusselt_numbers.size()),
        on_host_(results_.size()) {}

  std::vector<Quantity> measure(const VelocityGradients<Dim>& on,
                                const std::vector<ConstFieldView<Dim>>& scalars) const {
    double* result = results_.data();
    measure_velocity<Dim, Space>(on, result);
    result += 2 + Dim;
    for (int k = 0; k < scalars_; ++k, result += scalar_sums)
      measure_scalar<Dim, Space>(on.grid, on.bodies, scalars[static_cast<std::size_t>(k)], result);
    for (const MeasuredSide& side : plan_.flow_rates)
      measure_flow_rate<Dim, Space>(on.grid, cells_of_side(on, side.axis), side.axis, side.face,
                                    on.velocity[side.axis], result++);
    for (const MeasuredSide& side : plan_.nusselt_numbers)
      measure_descent<Dim, Space>(on.grid, on.bodies, cells_of_side(on, side.axis), side.axis,
                                  side.face, scalars[side.scalar], result++);
    results_.download(on_host_);
    return quantities_of(plan_, on_host_, Dim);
  }

 private:
  static Box<Dim> cells_of_side(const VelocityGradients<Dim>& on, int axis) {
    Box<Dim> box{Index<Dim>::filled(0), on.grid.cells};
    box.upper[axis] = 1;
    return box;
  }

  QuantityPlan plan_;
  int scalars_;
  mutable linalg::Buffer<double, Space> results_;  // scratch of measure, in its order
  mutable std::vector<double> on_host_;
};

}  // namespace hodge::sim
