// The rows of a velocity component beside a sharp body (operators/sharp_rates.hpp). What a side's
// value has beyond that of the neighbour stands on the right side, with the extrapolated velocity,
// so that the pattern stays that of all other rows. Written after the other rows, whose kernel
// leaves numbers of no meaning there.
#pragma once

#include "sim/discrete/assembly/transport_rows.hpp"
#include "sim/discrete/operators/sharp_rates.hpp"

namespace hodge::sim {

template <int Dim, class Operator>
HODGE_HD TransportRow<Dim> sharp_row(const TransportRows<Dim, Operator>& rows,
                                     const SharpFace<Dim>& face) {
  const Operator& on = rows.transport;
  const int d = on.location;
  const Index<Dim>& c = face.c;
  const double volume = volume_of_row(on.grid, face, d), here = rows.old_level(c);
  const ConstFieldView<Dim> guess = rows.convecting[d];
  TransportRow<Dim> row;
  row.right_side = volume * known_rate(rows, here, c);
  row.matrix.coefficient[centre<Dim>] = volume * rows.new_rate;
  const double convection = rows.implicit_convection, inverse_open = 1.0 / on.bodies.open(d, c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      double& there = row.matrix.coefficient[direction(e, side)];
      const Index<Dim> neighbour = c.shifted(e, side == 0 ? -1 : 1);
      const double friction = volume * rows.implicit_diffusivity * face.friction[e][side];
      const double flux = open_flux_out(on.grid, on.bodies, face, rows.convecting, d, e, side);
      const double out = convection * inverse_open * flux;
      if (lies_in_side(face, d, e, side)) {
        const double carried = out * carried_through_side(on.side_flows, face, d, out);
        row.matrix.coefficient[centre<Dim>] += carried;
        row.right_side -= carried * here;
        continue;
      }
      const double leaning =
          convection * inverse_open * leaning_flux(face, on.diffusivity, flux, e, side);
      row.matrix.coefficient[centre<Dim>] += friction + 0.5 * out + leaning;
      row.right_side -= out * here;  // the net flux out
      if (face.wall[e][side]) {
        row.right_side -= friction * here;
      } else {
        there = -friction;
        row.right_side += friction * (value_on_side(face, guess, e, side) - guess(neighbour));
      }
      if (on.bodies.excludes(d, neighbour))
        row.right_side += 0.5 * out * here;
      else
        there += 0.5 * out - leaning;
    }
  fold_known_neighbours(rows, here, c, row);
  return row;
}

// A += V s on the diagonal, s of time/sharp_stage.hpp: convection is explicit, and the matrix stays
// symmetric.
template <int Dim, class Space>
void add_sharp_diagonal(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        const RowEntries& entries, const int* position) {
  if (equation.sharp_implicit == nullptr || entries.values == nullptr) return;
  const TransportOperator<Dim> on = equation.transport;
  const double* const implicit = equation.sharp_implicit;
  double *const values = entries.values, *const diagonal = entries.diagonal;
  const SharpFace<Dim>* const faces = equation.sharp.faces;
  linalg::for_each<Space>(equation.sharp.count, [=] HODGE_LAMBDA(int i) {
    const int row = unknowns.row(faces[i].c);
    const double added = volume_of_row(on.grid, faces[i], on.location) * implicit[i];
    values[position[row]] += added;
    if (diagonal != nullptr) diagonal[row] += added;
  });
}

template <int Dim, class Space>
void assemble_sharp_rows(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                         const RowEntries& entries, double* b) {
  if (equation.sharp.count == 0) return;
  const TransportRows<Dim> rows = rows_of(equation, equation.transport, unknowns);
  const RowStart<Dim> start{unknowns, entries.row_offsets};
  double *const into = entries.values, *const diagonal = entries.diagonal;
  const SharpFace<Dim>* const faces = equation.sharp.faces;
  linalg::for_each<Space>(equation.sharp.count, [=] HODGE_LAMBDA(int i) {
    const SharpFace<Dim>& face = faces[i];
    const TransportRow<Dim> row = sharp_row(rows, face);
    const int number = rows.unknowns.row(face.c);
    if (b != nullptr) b[number] = row.right_side;
    if (diagonal != nullptr) diagonal[number] = row.matrix.coefficient[centre<Dim>];
    if (into != nullptr) write_row(rows.unknowns, face.c, row.matrix, into + start(face.c));
  });
}

// A coefficient of the value here: of a matrix of the increment, whose right side has that of q^n.
template <int Dim>
struct AddedToDiagonal {
  Unknowns<Dim> unknowns;
  ConstFieldView<Dim> old_level;
  const int* position;
  double *b, *values, *diagonal;  // null: not wanted

  HODGE_HD void operator()(const Index<Dim>& c, double coefficient) const {
    const int row = unknowns.row(c);
    if (b != nullptr) b[row] -= coefficient * old_level(c);
    if (values != nullptr) values[position[row]] += coefficient;
    if (diagonal != nullptr) diagonal[row] += coefficient;
  }
};

// What rows of a scalar at cells have beside sharp bodies beyond those of all other cells:
//
//   beside closures   -(net flux out) q: the flow through the cells behind, which has no row, takes
//                     along the value of the cell, so that a uniform scalar stays
//   in cut cells      loss q, through the surface
//   beside media      heat along the surface, of the last iterate
template <int Dim, class Space>
void add_cells_at_sharp_bodies(const TransportEquation<Dim>& equation,
                               const Unknowns<Dim>& unknowns, const RowEntries& entries,
                               const int* position, double* b) {
  const CellsAtSharpBodies<Dim> at = equation.at_sharp;
  const AddedToDiagonal<Dim> add{unknowns, equation.old_level, position,
                                 b,        entries.values,     entries.diagonal};
  const TransportOperator<Dim> on = equation.transport;
  const ConstVelocityView<Dim> u = equation.convecting;
  const double convection = equation.implicit_convection;
  // Of Crank-Nicolson, whose old level the same velocity carries.
  const ExplicitTerm<Dim> known = equation.explicit_terms[0];
  if (convection != 0.0)
    linalg::for_each<Space>(at.count, [=] HODGE_LAMBDA(int i) {
      const Index<Dim>& c = at.beside[i];
      const double net = net_flux_out(on.grid, u, c);
      add(c, -convection * net);
      if (b != nullptr && known.convection != 0.0)
        b[unknowns.row(c)] += known.convection * net * known.field(c);
    });
  if (at.loss.origin != nullptr)
    linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      if (at.loss(c) != 0.0) add(c, at.loss(c));
    });
  const AlongSurfaces<Dim> along = at.along;
  const ConstFieldView<Dim> iterate = at.iterate;
  if (b != nullptr && iterate.origin != nullptr)
    linalg::for_each<Space>(along.count, [=] HODGE_LAMBDA(int i) {
      const CellAlongSurface<Dim>& cell = along.cells[i];
      b[unknowns.row(cell.c)] += along.gain(cell, iterate);
    });
}

}  // namespace hodge::sim
