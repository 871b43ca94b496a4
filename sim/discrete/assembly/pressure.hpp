// The Poisson equation of the pressure increment phi, integrated over cells:
//
//   sum_faces m A (phi_here - phi_there) / delta  =  -(rho a0 / dt) sum_faces A u* . n
//
// A is what bodies leave open of a face, m its mobility, 1 but beside sharp bodies
// (bodies/body_view.hpp) and in porous ones (operators/resistance.hpp), where it changes with the
// step. The matrix is symmetric and elsewhere does not depend on dt. Sides where the velocity is
// given and solids have dphi/dn = 0, so no entry; open sides have phi given (mostly 0) at a
// distance of half a cell, so an entry on the diagonal and a term of the right side. Without open
// sides row sums are 0 and phi is determined up to a constant in every region of fluid.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "linalg/matrices/csr.hpp"
#include "linalg/vectors/scalar.hpp"
#include "sim/discrete/assembly/pattern.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/operators/divergence.hpp"

namespace hodge::sim {

template <int Dim>
struct PressureOperator {
  GridView<Dim> grid;
  Unknowns<Dim> unknowns;
  SideKinds<Dim> sides;
  BodyView<Dim> bodies{};
};

// What a difference of phi across the face of `axis` at c conducts: m A / delta.
template <int Dim>
struct PressureConductance {
  GridView<Dim> grid;
  ConstVelocityView<Dim> mobility{};  // null: 1

  // open: what bodies leave of the face, times the mobility beside them.
  HODGE_HD double operator()(int axis, const Index<Dim>& c, double open = 1.0) const {
    const double a = open * grid.face_area(axis, c) * grid.inverse_distance(axis, c[axis]);
    return mobility.component[0].origin != nullptr ? mobility[axis](c) * a : a;
  }
};

template <int Dim>
HODGE_HD StencilRow<Dim> pressure_row(const PressureOperator<Dim>& on,
                                      const PressureConductance<Dim>& conductance,
                                      const Index<Dim>& c) {
  StencilRow<Dim> row;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> face = c.shifted(axis, side);
      if (on.bodies.excludes(axis, face)) continue;
      const double a =
          conductance(axis, face, on.bodies.open(axis, face) * on.bodies.mobility(axis, face));
      if (!on.unknowns.inside(axis, side, c)) {
        row.coefficient[centre<Dim>] += on.sides.open[axis][side] ? 2.0 * a : 0.0;
      } else if (on.unknowns.contains(on.unknowns.neighbour(axis, side, c))) {
        row.coefficient[direction(axis, side)] = -a;
        row.coefficient[centre<Dim>] += a;
      }
    }
  return row;
}

template <int Dim, class Space>
void fill_pressure_rows(const PressureOperator<Dim>& on,
                        const PressureConductance<Dim>& conductance, const RowEntries& rows) {
  fill_rows<Dim, Space>(on.unknowns, rows, [=] HODGE_LAMBDA(const Index<Dim>& c, double* entries) {
    return write_row(on.unknowns, c, pressure_row(on, conductance, c), entries);
  });
}

template <int Dim, class Space>
void assemble_pressure(const PressureOperator<Dim>& on, const PressureConductance<Dim>& conductance,
                       linalg::CsrMatrix<Space>& matrix) {
  write_matrix(matrix, MatrixValues::refresh, [&](const RowEntries& rows) {
    fill_pressure_rows<Dim, Space>(on, conductance, rows);
  });
}

template <int Dim>
struct PressureSourceAtPoint {
  GridView<Dim> grid;
  Box<Dim> cells;
  ConstVelocityView<Dim> u;
  double factor;
  double* b;

  HODGE_HD double store(const Index<Dim>& c) const {
    int position = c[Dim - 1];
    if constexpr (Dim > 2) position = position * cells.upper[1] + c[1];
    const double value = -factor * net_outflow(grid, u, c);
    b[position * cells.upper[0] + c[0]] = value;
    return value;
  }
  HODGE_HD void operator()(std::integral_constant<int, 0>, const Index<Dim>& c) const { store(c); }
};

// b = -factor * net outflow of u.
template <int Dim, class Space>
void assemble_pressure_source(const PressureOperator<Dim>& on, const ConstVelocityView<Dim>& u,
                              double factor, linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  if (on.unknowns.numbers == nullptr) {  // a loop that the Host vectorises
    linalg::for_each_of<Space>(std::array{on.unknowns.box},
                               PressureSourceAtPoint<Dim>{on.grid, on.unknowns.box, u, factor, b});
    return;
  }
  linalg::for_each<Space>(on.unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (on.unknowns.contains(c))
      b[on.unknowns.row(c)] = -factor * net_outflow(on.grid, on.bodies, u, c);
  });
}

// The same where all cells have a row, and |b|^2.
template <int Dim, class Space>
void assemble_and_square_pressure_source(const PressureOperator<Dim>& on,
                                         const ConstVelocityView<Dim>& u, double factor,
                                         linalg::Vector<Space>& right_side, double* square) {
  const PressureSourceAtPoint<Dim> at_point{on.grid, on.unknowns.box, u, factor, right_side.data()};
  linalg::reduce<Space>(
      on.unknowns.box, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        const double b = at_point.store(c);
        value[0] = b * b;
      },
      square);
}

// The same and |b|. One pass on a GPU; the Host's loop over vector registers keeps no sums.
template <int Dim, class Space>
linalg::Scalar<Space> assemble_pressure_source_and_norm(const PressureOperator<Dim>& on,
                                                        const ConstVelocityView<Dim>& u,
                                                        double factor,
                                                        linalg::Vector<Space>& right_side) {
  if constexpr (std::is_same_v<Space, linalg::Host>) {
    assemble_pressure_source(on, u, factor, right_side);
    return norm(right_side);
  } else {
    linalg::Scalar<Space> square;
    assemble_and_square_pressure_source(on, u, factor, right_side, square.data());
    return square_root(std::move(square));
  }
}

template <int Dim, class Space>
void add_values_in_open_side(const PressureOperator<Dim>& on,
                             const PressureConductance<Dim>& conductance, int axis, int side,
                             const double* values, linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  const SideIndices at{on.grid.cells[axis], side};
  Box<Dim> cells{Index<Dim>::filled(0), on.grid.cells};
  cells.lower[axis] = at.inner(1);
  cells.upper[axis] = at.inner(1) + 1;
  linalg::for_each<Space>(cells, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const Index<Dim> face = c.shifted(axis, side);
    if (!on.unknowns.contains(c) || on.bodies.excludes(axis, face)) return;
    const double a =
        conductance(axis, face, on.bodies.open(axis, face) * on.bodies.mobility(axis, face));
    b[on.unknowns.row(c)] += 2.0 * a * values[layer_position(on.grid.cells, axis, c)];
  });
}

// b += what phi in the open sides conducts into the cells beside them
template <int Dim, class Space>
void add_values_in_open_sides(const PressureOperator<Dim>& on,
                              const PressureConductance<Dim>& conductance,
                              const SideValues<Dim>& values, linalg::Vector<Space>& right_side) {
  for (const auto [axis, side] : sides_of_box(Dim))
    if (values.of[axis][side] != nullptr)
      add_values_in_open_side(on, conductance, axis, side, values.of[axis][side], right_side);
}

// Doubles the diagonal of each row: phi is 0 there, and its region has one solution. The region's
// net outflow must be 0.
template <class Space>
void pin(const linalg::Buffer<int, Space>& rows, linalg::CsrMatrix<Space>& matrix) {
  const int* const row = rows.data();
  const int* const diagonal = matrix.pattern().diagonal().data();
  double* const values = matrix.values().data();
  linalg::for_each<Space>(static_cast<int>(rows.size()), [=] HODGE_LAMBDA(int i) {
    double& value = values[diagonal[row[i]]];
    value = value > 0.0 ? 2.0 * value : 1.0;  // a region of one cell has no neighbours
  });
}

}  // namespace hodge::sim
