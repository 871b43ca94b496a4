// The last correction of a step together with what diagnostics measure of its cells
// (diagnosed_cell.hpp), where phi is as the direct solver leaves it (cell_increment.hpp). A cell
// reads faces that belong to its neighbours, so u^{n+1} goes to other fields than those of u*.
//
// Bytes per cell in 3D: u* 24, phi 8, u^n 24, P 8; the new u, P and p 40: together 104. One pass
// after the other takes 80 + 56.
#pragma once

#include <cfloat>
#include <cstddef>

#include "linalg/base/read_once.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/cell_increment.hpp"
#include "sim/discrete/operators/diagnosed_cell.hpp"

namespace hodge::sim {

// Where a step leaves what it has measured.
template <class Space>
struct MeasuredCells {
  linalg::Buffer<double, Space> results{static_cast<std::size_t>(measured_count)};
  double level = 0;          // the mean of the pressure before the step
  bool are_present = false;  // of the present fields
};

template <int Dim>
struct MeasuredCorrection {
  GridView<Dim> grid;
  CellIncrement<Dim> phi;
  double factor;
  ConstVelocityView<Dim> uncorrected, before;  // u*, u^n
  VelocityView<Dim> u;
  PressureUpdate<Dim> update;  // that publishes
  double level;

  // All is read before anything is written, so that a GPU waits once.
  HODGE_HD void operator()(const Index<Dim>& c, double (&value)[diagnostic_count]) const {
    DiagnosedCell<Dim> cell;
    double below[Dim], next[Dim], last[Dim], last_above[Dim];
    const double here = phi(c), old = update.old(c), now = old + here;
    bool is_at_end = false;
    unrolled<Dim>([&](auto d) {
      const bool is_first = c[d] == 0, is_last = c[d] == grid.cells[d] - 1;
      is_at_end = is_at_end || is_first || is_last;
      below[d] = phi(c.shifted(d, is_first ? 0 : -1));
      next[d] = phi(c.shifted(d, is_last ? 0 : 1));
      cell.lower[d] = uncorrected[d](c);
      cell.upper[d] = uncorrected[d](c.shifted(d, 1));
      last[d] = before[d](c);
      last_above[d] = before[d](c.shifted(d, is_last ? 1 : 0));
    });
    if (is_at_end)
      unrolled<Dim>([&](auto d) {
        if (c[d] == 0) below[d] = phi.beyond(d, 0, c);
        if (c[d] == grid.cells[d] - 1) next[d] = phi.beyond(d, 1, c);
      });
    unrolled<Dim>([&](auto d) {
      cell.lower[d] = corrected(cell.lower[d], (here - below[d]) * grid.inverse_distance(d, c[d]));
      cell.upper[d] =
          corrected(cell.upper[d], (next[d] - here) * grid.inverse_distance(d, c[d] + 1));
    });
    cell.pressure = ahead_of(now, old, update.ahead);
    cell.finite = magnitude(cell.pressure) <= DBL_MAX;
    unrolled<Dim>([&](auto d) {
      cell.visit_own_face(cell.lower[d], last[d]);
      linalg::write_once(u[d](c), cell.lower[d]);
      if (c[d] < grid.cells[d] - 1) return;
      cell.visit_own_face(cell.upper[d], last_above[d]);
      if (phi.sides.open[d][1]) u[d](c.shifted(d, 1)) = cell.upper[d];
    });
    linalg::write_once(update.pressure(c), now);
    linalg::write_once(update.published(c), cell.pressure);
    measure_cell(grid, BodyView<Dim>{}, cell, level, c, value);
  }

 private:
  HODGE_HD double corrected(double u_star, double gradient) const {
    const double correction = factor * gradient;
    return u_star - correction;
  }
};

template <int Dim, class Space>
void correct_and_measure(const MeasuredCorrection<Dim>& correction,
                         MeasuredCells<Space>& measured) {
  using enum linalg::Reduction;
  linalg::reduce<Space>(Box<Dim>{Index<Dim>::filled(0), correction.grid.cells},
                        linalg::Kinds<max, sum, max, max, max, max, max, sum>(), correction,
                        measured.results.data());
  measured.are_present = true;
}

}  // namespace hodge::sim
