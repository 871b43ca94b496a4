// Right sides of transport equations whose convection is explicit, of a scalar or of all velocity
// components in one pass:
//
//   b - A q^n = V (forcing - (grad p)_d / rho) + D q^n - e0 C(u^n) q^n - e1 C(u^{n-1}) q^{n-1}
//               + sides
//
// They are those of assemble_transport (transport.hpp), which assembles the matrix: what A q^n has
// of diffusion and its explicit rest are D q^n together. D reads what the last level has beyond the
// sides of the box, where implicit diffusion sees the new level:
//
//   sides = sum_beyond theta g (offset + slope q^n here - q^n there)
//
// Rows beside sides along which the velocity is given have their friction besides and are divided
// by their factors (side_rows.hpp). The forcing stands in the array of the right side, which needs
// no other.
//
// Bytes per cell in 3D, of all components: u^n and u^{n-1} 48, p 8, right sides 24.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "sim/discrete/assembly/side_rows.hpp"
#include "sim/discrete/assembly/transport_equation.hpp"
#include "sim/discrete/operators/fixed_transport.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "sim/discrete/operators/open_faces.hpp"

namespace hodge::sim {

// One of the right sides. The equation has no implicit convection, one old level in its time
// derivative, and no field of a forcing.
template <int Dim>
struct RightSide {
  TransportEquation<Dim> equation;
  Unknowns<Dim> unknowns;
  double* b;                    // of each row
  bool is_driven = false;       // b holds the forcing
  double constant_forcing = 0;  // else
};

// b := the forcing. False where it is no more than a constant.
template <int Dim, class Space>
bool evaluate_forcing_in(const Forcing<Dim>& forcing, const Unknowns<Dim>& unknowns, double* b) {
  if (!forcing.varies()) return false;
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) b[unknowns.row(c)] = forcing_at(forcing, c);
  });
  return true;
}

// What the right sides of a pass share.
template <int Dim>
struct ExplicitTransport {
  TransportOperator<Dim> transport;    // its location is that of no field in particular
  ConstVelocityView<Dim> velocity[2];  // u^n, u^{n-1}
  double convection[2], diffusion;     // weights
  double old_diffusion;                // of q^{n-1}; other than 0 only where the viscosity varies
  double transposed[2];
  ConstFieldView<Dim> pressure;
  double inverse_density;
};

// What a pass knows of one of them.
template <int Dim>
struct RightSideTerms {
  ConstFieldView<Dim> level[2];  // q^n, q^{n-1}
  Unknowns<Dim> unknowns;
  double* b;
  bool driven;      // b holds the forcing
  double constant;  // else
};

template <int Dim>
ExplicitTransport<Dim> shared_terms(const TransportEquation<Dim>& equation) {
  const auto& [now, before] = equation.explicit_terms;
  return {equation.transport,
          {now.velocity, before.velocity},
          {now.convection, before.convection},
          equation.implicit_diffusion + now.diffusion,
          before.diffusion,
          {now.transposed, before.transposed},
          equation.pressure,
          1.0 / equation.density};
}
template <int Dim>
RightSideTerms<Dim> terms_of(const RightSide<Dim>& side) {
  const auto& [now, before] = side.equation.explicit_terms;
  return {{now.field, before.field}, side.unknowns, side.b, side.is_driven, side.constant_forcing};
}

// row: -1 where a solid has it
template <int Dim, class Transport>
HODGE_HD double known_acceleration(const Transport& on, const ExplicitTransport<Dim>& terms,
                                   const RightSideTerms<Dim>& of, int row, const Index<Dim>& c) {
  double rate = of.constant;
  if (of.driven && row >= 0) rate = of.b[row];
  if (on.location != at_cells)
    rate -= terms.inverse_density * gradient(on.grid, terms.pressure, on.location, c);
  return rate;
}

// The right sides at a point: of all components from First = 0 on, or of a scalar; `Grid`,
// `Scheme`, `Solids` and `Coefficient` as with_fixed_transport gives them.
template <int Dim, int First, int Count, class Grid, class Scheme, class Solids, class Coefficient>
struct RightSidesAtPoint {
  // On equal cells a GPU takes all parts of a point level by level, and what they share of a level
  // is in registers, which suffice for 4 blocks: 0.8 ms at 256^3, part by part 1.1 ms. Lengths from
  // arrays need more registers: 1.6 ms, part by part 1.2 ms.
  static constexpr bool by_levels = std::is_same_v<Grid, UniformGrid<Dim>>;
  static constexpr int least_blocks = by_levels ? 4 : 2;
  static constexpr int together = Count, most_planes = 4;

  ExplicitTransport<Dim> terms;
  RightSideTerms<Dim> sides[Count];
  Box<Dim> boxes[Count];
  Grid grid;
  Scheme scheme;
  Solids solids;
  Coefficient coefficient;

  HODGE_HD int row(const Unknowns<Dim>& unknowns, const Index<Dim>& c) const {
    return solids ? unknowns.row(c) : unknowns.box.position(c);
  }
  template <int Part>
  HODGE_HD auto transport(Fixed<Part>) const {
    return transport_of<Fixed<First + Part>>(terms.transport, grid, scheme, solids, coefficient);
  }
  // Of q^n with its diffusion, or of q^{n-1}.
  template <int Part>
  HODGE_HD double transported(Fixed<Part> part, int level, const Index<Dim>& c) const {
    const auto on = transport(part);
    const ConstFieldView<Dim>& q = sides[Part].level[level];
    double convection =
        -terms.convection[level] * convection_of(on, terms.velocity[level], q, false, c);
    if constexpr (may_vary<decltype(on)> && First + Part != at_cells) {
      convection += terms.transposed[level] * transposed_diffusion_of(on, terms.velocity[level], c);
      if (level == 1) convection += terms.old_diffusion * diffusion_of(on, q, c);
    }
    return level == 0 ? convection + terms.diffusion * diffusion_of(on, q, c) : convection;
  }

  template <int Part>
  HODGE_HD double accelerated(Fixed<Part> part, const Index<Dim>& c) const {
    const RightSideTerms<Dim>& of = sides[Part];
    const auto on = transport(part);
    return storage(on, c) * known_acceleration(on, terms, of, row(of.unknowns, c), c);
  }

  template <int Part>
  HODGE_HD double value(std::integral_constant<int, Part>, const Index<Dim>& c) const {
    const Fixed<Part> part{};
    return accelerated(part, c) + transported(part, 0, c) + transported(part, 1, c);
  }
  template <int Part>
  HODGE_HD void store(std::integral_constant<int, Part>, const Index<Dim>& c, double value) const {
    const Unknowns<Dim>& unknowns = sides[Part].unknowns;
    if (!solids || unknowns.contains(c)) sides[Part].b[row(unknowns, c)] = value;
  }
  template <int Part>
  HODGE_HD void operator()(std::integral_constant<int, Part> part, const Index<Dim>& c) const {
    if (!solids || sides[Part].unknowns.contains(c)) store(part, c, value(part, c));
  }
  // Level by level.
  HODGE_HD void operator()(const Index<Dim>& c) const {
    double sum[Count] = {};
    unrolled<2>([&](auto level) {
      unrolled<Count>([&](auto part) {
        if (boxes[part].contains(c)) sum[part] += transported(part, level, c);
      });
    });
    unrolled<Count>([&](auto part) {
      if (boxes[part].contains(c))
        store(std::integral_constant<int, part>{}, c, accelerated(part, c) + sum[part]);
    });
  }
};

template <int Dim, class Space, class Operator>
void assemble_right_side_in_open_side(const Operator& on, const ExplicitTransport<Dim>& terms,
                                      const RightSideTerms<Dim>& of, int side,
                                      const Box<Dim>& layer) {
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!is_component<Dim>(on.location) || !of.unknowns.contains(c)) return;
    const OpenFace<Dim> face{on.location, side, c};
    const int row = of.unknowns.row(c);
    double sum = half_volume(on.grid, face) * known_acceleration(on, terms, of, row, c) +
                 terms.diffusion * diffusion_of_open_face(on, of.level[0], face);
    for (int k = 0; k < 2; ++k)
      sum -= terms.convection[k] *
             convection_of_open_face(on, terms.velocity[k], of.level[k], false, face);
    if constexpr (may_vary<Operator>)
      sum += terms.old_diffusion * diffusion_of_open_face(on, of.level[1], face);
    of.b[row] = sum;
  });
}

template <int Dim, class Space>
void assemble_right_side_in_open_sides(const RightSide<Dim>& side) {
  const TransportOperator<Dim>& transport = side.equation.transport;
  const ExplicitTransport<Dim> terms = shared_terms(side.equation);
  const RightSideTerms<Dim> of = terms_of(side);
  with_fixed_location_and_scheme(transport, [&](const auto& on) {
    if constexpr (may_have_open_faces<std::remove_cvref_t<decltype(on)>>)
      for_each_open_side(on.sides, on.grid.cells, on.location, [&](int at, const Box<Dim>& layer) {
        assemble_right_side_in_open_side<Dim, Space>(on, terms, of, at, layer);
      });
  });
}

// What the values of the new level beyond a side add to the row of c, which the side bounds along
// e.
template <int Dim>
HODGE_HD double change_beyond(const TransportOperator<Dim>& on, const ClosureView<Dim>& closure,
                              const ConstFieldView<Dim>& q, int e, int side, const Index<Dim>& c) {
  const double beyond = closure.offset(e, side, c) + (closure.slope(e, side, c) - 1.0) * q(c);
  return side_factor(on.grid, on.sides, on.bodies, on.location, e, c) *
         conductance(on, e, c.shifted(e, side)) *
         (beyond - difference_across(q, on.bodies, on.location, e, side, c));
}

// b += friction and the changes beyond the sides of axis e, in the rows beside them
template <int Dim, class Space>
void add_sides(const RightSide<Dim>& of, int e) {
  const TransportOperator<Dim> on = of.equation.transport;
  const Unknowns<Dim> unknowns = of.unknowns;
  SideRows<Dim> beside{unknowns.box, e};
  beside.box.upper[e] = beside.box.lower[e] + 1;
  int side_of[2] = {};
  for (int side = 0; side < 2; ++side) {
    const bool goes_on = unknowns.periodic[e] || unknowns.shared[e][side];
    if (goes_on || (e == on.location && on.sides.open[e][side])) continue;
    side_of[beside.count] = side;
    beside.index[beside.count++] = side == 0 ? unknowns.box.lower[e] : unknowns.box.upper[e] - 1;
  }
  if (beside.count == 0 || unknowns.box.size() == 0) return;
  const ConstFieldView<Dim> q = of.equation.old_level;
  const ClosureView<Dim> closure = of.equation.closure;
  const double implicit = of.equation.implicit_diffusion * on.diffusivity;
  const double all = of.equation.implicit_diffusion + of.equation.explicit_terms[0].diffusion;
  double* const b = of.b;
  const int sides[2] = {side_of[0], side_of[1]};
  linalg::for_each<Space>(beside.box, [=] HODGE_LAMBDA(const Index<Dim>& first) {
    for (int k = 0; k < beside.count; ++k) {
      const Index<Dim> c = beside.at(k, first);
      if (!unknowns.contains(c)) continue;
      double sum = implicit * change_beyond(on, closure, q, e, sides[k], c);
      if (has_side_friction(on.sides, on.location, e, sides[k]))
        sum += all * added_side_friction(on, q, e, c);
      b[unknowns.row(c)] += share_of_control_volume(on, c) * sum;
    }
  });
}

// Of the locations First, First + 1, ..., which have velocities, weights and pressure in common.
template <int First, int Dim, class Space, std::size_t Count>
void assemble_right_sides(const std::array<RightSide<Dim>, Count>& sides,
                          const std::optional<UniformGrid<Dim>>& uniform) {
  const TransportOperator<Dim>& transport = sides[0].equation.transport;
  std::array<Box<Dim>, Count> boxes;
  for (std::size_t k = 0; k < Count; ++k)
    boxes[k] = without_open_faces(sides[k].unknowns.box, transport.sides, transport.grid.cells,
                                  sides[k].equation.transport.location);
  with_fixed_transport<First>(
      transport, uniform, [&](auto grid, auto scheme, auto solids, auto coefficient) {
        RightSidesAtPoint<Dim, First, static_cast<int>(Count), decltype(grid), decltype(scheme),
                          decltype(solids), decltype(coefficient)>
            at_point{shared_terms(sides[0].equation), {}, {}, grid, scheme, solids, coefficient};
        Box<Dim> all = boxes[0];
        for (std::size_t k = 0; k < Count; ++k) {
          at_point.sides[k] = terms_of(sides[k]);
          at_point.boxes[k] = boxes[k];
          all = joined(all, boxes[k]);
        }
        if constexpr (!std::is_same_v<Space, linalg::Host> && at_point.by_levels)
          linalg::for_each<Space>(all, at_point);
        else
          linalg::for_each_of<Space>(boxes, at_point);
      });
  for (const RightSide<Dim>& side : sides) {
    assemble_right_side_in_open_sides<Dim, Space>(side);
    for (int e = 0; e < Dim; ++e) add_sides<Dim, Space>(side, e);
    if (const ExplicitTerm<Dim>& older = side.equation.explicit_terms[1]; older.diffusion != 0.0) {
      auto b = linalg::Vector<Space>::view(side.b, side.unknowns.rows);
      add_side_friction_to(side.equation.transport, side.unknowns, older.diffusion, older.field, b);
    }
    divide_by_side_factors<Dim, Space>(side.equation.transport, side.unknowns, RowEntries{},
                                       side.b);
  }
}

}  // namespace hodge::sim
