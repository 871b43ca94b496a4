// Transport of u_d at the faces in an open side normal to d, whose control volume is half a cell:
//
//        n'       :       c           u_d(c) lies in the side, u_d(n') on the next face within;
//     ---|--------+=======|           the volume V is the half of cell q next to the side
//        u_d(n')  :  V    u_d(c)
//     ---|--------+=======| side
//            cell q
//
//   through the section in the middle of q      A (u_d(n') + u_d(c)) / 2, as for every other face
//   through the side itself                     A u_d(c), which carries u_d(c): the velocity does
//                                               not change along the normal there; entering fluid
//                                               may carry less (boundaries/entering.hpp)
//   through the halves of q's other sides       half of what q passes
//
// The fluxes add up to half of q's net outflow, 0. Friction acts in the section and on the halves;
// none in the side (du_d/dn = 0), nor any of the transposed gradient (diffusion.hpp), as no
// component changes along the normal. Pressure: that of the side against that of q, half a cell
// apart (gradient.hpp with the ghosts of p). Everything is symmetric but for convection.
#pragma once

#include <type_traits>

#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// Face c of component d in the lower (0) or upper (1) side along d.
template <int Dim>
struct OpenFace {
  int d, side;
  Index<Dim> c;

  HODGE_HD int inward() const { return side == 0 ? 1 : -1; }
  HODGE_HD Index<Dim> cell() const { return side == 0 ? c : c.shifted(d, -1); }
  // The face whose lower side along d is the section.
  HODGE_HD Index<Dim> section() const { return side == 0 ? c.shifted(d, 1) : c; }
  HODGE_HD Index<Dim> within() const { return c.shifted(d, inward()); }
};

template <int Dim>
HODGE_HD double half_volume(const GridView<Dim>& grid, const OpenFace<Dim>& face) {
  return 0.5 * grid.cell_volume(face.cell());
}

// Flux along the normal axis, positive upwards, through the side.
template <int Dim>
HODGE_HD double flux_through_side(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                                  const OpenFace<Dim>& face) {
  return grid.face_area(face.d, face.cell()) * u[face.d](face.c);
}

// What that flux carries, as a multiple of u_d(c).
template <int Dim, class... Kind>
HODGE_HD double carried_through_side(const TransportOperator<Dim, Kind...>& on,
                                     const ConstVelocityView<Dim>& u, const OpenFace<Dim>& face) {
  if (face.inward() * u[face.d](face.c) <= 0.0) return 1.0;
  return 0.5 + 0.5 * entering_share(on.side_flows.of[face.d][face.side]);
}

// Flux along e through the half of the lower or upper side of the cell.
template <int Dim>
HODGE_HD double flux_through_half(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                                  const OpenFace<Dim>& face, int e, int side) {
  const Index<Dim> at = face.cell().shifted(e, side);
  return 0.5 * grid.face_area(e, at) * u[e](at);
}

// Net flux of u_d out of the half volume; `deferred` as in convection_of.
template <int Dim, class... Kind>
HODGE_HD double convection_of_open_face(const TransportOperator<Dim, Kind...>& on,
                                        const ConstVelocityView<Dim>& u,
                                        const ConstFieldView<Dim>& q, bool deferred,
                                        const OpenFace<Dim>& face) {
  const double outward = -face.inward();
  double out = -outward * convected_flux(on, u, q, deferred, face.d, face.section());
  if (!deferred)
    out += outward * flux_through_side(on.grid, u, face) * carried_through_side(on, u, face) *
           q(face.c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2 && e != face.d; ++side) {
      const double flux = flux_through_half(on.grid, u, face, e, side);
      const double carried = carried_by(flux, on, q, deferred, e, face.c.shifted(e, side));
      out += side == 0 ? -carried : carried;
    }
  return out;
}

template <int Dim, class... Kind>
HODGE_HD double diffusion_of_open_face(const TransportOperator<Dim, Kind...>& on,
                                       const ConstFieldView<Dim>& q, const OpenFace<Dim>& face) {
  double in = conductance(on, face.d, face.section()) *
              difference_across(q, on.bodies, on.location, face.d, 1 - face.side, face.c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2 && e != face.d; ++side)
      in += 0.5 * conductance(on, e, face.c.shifted(e, side)) *
            difference_across(q, on.bodies, on.location, e, side, face.c);
  return on.diffusivity * in;
}

// Whether an operator may be of a component: cells have no faces in sides, and no code for them.
template <class Operator>
inline constexpr bool may_have_open_faces =
    !std::is_same_v<decltype(Operator::location), Fixed<at_cells>>;

// Said to compilers in the kernels of operators whose location is a number: only components are
// there.
template <int Dim>
HODGE_HD bool is_component(int location) {
  return 0 <= location && location < Dim;
}

// f(side, layer): the faces in each open side along d, as a box.
template <int Dim, class F>
void for_each_open_side(const SideKinds<Dim>& sides, const Index<Dim>& cells, int d, F f) {
  for (int side = 0; side < 2 && d != at_cells; ++side) {
    if (!sides.open[d][side]) continue;
    Box<Dim> layer{Index<Dim>::filled(0), cells};
    layer.lower[d] = side == 0 ? 0 : cells[d];
    layer.upper[d] = layer.lower[d] + 1;
    f(side, layer);
  }
}

// The points of a location without those in open sides.
template <int Dim>
Box<Dim> without_open_faces(Box<Dim> box, const SideKinds<Dim>& sides, const Index<Dim>& cells,
                            int location) {
  for_each_open_side(sides, cells, location, [&](int side, const Box<Dim>& layer) {
    if (side == 0) box.lower[location] = layer.upper[location];
    if (side == 1) box.upper[location] = layer.lower[location];
  });
  return box;
}

}  // namespace hodge::sim
