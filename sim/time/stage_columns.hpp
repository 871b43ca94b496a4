// The stage of all velocity components (runge_kutta.hpp) with central convection and without
// solids, as a GPU takes it: a thread goes along the last axis and keeps what two planes share. The
// fluxes are those of convection.hpp and diffusion.hpp with the areas taken out of their sums, so
// that values differ from those by rounding:
//
//   rate_d = sum_e nu ((u_d(c + e) - u_d(c)) / s(c + e) - (u_d(c) - u_d(c - e)) / s(c)) / l_e
//                  - (f_e(c + e) - f_e(c)) / (4 l_e)
//
//   f_e(c) = (a u_e(c - d) + b u_e(c)) (u_d(c - e) + u_d(c)), through the side below c along e
//
// l_e: the extent of the control volume; s: the distance of the two values; a and b: the widths of
// the cells c - d and c over their mean, 1 for e = d and on equal cells. f has the same bits where
// a column begins and where one goes on, so that values do not depend on where columns begin. 23
// reads a point in place of 34, and half of the operations.
#pragma once

#include <type_traits>

#include "linalg/base/rounded_product.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/uniform_grid.hpp"

namespace hodge::sim {

// What a stage writes of a field at a point.
struct StageValues {
  double next, rate;
};

// The lengths along one axis at a point. `own`: for the component along this axis.
template <class Grid>
struct LengthsAlong;

template <int Dim>
struct LengthsAlong<UniformGrid<Dim>> {
  double inverse_h;

  HODGE_HD static LengthsAlong at(const UniformGrid<Dim>& grid, int e, int) {
    return {grid.inverse_h[e]};
  }
  HODGE_HD double inverse_extent(bool /*own*/) const { return inverse_h; }
  // nu div grad, of the differences to the values below and above.
  HODGE_HD double diffusion(bool /*own*/, double nu, double below, double above) const {
    return nu * inverse_h * inverse_h * (below + above);
  }
  // Of the velocities through the two cells that share a face.
  HODGE_HD double twice_mean(double below, double above) const { return below + above; }
};

template <int Dim>
struct LengthsAlong<GridView<Dim>> {
  double inverse_widths[2], inverse_distances[2];  // of cells i - 1 and i, at faces i and i + 1
  double shares[2];                                // of cells i - 1 and i in a mean, twice

  HODGE_HD static LengthsAlong at(const GridView<Dim>& grid, int e, int i) {
    const double inverse_distance = grid.inverse_distance(e, i);
    return {{grid.inverse_width(e, i - 1), grid.inverse_width(e, i)},
            {inverse_distance, grid.inverse_distance(e, i + 1)},
            {grid.width(e, i - 1) * inverse_distance, grid.width(e, i) * inverse_distance}};
  }
  HODGE_HD double inverse_extent(bool own) const {
    return own ? inverse_distances[0] : inverse_widths[1];
  }
  HODGE_HD double diffusion(bool own, double nu, double below, double above) const {
    const double(&inverse)[2] = own ? inverse_widths : inverse_distances;
    return nu * inverse_extent(own) * (inverse[0] * below + inverse[1] * above);
  }
  HODGE_HD double twice_mean(double below, double above) const {
    return linalg::rounded_product(shares[0], below) + linalg::rounded_product(shares[1], above);
  }
};

template <int Dim, class Grid>
struct StageColumn {
  LengthsAlong<Grid> across[Dim - 1];  // along the other axes
  double below[Dim], here[Dim];        // u_d(c - z), u_d(c); z: the last axis
  double flux[Dim];                    // f_z of u_d
  double beside[Dim];                  // w(c - d), w the component along z
  double ahead[Dim];                   // u_d(c - z + d)
  double pressure_below;
};

// Point: StageAtPoint of all components.
template <int Dim, class Point>
struct StageColumns {
  using Lengths = LengthsAlong<decltype(Point::grid)>;
  using Column = StageColumn<Dim, decltype(Point::grid)>;
  static constexpr int least_blocks = 2, most_planes = 16;
  static constexpr int z = Dim - 1;

  Point point;

  // What passes through the two halves of a side, twice their mean; along d itself cells are whole.
  HODGE_HD static double through_side(const Lengths& along_d, bool own, double below,
                                      double above) {
    return own ? below + above : along_d.twice_mean(below, above);
  }

  HODGE_HD Column begin(const Index<Dim>& c) const {
    const ConstVelocityView<Dim>& u = point.equation.velocity;
    const Index<Dim> lower = c.shifted(z, -1);
    Column column{};
    unrolled<z>([&](auto e) { column.across[e] = Lengths::at(point.grid, e, c[e]); });
    unrolled<Dim>([&](auto d) {
      column.below[d] = u[d](lower);
      column.here[d] = u[d](c);
      if (d == z) return;
      column.beside[d] = u[z](c.shifted(d, -1));
      column.ahead[d] = u[d](lower.shifted(d, 1));
    });
    unrolled<Dim>([&](auto d) {
      const double w = d == z ? column.below[z] : column.beside[d];
      column.flux[d] = linalg::rounded_product(
          through_side(column.across[d == z ? 0 : d], d == z, w, column.here[z]),
          column.below[d] + column.here[d]);
    });
    column.pressure_below = point.equation.pressure(lower);
    return column;
  }

  // Takes c and goes on to c + z.
  HODGE_HD void step(const Index<Dim>& c, Column& column) const {
    const ConstVelocityView<Dim>& u = point.equation.velocity;
    const ConstFieldView<Dim>& p = point.equation.pressure;
    const Index<Dim> upper = c.shifted(z, 1);
    Lengths along[Dim];
    unrolled<z>([&](auto e) { along[e] = column.across[e]; });
    along[z] = Lengths::at(point.grid, z, c[z]);
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
      gradient[d] = (p_here - p_below) * along[d].inverse_extent(true);
    });
    StageValues values[Dim];
    unrolled<Dim>([&](auto d) {
      double rate = 0.0;
      unrolled<Dim>([&](auto e) {
        const double q = column.here[d], below = lower_of[d][e], above = upper_of[d][e];
        const double through = linalg::rounded_product(
            through_side(along[d], d == e, across[d][e], upper_of[e][e]), q + above);
        double from_below = column.flux[d];
        if (e != z)
          from_below = linalg::rounded_product(
              through_side(along[d], d == e, lower_of[e][d], column.here[e]), below + q);
        rate +=
            along[e].diffusion(d == e, point.equation.transport.diffusivity, below - q, above - q) -
            0.25 * along[e].inverse_extent(d == e) * (through - from_below);
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
