// The Poisson equation of the pressure increment phi, integrated over cells:
//
//   sum_faces A (phi_here - phi_there) / delta  =  -(rho a0 / dt) sum_faces A u* . n
//
// The matrix is symmetric positive semidefinite and does not depend on dt. A wall has dphi/dn = 0,
// so no entry: row sums are 0, and phi is determined up to a constant.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "sim/assembly/pattern.hpp"
#include "sim/operators/divergence.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD StencilRow<Dim> pressure_row(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                                      const Index<Dim>& c) {
  StencilRow<Dim> row;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!unknowns.has_neighbour(axis, side, c)) continue;
      const double a = grid.face_area(axis, c) / grid.distance(axis, c[axis] + side);
      row.coefficient[direction(axis, side)] = -a;
      row.coefficient[centre<Dim>] += a;
    }
  return row;
}

template <int Dim, class Space>
void assemble_pressure(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                       linalg::CsrMatrix<Space>& matrix) {
  const int* const row_offsets = matrix.pattern().row_offsets().data();
  double* const values = matrix.values().data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    store_row(unknowns, c, pressure_row(grid, unknowns, c), row_offsets, values);
  });
}

// b = -factor * net outflow of u.
template <int Dim, class Space>
void assemble_pressure_source(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                              const ConstVelocityView<Dim>& u, double factor,
                              linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    b[unknowns.row(c)] = -factor * net_outflow(grid, u, c);
  });
}

}  // namespace hodge::sim
