// Assembles transport equations (transport_equation.hpp) for the increment delta = q - q^n: the
// values of the matrix and the right side b - A q^n in one pass, each explicit term in another. No
// allocation, nothing waits. Where all of convection is explicit, right_sides.hpp assembles the
// right sides of all components together.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "sim/discrete/assembly/open_rows.hpp"
#include "sim/discrete/assembly/sharp_rows.hpp"
#include "sim/discrete/assembly/side_rows.hpp"
#include "sim/discrete/assembly/transport_rows.hpp"

namespace hodge::sim {

// x := field - q^n at the unknowns, in the same pass; null: not wanted.
template <int Dim>
struct GatheredGuess {
  ConstFieldView<Dim> field;
  double* x = nullptr;
};

template <int Dim, class Space, class Operator>
void assemble_rows(const TransportRows<Dim, Operator>& rows, const RowEntries& into, double* b,
                   const GatheredGuess<Dim>& guess) {
  double* const diagonal = into.diagonal;
  fill_rows<Dim, Space>(rows.unknowns, into,
                        [=] HODGE_LAMBDA(const Index<Dim>& c, double* entries) {
                          const TransportRow<Dim> row = transport_row(rows, c);
                          const int number = rows.unknowns.row(c);
                          if (guess.x != nullptr)
                            guess.x[number] = guess.field(c) - rows.old_level(c);
                          if (b != nullptr) b[number] = row.right_side;
                          if (diagonal != nullptr)
                            diagonal[number] = row.matrix.coefficient[centre<Dim>];
                          return write_row(rows.unknowns, c, row.matrix, entries);
                        });
  if constexpr (may_have_open_faces<Operator>) assemble_open_rows<Dim, Space>(rows, into, b);
}

template <int Dim, class Space, class Operator>
void add_term_in_open_side(const Operator& on, const Unknowns<Dim>& unknowns,
                           const ExplicitTerm<Dim>& term, int side, const Box<Dim>& layer,
                           linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  const int d = on.location;
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const OpenFace<Dim> face{d, side, c};
    double sum = 0.0;
    if (term.convection != 0.0)
      sum -= term.convection *
             convection_of_open_face(on, term.velocity, term.field, term.deferred, face);
    if (term.diffusion != 0.0) sum += term.diffusion * diffusion_of_open_face(on, term.field, face);
    b[unknowns.row(c)] += sum;
  });
}

template <int Dim, class Space, class Operator>
void add_term(const Operator& on, const Unknowns<Dim>& unknowns, const ExplicitTerm<Dim>& term,
              linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  const Box<Dim> box = without_open_faces(unknowns.box, on.sides, on.grid.cells, on.location);
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    double sum = 0.0;
    if (term.convection != 0.0)
      sum -= term.convection * convection_of(on, term.velocity, term.field, term.deferred, c);
    if (term.diffusion != 0.0) sum += term.diffusion * diffusion_of(on, term.field, c);
    if constexpr (may_vary<Operator>)
      if (term.transposed != 0.0)
        sum += term.transposed * transposed_diffusion_of(on, term.velocity, c);
    b[unknowns.row(c)] += sum;
  });
  if constexpr (may_have_open_faces<Operator>)
    for_each_open_side(on.sides, on.grid.cells, on.location, [&](int side, const Box<Dim>& layer) {
      add_term_in_open_side<Dim, Space>(on, unknowns, term, side, layer, right_side);
    });
}

// b += the explicit terms of the equation
template <int Dim, class Space>
void add_explicit_terms(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        linalg::Vector<Space>& right_side) {
  const ExplicitTerm<Dim> deferred{equation.convecting, equation.deferred,
                                   equation.deferred.origin ? equation.implicit_convection : 0.0,
                                   0.0, true};
  for (const ExplicitTerm<Dim>& term :
       {equation.explicit_terms[0], equation.explicit_terms[1], deferred})
    if (term.any()) {
      with_fixed_location_and_scheme(equation.transport, [&](const auto& on) {
        add_term<Dim, Space>(on, unknowns, term, right_side);
      });
      if (term.diffusion != 0.0)
        add_side_friction_to(equation.transport, unknowns, term.diffusion, term.field, right_side);
    }
}

// V of a row: half a cell in an open side.
template <int Dim>
HODGE_HD double volume_of_row(const TransportOperator<Dim>& on, const Index<Dim>& c) {
  const int d = on.location;
  for (int side = 0; side < 2 && d != at_cells; ++side)
    if (on.sides.open[d][side] && c[d] == (side == 0 ? 0 : on.grid.cells[d]))
      return half_volume(on.grid, OpenFace<Dim>{d, side, c});
  return storage(on, c);
}

// A += V r on the diagonal. A pass of its own, so that equations without resistance pay nothing.
template <int Dim, class Space>
void add_resistance(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                    const RowEntries& entries, const int* position) {
  if (equation.resistance.origin == nullptr || entries.values == nullptr) return;
  const ConstFieldView<Dim> resistance = equation.resistance;
  const TransportOperator<Dim> on = equation.transport;
  double *const values = entries.values, *const diagonal = entries.diagonal;
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const int row = unknowns.row(c);
    const double added = volume_of_row(on, c) * resistance(c);
    values[position[row]] += added;
    if (diagonal != nullptr) diagonal[row] += added;
  });
}

// A and b - A q^n, right side and guess of the own points. A matrix that has the values already
// keeps them; the right side is bit for bit the same.
template <int Dim, class Space>
void assemble_transport(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        linalg::CsrMatrix<Space>& matrix, linalg::Vector<Space>& right_side,
                        const GatheredGuess<Dim>& guess = {},
                        MatrixValues values = MatrixValues::refresh) {
  write_matrix(matrix, values, [&](const RowEntries& entries) {
    with_fixed_location(equation.transport, [&](const auto& on) {
      assemble_rows<Dim, Space>(rows_of(equation, on, unknowns), entries, right_side.data(), guess);
    });
    add_explicit_terms(equation, unknowns, right_side);
    assemble_sharp_rows<Dim, Space>(equation, unknowns, entries, right_side.data());
    add_resistance<Dim, Space>(equation, unknowns, entries, matrix.pattern().diagonal().data());
    add_cells_at_sharp_bodies<Dim, Space>(equation, unknowns, entries,
                                          matrix.pattern().diagonal().data(), right_side.data());
    if (equation.implicit_convection == 0.0)
      divide_by_side_factors<Dim, Space>(equation.transport, unknowns, entries, right_side.data());
  });
}

// A alone.
template <int Dim, class Space>
void assemble_transport_matrix(const TransportEquation<Dim>& equation,
                               const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& matrix) {
  write_matrix(matrix, MatrixValues::refresh, [&](const RowEntries& entries) {
    with_fixed_location(equation.transport, [&](const auto& on) {
      assemble_rows<Dim, Space>(rows_of(equation, on, unknowns), entries, nullptr, {});
    });
    const int* const position = matrix.pattern().diagonal().data();
    add_resistance<Dim, Space>(equation, unknowns, entries, position);
    add_sharp_diagonal<Dim, Space>(equation, unknowns, entries, position);
    if (equation.implicit_convection == 0.0)
      divide_by_side_factors<Dim, Space>(equation.transport, unknowns, entries, nullptr);
  });
}

}  // namespace hodge::sim
