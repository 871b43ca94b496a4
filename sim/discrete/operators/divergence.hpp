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

#include "sim/discrete/bodies/body_view.hpp"
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

// The same through what bodies leave open of the faces.
template <int Dim>
HODGE_HD double net_outflow(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                            const ConstVelocityView<Dim>& u, const Index<Dim>& c) {
  if (!bodies.cuts_faces) return net_outflow(grid, u, c);
  double sum = 0.0;
  unrolled<Dim>([&](auto d) {
    const Index<Dim> above = c.shifted(d, 1);
    sum +=
        grid.face_area(d, c) * (bodies.open(d, above) * u[d](above) - bodies.open(d, c) * u[d](c));
  });
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

// The same through what bodies leave open of the faces, in terms of the whole cell.
template <int Dim>
HODGE_HD double divergence(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                           const ConstVelocityView<Dim>& u, const Index<Dim>& c) {
  if (!bodies.cuts_faces) return divergence(grid, u, c);
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const Index<Dim> above = c.shifted(d, 1);
    sum += (bodies.open(d, above) * u[d](above) - bodies.open(d, c) * u[d](c)) *
           grid.inverse_width(d, c[d]);
  }
  return sum;
}

}  // namespace hodge::sim
