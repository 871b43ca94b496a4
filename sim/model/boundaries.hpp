// The sides of the box, and first their vocabulary: a row for each kind of side of the box and for
// each condition of a scalar, with its name in files and its traits. Whoever treats sides asks for
// the trait that it means, never for the kind, so that a new kind is a new row here. Only a
// condition that no row has yet needs code of its own, in discrete/boundaries/field_boundary.hpp.
//
//   wall       u = velocity, whose normal component is 0
//   inflow     u = velocity; with a negative normal part, fluid leaves as prescribed. With a flow
//              rate the velocity is a profile that is scaled to it (flow/inflow_profiles.hpp)
//   outflow    p = pressure; what is carried along leaves: dq/dt + c dq/dn = 0, c the flow's speed
//   pressure   p = pressure, du/dn = 0 along the side; fluid may enter as well as leave
//   slip       u.n = 0, no shear: a free surface or a plane of symmetry
//   periodic   both sides of an axis or none
//
// A scalar c on a side, n the outward normal, D its diffusivity:
//
//   value        c = value
//   flux         D dc/dn = value               into the box where positive
//   convective   -D dc/dn = coefficient (c - value)            Robin's condition
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {

enum class SideKind { wall, inflow, outflow, pressure, slip, periodic, shared };
enum class ScalarSideKind { value, flux, convective };

// What a side does to one field; the equations are in discrete/boundaries/field_boundary.hpp.
enum class Condition { none, periodic, value, flux, convective, outflow, entering, free };

// How fluid passes a side: not at all, at a given velocity, at a given pressure by an unknown
// velocity, to the opposite side, or into the cells of another process.
enum class Passage { closed, velocity, pressure, periodic, shared };

struct SideTraits {
  const char* name;
  const char* description;
  SideKind kind;
  Passage passage;
  Condition along;  // of the velocity components along the side; value: that of the side's formula
  // Of scalars. none: the condition of each scalar holds. entering: it may give the value of what
  // enters, nothing else.
  Condition scalars = Condition::none;
  const char* refuses_scalars = nullptr;  // why scalars can have no condition of their own there

  constexpr bool is_periodic() const { return passage == Passage::periodic; }
  // A cut through the box, beyond which are the cells of another process: no side of the box.
  constexpr bool is_shared() const { return passage == Passage::shared; }
  constexpr bool continues() const { return is_periodic() || is_shared(); }
  // The pressure is given and may have a formula; the velocity across is an unknown.
  constexpr bool is_open() const { return passage == Passage::pressure; }
  constexpr bool is_closed() const { return passage == Passage::closed; }
  // The velocity across must have a formula, and each scalar a condition: what the fluid brings.
  constexpr bool is_inflow() const { return passage == Passage::velocity; }
  constexpr bool takes_velocity() const { return along == Condition::value; }
  // Whether a velocity that the side takes may have no part across it.
  constexpr bool moves_in_plane() const { return takes_velocity() && is_closed(); }
  constexpr bool takes_scalar_condition() const { return refuses_scalars == nullptr; }
  constexpr bool takes_entering_value() const { return scalars == Condition::entering; }
};

// In the order of SideKind.
inline constexpr SideTraits side_kind_rows[] = {
    {"wall", "no flow through it and no slip; velocity: of a wall that moves in its plane",
     SideKind::wall, Passage::closed, Condition::value},
    {"inflow", "the fluid enters, or leaves, with the given velocity",  //
     SideKind::inflow, Passage::velocity, Condition::value},
    {"outflow", "the fluid leaves as it comes, at a given pressure",  //
     SideKind::outflow, Passage::pressure, Condition::outflow, Condition::outflow,
     "the side is an outflow, which carries scalars out"},
    {"pressure", "the fluid enters or leaves as a given pressure has it",  //
     SideKind::pressure, Passage::pressure, Condition::free, Condition::entering},
    {"slip", "no flow through it and no friction: a plane of symmetry",  //
     SideKind::slip, Passage::closed, Condition::flux},
    {"periodic", "what leaves enters at the opposite side, which is periodic, too",
     SideKind::periodic, Passage::periodic, Condition::periodic, Condition::periodic,
     "the side is periodic"},
    {"shared", "a cut through the box, beyond which are the cells of another process",
     SideKind::shared, Passage::shared, Condition::none, Condition::none, "the side is a cut"},
};

struct ScalarConditionTraits {
  const char* name;
  const char* description;
  ScalarSideKind kind;
  Condition condition;

  constexpr bool gives_value() const { return condition == Condition::value; }
  constexpr bool gives_flux() const { return condition == Condition::flux; }
  constexpr bool has_coefficient() const { return condition == Condition::convective; }
};

// In the order of ScalarSideKind.
inline constexpr ScalarConditionTraits scalar_condition_rows[] = {
    {"value", "the scalar has this value",  //
     ScalarSideKind::value, Condition::value},
    {"flux", "so much enters by diffusion, an area and a time; without a condition 0",
     ScalarSideKind::flux, Condition::flux},
    {"convective", "coefficient * (scalar - value) leaves by diffusion, an area and a time",
     ScalarSideKind::convective, Condition::convective},
};

// Those that a file may name.
constexpr std::span<const SideTraits> side_kind_table() {
  return std::span(side_kind_rows).first(std::size(side_kind_rows) - 1);
}
constexpr std::span<const ScalarConditionTraits> scalar_condition_table() {
  return scalar_condition_rows;
}

constexpr const SideTraits& traits_of(SideKind kind) {
  return side_kind_rows[static_cast<std::size_t>(kind)];
}
constexpr const ScalarConditionTraits& traits_of(ScalarSideKind kind) {
  return scalar_condition_rows[static_cast<std::size_t>(kind)];
}

template <std::size_t Count, class Row>
constexpr bool rows_are_in_order(const Row (&rows)[Count]) {
  bool in_order = true;
  for (std::size_t k = 0; k < Count; ++k)
    in_order = in_order && static_cast<std::size_t>(rows[k].kind) == k;
  return in_order;
}
static_assert(rows_are_in_order(side_kind_rows) && rows_are_in_order(scalar_condition_rows));

// The sides of the box, lower and upper in turn: x_lower, x_upper, y_lower, ...
struct BoxSide {
  int axis, side;
};
inline constexpr BoxSide box_sides[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};

constexpr std::span<const BoxSide> sides_of_box(int dim) {
  return std::span<const BoxSide>(box_sides).first(static_cast<std::size_t>(2 * dim));
}

// "x_lower", "x_upper", "y_lower", ...
inline std::string side_name(int axis, int side) {
  return axis_names[axis] + std::string(side == 0 ? "_lower" : "_upper");
}

// What each side of the box is, on the host.
struct Side {
  SideKind kind = SideKind::wall;
  std::array<Expression, 3> velocity{};   // of x, y, z, t; L/T
  Expression pressure = 0;                // of open sides, of x, y, z, t; M/(L T^2)
  std::optional<Expression> flow_rate{};  // of inflows, into the box, of t; L^3/T, in 2D L^2/T

  constexpr const SideTraits& traits() const { return traits_of(kind); }
};

struct Boundaries {
  std::array<std::array<Side, 2>, 3> sides;  // [axis][0 lower, 1 upper]

  void set(int axis, SideKind kind) { sides[axis][0].kind = sides[axis][1].kind = kind; }
  bool periodic(int axis) const { return sides[axis][0].traits().is_periodic(); }
  std::array<bool, 3> periodic_axes() const { return {periodic(0), periodic(1), periodic(2)}; }
};

inline bool is_periodic(const Boundaries& boundaries, int dim) {
  bool all = true;
  for (int axis = 0; axis < dim; ++axis) all = all && boundaries.periodic(axis);
  return all;
}

struct ScalarSide {
  ScalarSideKind kind = ScalarSideKind::flux;
  Expression value = 0;        // of x, y, z, t
  Expression coefficient = 0;  // convective: L/T, not negative

  constexpr const ScalarConditionTraits& traits() const { return traits_of(kind); }
  // What a scalar without any condition has.
  bool is_without_flux() const { return traits().gives_flux() && value.is_zero(); }
};

// What a coefficient such as sin(pi*t) may fall below 0 by rounding, of D / delta: without effect.
inline constexpr double coefficient_round_off = 1e-10;

using ScalarSides = std::array<std::array<ScalarSide, 2>, 3>;  // [axis][side]

}  // namespace hodge::sim
