// One stage of an explicit scheme at every unknown of a scalar, or of all velocity components in
// one pass:
//
//   rate = (-C(u) q + D q) / V + forcing
//   new  = q + dt (gamma rate + zeta old rate) - dt (gamma + zeta) (grad p)_d / rho
//
// The rate is stored where a later stage or step reads it. A forcing that is more than a formula
// stands in the array of the new level, which needs no other array then.
//
// Bytes per cell in 3D: u and p once, 32; the old rates 24, the new ones 24, the new level 24.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "linalg/base/read_once.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/assembly/side_rows.hpp"
#include "sim/discrete/operators/fixed_transport.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "sim/discrete/operators/open_faces.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stage_columns.hpp"

namespace hodge::sim {

// What the fields of a stage share.
template <int Dim>
struct StageEquation {
  TransportOperator<Dim> transport;  // its location is that of no field in particular
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;  // null: none
  double acceleration = 0;       // by a unit of grad p: (gamma + zeta) / rho
  double dt = 0;
  RungeKuttaStage stage{};
  bool keeps_rates = false;
  std::optional<UniformGrid<Dim>> uniform = {};  // of equal cells
};

// A field that a stage advances. All fields have the strides of the velocity.
template <int Dim>
struct StageField {
  int location;
  const double* q;  // origins of fields
  const double* old_rate;
  double *rate, *next;  // rate: may be the old one
  Unknowns<Dim> unknowns;
  // Written so that the Host can choose in vector registers, also with SSE2.
  double driven;           // not 0: `forcing` holds it
  const double* forcing;   // origin of a field, never null
  double constant = -0.0;  // else the forcing: x + -0.0 is x, whatever its sign
};

template <int Dim, class Space>
StageField<Dim> stage_field(int location, const Field<Dim, Space>& q,
                            const Field<Dim, Space>& old_rate, Field<Dim, Space>& rate,
                            Field<Dim, Space>& next, const Unknowns<Dim>& unknowns,
                            const double* forcing = nullptr, double constant_forcing = 0.0) {
  return {location,
          q.view().origin,
          old_rate.view().origin,
          rate.view().origin,
          next.view().origin,
          unknowns,
          forcing != nullptr ? 1.0 : 0.0,
          forcing != nullptr ? forcing : q.view().origin,
          constant_forcing != 0.0 ? constant_forcing : -0.0};
}

// The origin of a field with the forcing at the unknowns: that of a formula, or `next`. Null where
// the forcing is no more than a constant.
template <int Dim, class Space>
const double* forcing_of_stage(const Forcing<Dim>& forcing, const Unknowns<Dim>& unknowns,
                               Field<Dim, Space>& next) {
  if (!forcing.is_more_than_given()) return forcing.given.origin;
  const FieldView<Dim> f = next.view();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) f(c) = forcing_at(forcing, c);
  });
  return f.origin;
}

template <int Dim, class T>
HODGE_HD FieldView<Dim, T> at_origin(const StageEquation<Dim>& equation, T* origin) {
  FieldView<Dim, T> view;
  view.origin = origin;
  unrolled<Dim>([&](auto d) { view.stride[d] = equation.velocity.component[0].stride[d]; });
  return view;
}

template <int Dim, class Operator>
HODGE_HD double rate_at(const Operator& on, const ConstVelocityView<Dim>& velocity,
                        const ConstFieldView<Dim>& q, const Index<Dim>& c) {
  double transport = diffusion_of(on, q, c) - convection_of(on, velocity, q, false, c);
  if constexpr (may_vary<Operator> && may_have_open_faces<Operator>)
    transport += transposed_diffusion_of(on, velocity, c);
  return transport * inverse_storage(on, c);
}

// The same in an open side.
template <int Dim, class Operator>
HODGE_HD double rate_at_open_face(const Operator& on, const ConstVelocityView<Dim>& velocity,
                                  const ConstFieldView<Dim>& q, const OpenFace<Dim>& face) {
  const double transport =
      diffusion_of_open_face(on, q, face) - convection_of_open_face(on, velocity, q, false, face);
  return transport / half_volume(on.grid, face);
}

// Which of the two rates a stage touches; bool or FixedFlag.
template <class Reads = bool, class Keeps = bool>
struct RatesOfStage {
  Reads reads;
  Keeps keeps;
};

template <int Dim>
RatesOfStage<> rates_of(const StageEquation<Dim>& equation) {
  return {equation.stage.zeta != 0.0, equation.keeps_rates};
}

// `transported` is the rate without the forcing, q the level that the stage starts from.
template <int Dim, class Rates>
HODGE_HD StageValues stage_values(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                                  const Rates& rates, double transported, double pressure_gradient,
                                  double q, const Index<Dim>& c) {
  const double rate =
      transported + (field.driven != 0.0 ? at_origin(equation, field.forcing)(c) : field.constant);
  double change = equation.stage.gamma * rate;
  if (rates.reads)
    change += equation.stage.zeta * linalg::read_once(at_origin(equation, field.old_rate)(c));
  change -= equation.acceleration * pressure_gradient;
  return {q + equation.dt * change, rate};
}
template <int Dim, class Operator, class Rates>
HODGE_HD StageValues stage_values(const Operator& on, const StageEquation<Dim>& equation,
                                  const StageField<Dim>& field, const Rates& rates,
                                  double transported, const Index<Dim>& c) {
  const double pressure_gradient =
      on.location == at_cells ? 0.0 : gradient(on.grid, equation.pressure, on.location, c);
  return stage_values(equation, field, rates, transported, pressure_gradient,
                      at_origin(equation, field.q)(c), c);
}

template <int Dim, class Rates>
HODGE_HD void store_stage(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                          const Rates& rates, const StageValues& values, const Index<Dim>& c) {
  linalg::write_once(at_origin(equation, field.next)(c), values.next);
  if (rates.keeps) linalg::write_once(at_origin(equation, field.rate)(c), values.rate);
}

// The fields of a stage at a point: all components from First = 0 on, or a scalar. `Solids` is bool
// or FixedFlag, known at compile time where the convection scheme is, so that the Host vectorises
// the loop; `Grid` is a GridView or a UniformGrid.
template <int Dim, int First, int Count, class Grid, class Scheme, class Solids, class Coefficient,
          class Rates>
struct StageAtPoint {
  // Blocks of a GPU's multiprocessor: as many reads under way as registers allow. With schemes that
  // are not known the compiler chooses.
  static constexpr bool on_equal_cells = std::is_same_v<Grid, UniformGrid<Dim>>;
  static constexpr int least_blocks = std::is_same_v<Scheme, Convection> ? 0
                                      : on_equal_cells                   ? 4
                                      : Count == 1                       ? 5
                                                                         : 3;
  static constexpr int together = Count, most_planes = 4;  // what the planes share is 3 of 4 reads

  StageEquation<Dim> equation;
  StageField<Dim> fields[Count];
  Grid grid;
  Scheme scheme;
  Solids solids;
  Coefficient coefficient;
  Rates rates;

  template <int Part>
  HODGE_HD StageValues value(std::integral_constant<int, Part>, const Index<Dim>& c) const {
    const StageField<Dim>& field = fields[Part];
    const auto on =
        transport_of<Fixed<First + Part>>(equation.transport, grid, scheme, solids, coefficient);
    const double transported = rate_at(on, equation.velocity, at_origin(equation, field.q), c);
    return stage_values(on, equation, field, rates, transported, c);
  }
  template <int Part>
  HODGE_HD void store(std::integral_constant<int, Part>, const Index<Dim>& c,
                      const StageValues& values) const {
    if (!solids || fields[Part].unknowns.contains(c))
      store_stage(equation, fields[Part], rates, values, c);
  }
  template <int Part>
  HODGE_HD void operator()(std::integral_constant<int, Part> part, const Index<Dim>& c) const {
    if (!solids || fields[Part].unknowns.contains(c)) store(part, c, value(part, c));
  }

  // How a GPU takes all components.
  static constexpr bool has_columns = Dim == 3 && Count == Dim &&
                                      std::is_same_v<Coefficient, UnitCoefficient> &&
                                      std::is_same_v<Scheme, FixedScheme<Convection::central>> &&
                                      std::is_same_v<Solids, FixedFlag<false>>;
  StageColumns<Dim, StageAtPoint> columns() const requires has_columns { return {*this}; }
  HODGE_HD StageValues values_of(int part, double transported, double pressure_gradient, double q,
                                 const Index<Dim>& c) const {
    return stage_values(equation, fields[part], rates, transported, pressure_gradient, q, c);
  }
};

template <int Dim, class Space, class Operator>
void take_stage_in_open_side(const Operator& on, const StageEquation<Dim>& equation,
                             const StageField<Dim>& field, int side, const Box<Dim>& layer) {
  const RatesOfStage<> rates = rates_of(equation);
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!is_component<Dim>(on.location) || !field.unknowns.contains(c)) return;
    const OpenFace<Dim> face{on.location, side, c};
    const ConstFieldView<Dim> q = at_origin(equation, field.q);
    const double transported = rate_at_open_face(on, equation.velocity, q, face);
    store_stage(equation, field, rates, stage_values(on, equation, field, rates, transported, c),
                c);
  });
}

template <int Dim, class Space, class Operator>
void take_stage_in_open_sides(const Operator& on, const StageEquation<Dim>& equation,
                              const StageField<Dim>& field) {
  if constexpr (may_have_open_faces<Operator>)
    for_each_open_side(on.sides, on.grid.cells, on.location, [&](int side, const Box<Dim>& layer) {
      take_stage_in_open_side<Dim, Space>(on, equation, field, side, layer);
    });
}

// What friction at sides (side_friction.hpp) adds to the rate and to the new level.
template <int Dim, class Space>
void add_side_friction_to_stage(const TransportOperator<Dim>& on,
                                const StageEquation<Dim>& equation, const StageField<Dim>& field) {
  const ConstFieldView<Dim> q = at_origin(equation, field.q);
  const FieldView<Dim> next = at_origin(equation, field.next),
                       rate_of = at_origin(equation, field.rate);
  const double weight = equation.dt * equation.stage.gamma;
  const bool keeps_rate = equation.keeps_rates;
  for_each_side_row<Dim, Space>(on, field.unknowns, [=] HODGE_LAMBDA(const Index<Dim>& c, int e) {
    const double rate =
        added_side_friction(on, q, e, c) * on.grid.inverse_control_volume(on.location, c);
    next(c) += weight * rate;
    if (keeps_rate) rate_of(c) += rate;
  });
}

// f(constant rates)
template <class F>
void with_fixed_rates(const RatesOfStage<>& rates, F f) {
  using Yes = FixedFlag<true>;
  using No = FixedFlag<false>;
  if (!rates.reads && rates.keeps)
    f(RatesOfStage<No, Yes>{});
  else if (rates.reads && rates.keeps)
    f(RatesOfStage<Yes, Yes>{});
  else
    f(RatesOfStage<Yes, No>{});
}

// f(grid, scheme, solids, coefficient, rates): rates are constants where the scheme is one.
template <int First, int Dim, class F>
void with_fixed_stage(const StageEquation<Dim>& equation, F f) {
  const auto with_fixed = [&](auto grid, auto scheme, auto solids, auto coefficient) {
    if constexpr (std::is_same_v<decltype(scheme), Convection>)
      f(grid, scheme, solids, coefficient, rates_of(equation));
    else
      with_fixed_rates(rates_of(equation),
                       [&](auto rates) { f(grid, scheme, solids, coefficient, rates); });
  };
  with_fixed_transport<First>(equation.transport, equation.uniform, with_fixed);
}

// Locations First, First + 1, ...
template <int First, int Dim, class Space, std::size_t Count>
void take_stage(const StageEquation<Dim>& equation,
                const std::array<StageField<Dim>, Count>& fields) {
  const TransportOperator<Dim>& transport = equation.transport;
  std::array<Box<Dim>, Count> boxes;
  for (std::size_t k = 0; k < Count; ++k)
    boxes[k] = without_open_faces(fields[k].unknowns.box, transport.sides, transport.grid.cells,
                                  fields[k].location);
  with_fixed_stage<First>(
      equation, [&](auto grid, auto scheme, auto solids, auto coefficient, auto rates) {
        StageAtPoint<Dim, First, static_cast<int>(Count), decltype(grid), decltype(scheme),
                     decltype(solids), decltype(coefficient), decltype(rates)>
            at_point{equation, {}, grid, scheme, solids, coefficient, rates};
        for (std::size_t k = 0; k < Count; ++k) at_point.fields[k] = fields[k];
        linalg::for_each_of<Space>(boxes, at_point);
      });
  for (const StageField<Dim>& field : fields) {
    TransportOperator<Dim> on = transport;
    on.location = field.location;
    with_fixed_location_and_scheme(on, [&](const auto& fixed) {
      take_stage_in_open_sides<Dim, Space>(fixed, equation, field);
    });
    add_side_friction_to_stage<Dim, Space>(on, equation, field);
  }
}

}  // namespace hodge::sim
