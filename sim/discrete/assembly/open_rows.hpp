// Rows of the velocity component across an open side, at the faces in it: the half control volumes
// of operators/open_faces.hpp. They are written after the other rows, whose kernel leaves numbers
// of no meaning there.
#pragma once

#include "sim/discrete/assembly/transport_rows.hpp"
#include "sim/discrete/operators/open_faces.hpp"

namespace hodge::sim {

// Adds one side of the half volume: flux out and conductance, both integrals. Returns the flux.
template <int Dim>
HODGE_HD double add_side(double out, double upwind_fraction, double conductance, int where,
                         StencilRow<Dim>& row) {
  const SideCoefficients a = convection_coefficients(out, upwind_fraction);
  row.coefficient[centre<Dim>] += a.here + conductance;
  row.coefficient[where] += a.there - conductance;
  return out;
}

template <int Dim, class Operator>
HODGE_HD TransportRow<Dim> open_row(const TransportRows<Dim, Operator>& rows,
                                    const OpenFace<Dim>& face) {
  const Operator& on = rows.transport;
  const double volume = half_volume(on.grid, face), outward = -face.inward();
  const double here = rows.old_level(face.c);
  TransportRow<Dim> row;
  const double through_side = outward * rows.implicit_convection *
                              flux_through_side(on.grid, rows.convecting, face) *
                              carried_through_side(on, rows.convecting, face);
  row.matrix.coefficient[centre<Dim>] = volume * rows.new_rate + through_side;
  const Index<Dim> section = face.section();
  double net = through_side;
  net +=
      add_side(-outward * rows.implicit_convection *
                   convecting_flux(on.grid, rows.convecting, on.location, face.d, section),
               rows.upwind_fraction, rows.implicit_diffusivity * conductance(on, face.d, section),
               direction(face.d, 1 - face.side), row.matrix);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2 && e != face.d; ++side) {
      const Index<Dim> at = face.c.shifted(e, side);
      const double flux = flux_through_half(on.grid, rows.convecting, face, e, side);
      const bool enters = enters_box(on.grid, on.sides, on.location, e, flux, at);
      net += add_side((side == 0 ? -1.0 : 1.0) * rows.implicit_convection * flux,
                      enters ? 0.0 : rows.upwind_fraction,
                      0.5 * rows.implicit_diffusivity * conductance(on, e, at) *
                          side_factor(on.grid, on.sides, on.bodies, on.location, e, face.c),
                      direction(e, side), row.matrix);
    }
  row.right_side = volume * known_rate(rows, here, face.c) - net * here;
  fold_known_neighbours(rows, here, face.c, row);
  return row;
}

template <int Dim, class Space, class Operator>
void assemble_rows_in_open_side(const TransportRows<Dim, Operator>& rows, int side,
                                const Box<Dim>& layer, const RowEntries& entries, double* b) {
  const int d = rows.transport.location;
  const RowStart<Dim> start{rows.unknowns, entries.row_offsets};
  double *const into = entries.values, *const diagonal = entries.diagonal;
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!rows.unknowns.contains(c)) return;
    const TransportRow<Dim> row = open_row(rows, OpenFace<Dim>{d, side, c});
    if (b != nullptr) b[rows.unknowns.row(c)] = row.right_side;
    if (diagonal != nullptr) diagonal[rows.unknowns.row(c)] = row.matrix.coefficient[centre<Dim>];
    if (into != nullptr) write_row(rows.unknowns, c, row.matrix, into + start(c));
  });
}

// Entries (unless they are kept) and right side b (unless it is null) at the faces in the open
// sides.
template <int Dim, class Space, class Operator>
void assemble_open_rows(const TransportRows<Dim, Operator>& rows, const RowEntries& entries,
                        double* b) {
  for_each_open_side(rows.transport.sides, rows.transport.grid.cells, rows.transport.location,
                     [&](int side, const Box<Dim>& layer) {
                       assemble_rows_in_open_side<Dim, Space>(rows, side, layer, entries, b);
                     });
}

}  // namespace hodge::sim
