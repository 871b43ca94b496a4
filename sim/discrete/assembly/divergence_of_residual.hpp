// What a residual of the pressure system means for the velocity: r = b - A phi is factor times the
// net outflow of the corrected velocity, cell by cell, so that
//
//   max |div u| = max_c |r_c| / (factor V_c),  factor = rho a0 / dt
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

// `result` has one entry. Errors: none; one scalar crosses to the host.
template <int Dim, class Space>
double divergence_of_residual(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                              double factor, const linalg::Vector<Space>& residual,
                              linalg::Buffer<double, Space>& result) {
  const double* const r = residual.data();
  linalg::reduce<Space, 1>(
      unknowns.box, {linalg::Reduction::max},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        const double size = unknowns.contains(c) ? r[unknowns.row(c)] : 0.0;
        value[0] = (size < 0.0 ? -size : size) / (factor * grid.cell_volume(c));
      },
      result.data());
  double largest = 0.0;
  result.download(std::span<double>(&largest, 1));
  return largest;
}

}  // namespace hodge::sim
