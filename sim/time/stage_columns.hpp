// The stage of all velocity components (runge_kutta.hpp) on equal cells, with central convection
// and without solids, as a GPU takes it: a thread goes along the last axis and keeps what two
// planes share. The fluxes are those of convection.hpp and diffusion.hpp with the lengths taken out
// of their sums, so that values differ from those by rounding:
//
//   rate_d = sum_e nu (u_d(c + e) - 2 u_d(c) + u_d(c - e)) / h_e^2
//                  - (f_e(c + e) - f_e(c)) / (4 h_e)
//
//   f_e(c) = (u_e(c - d) + u_e(c)) (u_d(c - e) + u_d(c)), through the side below c along e
//
// f has the same bits where a column begins and where one goes on, so that values do not depend on
// where columns begin. 23 reads a point in place of 34, and half of the operations.
#pragma once

#include <type_traits>

#include "linalg/base/rounded_product.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/uniform_grid.hpp"

namespace hodge::sim {

// What a stage writes of a field at a point.
struct StageValues {
  double next, rate;
};

template <int Dim>
struct StageColumn {
  double below[Dim], here[Dim];  // u_d(c - z), u_d(c); z: the last axis
  double flux[Dim];              // f_z of u_d
  double beside[Dim];            // w(c - d), w the component along z
  double ahead[Dim];             // u_d(c - z + d)
  double pressure_below;
};

// Point: StageAtPoint of all components.
template <int Dim, class Point>
struct StageColumns {
  using Column = StageColumn<Dim>;
  static constexpr int least_blocks = 2, most_planes = 16;
  static constexpr int z = Dim - 1;

  Point point;

  HODGE_HD Column begin(const Index<Dim>& c) const {
    const ConstVelocityView<Dim>& u = point.equation.velocity;
    const Index<Dim> lower = c.shifted(z, -1);
    Column column{};
    unrolled<Dim>([&](auto d) {
      column.below[d] = u[d](lower);
      column.here[d] = u[d](c);
      if (d == z) return;
      column.beside[d] = u[z](c.shifted(d, -1));
      column.ahead[d] = u[d](lower.shifted(d, 1));
    });
    unrolled<Dim>([&](auto d) {
      const double w = d == z ? column.below[z] : column.beside[d];
      column.flux[d] =
          linalg::rounded_product(w + column.here[z], column.below[d] + column.here[d]);
    });
    column.pressure_below = point.equation.pressure(lower);
    return column;
  }

  // Takes c and goes on to c + z.
  HODGE_HD void step(const Index<Dim>& c, Column& column) const {
    const ConstVelocityView<Dim>& u = point.equation.velocity;
    const ConstFieldView<Dim>& p = point.equation.pressure;
    const Index<Dim> upper = c.shifted(z, 1);
    // u_d(c - e), u_d(c + e) and, for d != e, u_e(c + e - d)
    double lower_of[Dim][Dim], upper_of[Dim][Dim], across[Dim][Dim], beside_above[Dim];
    unrolled<Dim>([&](auto d) {
      upper_of[d][z] = u[d](upper);
      lower_of[d][z] = column.below[d];
      beside_above[d] = d == z ? column.here[z] : u[z](upper.shifted(d, -1));
      across[d][z] = beside_above[d];
      unrolled<z>([&](auto e) {
        upper_of[d][e] = u[d](c.shifted(e, 1));
        lower_of[d][e] = d == z ? column.beside[e] : u[d](c.shifted(e, -1));
        across[d][e] = d == e   ? column.here[d]
                       : d == z ? column.ahead[e]
                                : u[e](c.shifted(e, 1).shifted(d, -1));
      });
    });
    const double p_here = p(c);
    double gradient[Dim];
    unrolled<Dim>([&](auto d) {
      const double p_below = d == z ? column.pressure_below : p(c.shifted(d, -1));
      gradient[d] = (p_here - p_below) * point.grid.inverse_h[d];
    });
    StageValues values[Dim];
    unrolled<Dim>([&](auto d) {
      double rate = 0.0;
      unrolled<Dim>([&](auto e) {
        const double q = column.here[d], below = lower_of[d][e], above = upper_of[d][e];
        const double through = linalg::rounded_product(across[d][e] + upper_of[e][e], q + above);
        double from_below = column.flux[d];
        if (e != z)
          from_below = linalg::rounded_product(lower_of[e][d] + column.here[e], below + q);
        const double curvature = (below - q) + (above - q), inverse = point.grid.inverse_h[e];
        rate += point.equation.transport.diffusivity * inverse * inverse * curvature -
                0.25 * inverse * (through - from_below);
        if (e == z) column.flux[d] = through;
      });
      values[d] = point.values_of(d, rate, gradient[d], column.here[d], c);
    });
    unrolled<Dim>([&](auto d) {
      point.store(std::integral_constant<int, d>(), c, values[d]);
      column.below[d] = column.here[d];
      column.here[d] = upper_of[d][z];
      column.beside[d] = beside_above[d];
      column.ahead[d] = upper_of[d][d];
    });
    column.pressure_below = p_here;
  }
};

}  // namespace hodge::sim
