// Divergence of a velocity at cell centres.
//
//           v(c+y)
//          +--^--+            net_outflow(c) = sum_d A_d(c) (u_d(c + e_d) - u_d(c))      L^Dim / T
//   u(c) ->|  c  |-> u(c+x)
//          +--^--+            divergence(c) = net_outflow(c) / V(c)                      1 / T
//            v(c)                = sum_d (u_d(c + e_d) - u_d(c)) / h_d(c)
//
// net_outflow is minus the transpose of the gradient integrated over control volumes:
// sum_cells p net_outflow(u) = -sum_faces u A (p(c) - p(c - e_d)).
#pragma once

#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD double net_outflow(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                            const Index<Dim>& c) {
  double sum = 0.0;
  unrolled<Dim>([&](auto d) { sum += grid.face_area(d, c) * (u[d](c.shifted(d, 1)) - u[d](c)); });
  return sum;
}

template <int Dim>
HODGE_HD double divergence(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                           const Index<Dim>& c) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d)
    sum += (u[d](c.shifted(d, 1)) - u[d](c)) * grid.inverse_width(d, c[d]);
  return sum;
}

}  // namespace hodge::sim
