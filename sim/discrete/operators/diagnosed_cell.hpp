// What the diagnostics of a step measure of a cell (flow/diagnostics.hpp): terms of sums and
// maxima.
#pragma once

#include <cfloat>
#include <cmath>

#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

HODGE_HD inline double larger(double a, double b) {
  return a > b ? a : b;
}
HODGE_HD inline double magnitude(double a) {
  return std::fabs(a);
}

// A cell with its faces. Its own are the lower ones, and in the last cell of an axis the upper one,
// so that over all cells every face counts once.
template <int Dim>
struct DiagnosedCell {
  double lower[Dim], upper[Dim];  // u_d on the faces below and above
  double change = 0;              // the largest |u_d^n - u_d^{n-1}| on own faces
  double pressure = 0;
  bool finite = true;  // the pressure and the velocity on own faces

  HODGE_HD void visit_own_face(double velocity, double before) {
    change = larger(change, magnitude(velocity - before));
    finite &= magnitude(velocity) <= DBL_MAX;
  }

  // sum_d |u_d| / h_d with the faster of the two faces.
  HODGE_HD double cfl_rate(const GridView<Dim>& grid, const Index<Dim>& c) const {
    double rate = 0.0;
    unrolled<Dim>([&](auto d) {
      rate += larger(magnitude(lower[d]), magnitude(upper[d])) * grid.inverse_width(d, c[d]);
    });
    return rate;
  }
  // Integral of |u|^2 / 2 over the cell, each face standing for the half of the cell next to it.
  HODGE_HD double kinetic_energy(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                                 const Index<Dim>& c) const {
    double squares = 0.0;
    unrolled<Dim>([&](auto d) { squares += lower[d] * lower[d] + upper[d] * upper[d]; });
    return 0.25 * bodies.fluid(c) * grid.cell_volume(c) * squares;
  }
  // As operators/divergence.hpp has it.
  HODGE_HD double divergence(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                             const Index<Dim>& c) const {
    double sum = 0.0;
    unrolled<Dim>([&](auto d) {
      double outflow = upper[d] - lower[d];
      if (bodies.cuts_faces)
        outflow = bodies.open(d, c.shifted(d, 1)) * upper[d] - bodies.open(d, c) * lower[d];
      sum += outflow * grid.inverse_width(d, c[d]);
    });
    return sum;
  }
  HODGE_HD double speed_squared() const {
    double sum = 0.0;
    unrolled<Dim>([&](auto d) {
      const double u = 0.5 * (lower[d] + upper[d]);
      sum += u * u;
    });
    return sum;
  }
};

inline constexpr int diagnostic_count = 8;
// With the largest rate beside sides (flow/diagnostics.hpp).
inline constexpr int measured_count = diagnostic_count + 1;

// Maxima but for the kinetic energy and the pressure's integral. `level`: where the cell has no
// pressure of its own; differences from it are measured.
template <int Dim>
HODGE_HD void measure_cell(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                           const DiagnosedCell<Dim>& cell, double level, const Index<Dim>& c,
                           double (&value)[diagnostic_count]) {
  value[0] = cell.cfl_rate(grid, c);
  value[1] = cell.kinetic_energy(grid, bodies, c);
  value[2] = magnitude(cell.divergence(grid, bodies, c));
  value[3] = cell.speed_squared();
  value[4] = cell.change;
  value[5] = cell.finite ? 0.0 : 1.0;
  const double p = bodies.excludes(at_cells, c) ? level : cell.pressure;
  value[6] = magnitude(p - level);
  value[7] = grid.cell_volume(c) * p;
}

}  // namespace hodge::sim
