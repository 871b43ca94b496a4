// What carries a scalar through the sides of cells beyond a bounded scheme, taken as far as the
// scalar stays in its range [m, M] (flux-corrected transport):
//
//   A_e(c)   amount through the side below cell c along e, towards c              [q] L^Dim
//   q_low    bounded: the level that a step starts from, or all without A
//   q      = q_low + sum_sides share A / V,
//
//   share  = min(rise of the cell that gains, fall of the cell that loses)
//   rise   = min(1, V (M - q_low) / sum of the amounts that come in)              in [0, 1]
//   fall   = min(1, V (q_low - m) / sum of the amounts that go out)
//
// What leaves a cell enters the next one, so that the total is kept to rounding. Where A is of
// second order and nothing is near the ends of the range, share = 1 and q is that of the scheme.
// The range is that of the last two levels and of the sides. A source that is positive somewhere,
// or a flux into the box, takes away its upper end, a negative one the lower end.
//
// Where a step gives q with all of the amounts, and everywhere that lies within the range (but for
// rounding), it is the result: one decision for all cells of all processes, made on the device by
// a flag that the other passes read.
//
// Bytes per cell in 3D where a step gives q, nothing of which waits. In every step
//
//   range     the level 8, q 8                                                  16
//
// and where q leaves it
//
//   amounts   two velocities 48, two levels 16, amounts 24                      88
//   shares    amounts 24, q 8, rise and fall 16                                 48
//   result    rise and fall 16; where a share is not 1, amounts 24, q 16        16 to 56
//
// Where it gives q_low: two levels, and all the others.
//
// Source: S. T. Zalesak, J. Comput. Phys. 31, 1979, eqs. 6 to 13. Over 400 lines: the passes of
// one method hand each other their fields.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "linalg/base/fixed_point.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/bodies/along_surfaces.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// A part of the amounts: weight * (transport of q by a velocity).
template <int Dim>
struct AmountTerm {
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> q;  // with the ghosts of its time
  double weight;          // a time
};

// The amounts are the sum of two terms, less their upwind part where `upwind` is given: transport
// of that level, upwind and with its diffusion.
template <int Dim>
struct Amounts {
  ClosureView<Dim> closure;  // of the step
  AmountTerm<Dim> terms[2];
  ConstFieldView<Dim> upwind;  // null: the weights add up to 0, and the sides are those of the step
  AlongSurfaces<Dim> along{};  // of sharp bodies that conduct the scalar
};

// 0: within the box, or where it goes on; -1, 1: in its lower, upper side.
template <int Dim>
HODGE_HD int side_of_box(const SideKinds<Dim>& sides, const Index<Dim>& cells, int e,
                         const Index<Dim>& c) {
  if (c[e] == 0 && !sides.continues[e][0]) return -1;
  return c[e] == cells[e] && !sides.continues[e][1] ? 1 : 0;
}

// How the amount through a side of the box is split. What a condition brings belongs to the bounded
// part of a step, as the value in the side; where the side itself follows the flow (slope neither 1
// nor -1 in an open side) all that passes is corrected.
template <int Dim>
struct SideSplit {
  bool follows_flow;
  double factor;  // of (q in the cell), as the condition has it

  HODGE_HD SideSplit(const SideKinds<Dim>& sides, const ClosureView<Dim>& closure, int e, int side,
                     const Index<Dim>& inner) {
    const double slope = closure.slope(e, side, inner);
    follows_flow = sides.open[e][side] && slope != 1.0 && slope != -1.0;
    factor = slope != 1.0 ? 1.0 - slope : (closure.offset(e, side, inner) != 0.0 ? 0.0 : 2.0);
  }
};

template <int Dim, class Operator>
HODGE_HD double amount_in_side(const Operator& on, const Amounts<Dim>& of, int e, int side,
                               const Index<Dim>& c) {
  const Index<Dim> inner = side == 0 ? c : c.shifted(e, -1),
                   ghost = side == 0 ? c.shifted(e, -1) : c;
  const bool is_explicit = of.upwind.origin != nullptr;
  const SideSplit<Dim> split(on.sides, of.closure, e, side, inner);
  const double g = on.diffusivity * conductance(on, e, c);
  const double towards = side == 0 ? -1.0 : 1.0;  // the box's outside, along e
  double sum = 0.0;
  for (const AmountTerm<Dim>& term : of.terms) {
    const double flux = convecting_flux(on.grid, term.velocity, at_cells, e, c);
    const double base = is_explicit ? of.upwind(inner) : 0.0, here = term.q(inner);
    if (flux * towards > 0.0 || split.follows_flow)
      sum += term.weight * (carried_by(flux, on, term.q, false, e, c) - flux * base);
    const double beyond = term.q(ghost);
    if (split.follows_flow)
      sum += term.weight * towards * g * (here - beyond);
    else if (!is_explicit)
      sum += term.weight * towards * g * (1.0 - of.closure.slope(e, side, inner)) * here;
    else if (beyond != here)
      sum += term.weight * towards * g * split.factor * (here - base);
  }
  return sum;
}

// What a flux carries through a side within the box. The ghost next to a side of an implicit step
// is that of its closure: the values of sides that the step takes are not those of the levels.
template <int Dim, class Operator>
HODGE_HD double carried_within(double flux, const Operator& on, const Amounts<Dim>& of,
                               const ConstFieldView<Dim>& q, int e, const Index<Dim>& c) {
  const int side = flux >= 0.0 ? 0 : 1;
  const bool is_next = c[e] == (side == 0 ? 1 : on.grid.cells[e] - 1);
  if (!is_next || on.sides.continues[e][side] || of.upwind.origin != nullptr)
    return carried_by(flux, on, q, false, e, c);
  double s[5];
  values_along_flow(q, on.bodies, at_cells, e, flux, c, s);
  const Index<Dim> inner = side == 0 ? c.shifted(e, -1) : c;
  s[1] = of.closure.offset(e, side, inner) + of.closure.slope(e, side, inner) * s[2];
  return flux * side_value(on.scheme, s);
}

// Through the closed face below c: what the condition of a body there takes of the value beside it.
template <int Dim, class Operator>
HODGE_HD double amount_at_body(const Operator& on, const Amounts<Dim>& of, int e,
                               const Index<Dim>& c) {
  const Index<Dim> below = c.shifted(e, -1);
  const bool above = on.bodies.excludes(at_cells, below);
  const Index<Dim> inner = above ? c : below;
  if (on.bodies.excludes(at_cells, inner)) return 0.0;
  const double slope = on.bodies.beyond(at_cells, e, above ? 0 : 1, inner).slope;
  if (slope == 1.0) return 0.0;
  const double g = (above ? -1.0 : 1.0) * on.diffusivity * conductance(on, e, c) * (1.0 - slope);
  const double base = of.upwind.origin != nullptr ? of.upwind(inner) : 0.0;
  return g * (of.terms[0].weight * (of.terms[0].q(inner) - base) +
              of.terms[1].weight * (of.terms[1].q(inner) - base));
}

template <int Dim, class Operator>
HODGE_HD double amount_through(const Operator& on, const Amounts<Dim>& of, int e,
                               const Index<Dim>& c) {
  const int side = side_of_box(on.sides, on.grid.cells, e, c);
  const Index<Dim> below = c.shifted(e, -1);
  const bool is_between = !on.bodies.excludes(at_cells, c) && !on.bodies.excludes(at_cells, below);
  if (on.bodies.excludes(e, c) && !(may_vary<Operator> && is_between))
    return amount_at_body(on, of, e, c);
  if (side != 0) return amount_in_side(on, of, e, side < 0 ? 0 : 1, c);
  const double g = on.diffusivity * conductance(on, e, c);
  double sum = 0.0;
  for (const AmountTerm<Dim>& term : of.terms) {
    const double flux = convecting_flux(on.grid, term.velocity, at_cells, e, c);
    double carried = carried_within(flux, on, of, term.q, e, c) - g * (term.q(c) - term.q(below));
    if (of.upwind.origin != nullptr)
      carried -= flux * of.upwind(flux >= 0.0 ? below : c) - g * (of.upwind(c) - of.upwind(below));
    sum += term.weight * carried;
  }
  return sum;
}

// `on`: at cells.
template <int Dim, class Space, class Operator>
void compute_amounts(const Operator& on, const Amounts<Dim>& of,
                     VelocityField<Dim, Space>& amounts) {
  const VelocityView<Dim> a = amounts.view();
  Box<Dim> sides = amounts[0].layout().interior();
  for (int e = 0; e < Dim; ++e) ++sides.upper[e];
  linalg::for_each_guarded<Space>(sides, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    unrolled<Dim>([&](auto e) {
      bool is_side = true;
      unrolled<Dim>([&](auto d) { is_side = is_side && (d == e || c[d] < on.grid.cells[d]); });
      if (is_side) a[e](c) = amount_through(on, of, e, c);
    });
  });
}

// Heat along surfaces belongs to the amounts: where these are limited without it, what is left is a
// step of explicit diffusion, which is unstable.
template <int Dim, class Space>
void add_amounts_along_surfaces(const Amounts<Dim>& of, VelocityField<Dim, Space>& amounts) {
  const VelocityView<Dim> a = amounts.view();
  linalg::for_each<Space>(of.along.face_count, [=] HODGE_LAMBDA(int i) {
    const FluxAlongSurface<Dim>& face = of.along.faces[i];
    double sum = 0.0;
    for (const AmountTerm<Dim>& term : of.terms) sum += term.weight * of.along.flux(i, term.q);
    a[face.axis](face.c) += sum;
  });
}

// The numbers x >= 0 in reverse order, without rounding: of the least one it is the largest. It is
// its own inverse. No number where x is none.
HODGE_HD inline double reversed(double x) {
  constexpr std::uint64_t largest = 0x7fefffffffffffff;
  return linalg::fixed_point::double_of(largest - linalg::fixed_point::bits_of(x));
}

// From maxima that begin at 0: the largest value and the largest -value, reversed() of the least
// value >= 0 and of that <= 0 nearest to it.
struct ScalarRange {
  double least, largest;

  HODGE_HD explicit ScalarRange(const double (&r)[4])
      : least(r[1] > 0.0 ? -r[1] : (r[2] > 0.0 ? reversed(r[2]) : 0.0)),
        largest(r[0] > 0.0 ? r[0] : (r[3] > 0.0 ? -reversed(r[3]) : 0.0)) {}
};

// Maxima: the ranges of levels and of the result; the range of what comes in through sides and
// bodies, and whether it has no upper, no lower end.
inline constexpr int level_results = 8, entering_results = 6;
inline constexpr int range_results = level_results + entering_results;
struct MeasuredRange {
  ScalarRange bounds, result;

  HODGE_HD explicit MeasuredRange(const double* r)
      : bounds({fmax(r[0], r[8]), fmax(r[1], r[9]), fmax(r[2], r[10]), fmax(r[3], r[11])}),
        result({r[4], r[5], r[6], r[7]}) {
    if (r[12] > 0.0) bounds.largest = 1e300;
    if (r[13] > 0.0) bounds.least = -1e300;
  }
  HODGE_HD bool keeps_result() const {
    constexpr double rounding = 1e-14;  // of the largest value
    const double size = std::fmax(std::fabs(result.least), std::fabs(result.largest));
    return result.least >= bounds.least - rounding * size &&
           result.largest <= bounds.largest + rounding * size;
  }
};

HODGE_HD inline void widen(double* value, double q) {
  const double from_end = reversed(std::fabs(q));
  if (q > value[0]) value[0] = q;
  if (-q > value[1]) value[1] = -q;
  if (q >= 0.0 && from_end > value[2]) value[2] = from_end;
  if (q <= 0.0 && from_end > value[3]) value[3] = from_end;
}
// What comes in without a value that bounds it.
HODGE_HD inline void unbound(double* value, double gain) {
  if (gain > 0.0) value[4] = 1.0;
  if (gain < 0.0) value[5] = 1.0;
}

// What the range is that of.
template <int Dim>
struct RangeSources {
  SideKinds<Dim> sides;
  ConstFieldView<Dim> level, before;  // before: may be null
  Amounts<Dim> amounts;
  Forcing<Dim> forcing[2];
  ConstFieldView<Dim> result;          // with all of the amounts; null: not known
  BodyView<Dim> bodies{};              // with conditions for the scalar; or none
  ConstFieldView<Dim> gain{}, loss{};  // through surfaces in cells (scalar_bodies.hpp); or null
  // Of the whole box, whoever has them: whether there are such bodies, and sides where fluid ends.
  bool has_bodies = false, has_sides = true;

  bool enters_in_cells() const {
    return forcing[0].any() || forcing[1].any() || has_bodies || bodies.any();
  }
  // By the values that bodies have or that are beyond their surfaces.
  HODGE_HD void widen_by_bodies(double* value, const Index<Dim>& c) const {
    if (!bodies.any()) return;
    if (gain.origin != nullptr) {
      if (loss(c) > 0.0)
        widen(value, gain(c) / loss(c));
      else
        unbound(value, gain(c));
    }
    for_each_side<Dim>([&](auto e, auto side) {
      if (!bodies.excludes(at_cells, c.shifted(e, side == 0 ? -1 : 1))) return;
      const AffineClosure beyond = bodies.beyond(at_cells, e, side, c);
      if (beyond.slope == 1.0)
        unbound(value, beyond.offset);
      else
        widen(value, beyond.offset / (1.0 - beyond.slope));
    });
  }

  HODGE_HD void widen_by_side(double* value, int e, int side, const Index<Dim>& c) const {
    const ClosureView<Dim>& closure = amounts.closure;
    if (sides.continues[e][side] || closure.offsets[e][side] == nullptr) return;
    const double slope = closure.slope(e, side, c), offset = closure.offset(e, side, c);
    if (slope == 1.0) unbound(value, offset);
    if (amounts.upwind.origin == nullptr) {
      if (slope != 1.0) widen(value, offset / (1.0 - slope));
      return;
    }
    if (SideSplit<Dim>(sides, closure, e, side, c).follows_flow) return;
    for (const AmountTerm<Dim>& term : amounts.terms) {
      const double here = term.q(c), beyond = term.q(c.shifted(e, side == 0 ? -1 : 1));
      const double by = slope != 1.0 ? slope : -1.0;
      if (beyond != here && !(slope == 1.0 && offset != 0.0))
        widen(value, (beyond - by * here) / (1.0 - by));
    }
  }
};

template <int Dim, class Space>
void measure_levels(const RangeSources<Dim>& of, const Unknowns<Dim>& cells, double* results) {
  using enum linalg::Reduction;
  const ConstFieldView<Dim> level = of.level, before = of.before, result = of.result;
  linalg::reduce<Space>(
      cells.box, linalg::Kinds<max, max, max, max, max, max, max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[level_results]) {
        unrolled<level_results>([&](auto k) { value[k] = 0.0; });
        if (!cells.contains(c)) return;
        widen(value, level(c));
        if (before.origin != nullptr) widen(value, before(c));
        if (result.origin != nullptr) widen(value + 4, result(c));
      },
      results);
}

// What comes in: in the cells, or through the sides of the box alone.
template <int Dim, class Space>
void measure_entering_in_cells(const RangeSources<Dim>& of, const Unknowns<Dim>& cells,
                               double* results) {
  using enum linalg::Reduction;
  linalg::reduce<Space>(
      cells.box, linalg::Kinds<max, max, max, max, max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[entering_results]) {
        for (double& v : value) v = 0.0;
        if (!cells.contains(c)) return;
        for (const Forcing<Dim>& forcing : of.forcing)
          if (forcing.any()) unbound(value, forcing_at(forcing, c));
        of.widen_by_bodies(value, c);
        for (int e = 0; e < Dim; ++e)
          for (int side = 0; side < 2; ++side)
            if (c[e] == SideIndices{cells.box.upper[e], side}.inner(1))
              of.widen_by_side(value, e, side, c);
      },
      results);
}
template <int Dim, class Space>
void measure_entering_through_sides(const RangeSources<Dim>& of, const Unknowns<Dim>& cells,
                                    double* results) {
  using enum linalg::Reduction;
  const CellsBesideSides<Dim> beside{cells.box.upper};
  linalg::reduce<Space>(
      beside.box(), linalg::Kinds<max, max, max, max, max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& at, double(&value)[entering_results]) {
        for (double& v : value) v = 0.0;
        beside.visit(at, [&](int e, int side, const Index<Dim>& c) {
          if (cells.contains(c)) of.widen_by_side(value, e, side, c);
        });
      },
      results);
}

template <int Dim, class Space>
void measure_range(const RangeSources<Dim>& of, const Unknowns<Dim>& cells,
                   linalg::Buffer<double, Space>& results) {
  measure_levels<Dim, Space>(of, cells, results.data());
  double* const entering = results.data() + level_results;
  if (of.enters_in_cells())
    measure_entering_in_cells<Dim, Space>(of, cells, entering);
  else if (of.has_sides)
    measure_entering_through_sides<Dim, Space>(of, cells, entering);
  else
    linalg::for_each<Space>(entering_results, [=] HODGE_LAMBDA(int k) { entering[k] = 0.0; });
}

// The amounts with the shares that cells may take of them.
template <int Dim>
struct SharedAmounts {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  ConstVelocityView<Dim> amounts;
  ConstFieldView<Dim> rise, fall;
  FaceCoefficient<Dim> coefficient;  // its capacity

  HODGE_HD double share(int e, const Index<Dim>& c) const {
    const int side = side_of_box(sides, grid.cells, e, c);
    const Index<Dim> below = c.shifted(e, -1);
    const bool upwards = amounts[e](c) >= 0.0;
    const double above = side > 0 ? 1.0 : (upwards ? rise(c) : fall(c));
    const double beneath = side < 0 ? 1.0 : (upwards ? fall(below) : rise(below));
    return above < beneath ? above : beneath;
  }
  // All shares of the cell are 1.
  HODGE_HD bool are_whole(const Index<Dim>& c) const {
    const auto is_whole = [&](const Index<Dim>& of) { return rise(of) == 1.0 && fall(of) == 1.0; };
    bool all = is_whole(c);
    unrolled<Dim>(
        [&](auto e) { all = all && is_whole(c.shifted(e, -1)) && is_whole(c.shifted(e, 1)); });
    return all;
  }
  // What the cell gets, over its volume: of the amounts' shares, or of what these leave.
  HODGE_HD double gain(const Index<Dim>& c, bool of_rest) const {
    double sum = 0.0;
    unrolled<Dim>([&](auto e) {
      const Index<Dim> next = c.shifted(e, 1);
      const double in = share(e, c), out = share(e, next);
      sum += (of_rest ? 1.0 - in : in) * amounts[e](c) -
             (of_rest ? 1.0 - out : out) * amounts[e](next);
    });
    return sum * grid.inverse_control_volume(at_cells, c) / coefficient.capacity_at(c);
  }
};

// `q` is q_low, or where `is_complete` q_low with all amounts.
template <int Dim, class Space>
void measure_shares(const TransportOperator<Dim>& on, const Unknowns<Dim>& cells,
                    const ConstVelocityView<Dim>& amounts, const ConstFieldView<Dim>& q,
                    bool is_complete, const double* range, Field<Dim, Space>& rises,
                    Field<Dim, Space>& falls) {
  const FieldView<Dim> rise = rises.view(), fall = falls.view();
  const GridView<Dim> grid = on.grid;
  const FaceCoefficient<Dim> of = on.coefficient;
  linalg::for_each_guarded<Space>(cells.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    rise(c) = fall(c) = 1.0;
    if (!cells.contains(c)) return;
    const ScalarRange bounds = MeasuredRange(range).bounds;
    double in = 0.0, out = 0.0;
    unrolled<Dim>([&](auto e) {
      const double below = amounts[e](c), above = amounts[e](c.shifted(e, 1));
      in += (below > 0.0 ? below : 0.0) - (above < 0.0 ? above : 0.0);
      out += (above > 0.0 ? above : 0.0) - (below < 0.0 ? below : 0.0);
    });
    const double volume = of.capacity_at(c) * grid.control_volume(at_cells, c);
    const double low = is_complete ? q(c) - (in - out) / volume : q(c);
    const auto share = [volume](double room, double amount) {
      if (!(amount > 0.0)) return 1.0;
      const double most = (room > 0.0 ? room : 0.0) * volume;
      return most < amount ? most / amount : 1.0;
    };
    rise(c) = share(bounds.largest - low, in);
    fall(c) = share(low - bounds.least, out);
  });
}

// Room for the amounts of one scalar.
template <int Dim, class Space>
struct LimitScratch {
  explicit LimitScratch(const Layout<Dim>& layout)
      : amounts(layout), rise(layout), fall(layout), level(layout) {}

  VelocityField<Dim, Space> amounts;
  Field<Dim, Space> rise, fall;
  Field<Dim, Space> level;  // from which an implicit step starts
  linalg::Buffer<double, Space> range{range_results};
  linalg::Buffer<int, Space> keeps_result{1};  // 0: it has to be limited
};

// While it lives, guarded loops do nothing where the flag is raised.
template <class Space>
struct GuardedBy {
  explicit GuardedBy(const int* flag) { Space::set_guard(flag); }
  ~GuardedBy() { Space::set_guard(nullptr); }
  GuardedBy(const GuardedBy&) = delete;
  GuardedBy& operator=(const GuardedBy&) = delete;
};

// result := q_low with what fits of the amounts, in fluid cells. `q` as in measure_shares; may be
// the result, and is where `of` has one.
template <int Dim, class Space>
void add_limited_amounts(const TransportOperator<Dim>& on, const Unknowns<Dim>& cells,
                         const RangeSources<Dim>& of, const Field<Dim, Space>& q,
                         LimitScratch<Dim, Space>& scratch, Field<Dim, Space>& result) {
  const bool is_complete = of.amounts.upwind.origin != nullptr;
  measure_range(of, cells, scratch.range);
  if (of.result.origin != nullptr) {
    const double* const range = scratch.range.data();
    int* const keeps = scratch.keeps_result.data();
    linalg::for_each<Space>(
        1, [=] HODGE_LAMBDA(int) { *keeps = MeasuredRange(range).keeps_result() ? 1 : 0; });
  }
  const GuardedBy<Space> guarded(of.result.origin != nullptr ? scratch.keeps_result.data()
                                                             : nullptr);
  if (on.coefficient.varies())
    compute_amounts(on, of.amounts, scratch.amounts);
  else
    compute_amounts(with_constant_diffusivity(on, Fixed<at_cells>{}, on.scheme, on.grid),
                    of.amounts, scratch.amounts);
  add_amounts_along_surfaces(of.amounts, scratch.amounts);
  const ConstVelocityView<Dim> amounts = std::as_const(scratch.amounts).view();
  measure_shares(on, cells, amounts, q.view(), is_complete, scratch.range.data(), scratch.rise,
                 scratch.fall);
  fill_pressure_ghosts(std::array{&scratch.rise, &scratch.fall}, on.sides, {});
  const SharedAmounts<Dim> shared{on.grid,
                                  on.sides,
                                  amounts,
                                  std::as_const(scratch.rise).view(),
                                  std::as_const(scratch.fall).view(),
                                  on.coefficient};
  const ConstFieldView<Dim> from = q.view();
  const FieldView<Dim> to = result.view();
  linalg::for_each_guarded<Space>(cells.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!cells.contains(c)) return;
    if (is_complete && from.origin == to.origin && shared.are_whole(c)) return;
    to(c) = from(c) + (is_complete ? -shared.gain(c, true) : shared.gain(c, false));
  });
}

}  // namespace hodge::sim
