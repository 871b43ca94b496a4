// The conditions of one field (a velocity component or a scalar) on the sides of the box, as the
// offsets and slopes of its closure, refreshed on the device at every step that changes them.
// Formulas are means over the part of the side that belongs to a value (grid/mean_boxes.hpp).
//
//   condition     in the side or along it                       offset, slope
//   value         q = w                                         2 w, -1       (in the side: w, 0)
//   flux          D dq/dn = g, n outwards                       g delta / D, 1
//   convective    -D dq/dn = k (q - w)                          k w / s, (D/delta - k/2) / s,
//                                                                            s = D/delta + k/2
//   outflow       (a0 q + a1 q^n + a2 q^{n-1}) / dt + c dq/dn = 0 for the value beyond,
//                 C = c dt / delta:                             -(a1 q^n + a2 q^{n-1}) / (a0 + C),
//                                                                            C / (a0 + C)
//   entering      q = w where the fluid enters, else dq/dn = 0  2 w, -1; 0, 1
//   free          dq/dn = 0 of a velocity along the side; where
//                 fluid enters, entering.hpp takes some off     0, its slope
//
// delta is the distance of the two values. The speed c of leaving is the local outward velocity, at
// least the mean one over the open faces of the side: implicit, so stable for every step. Where it
// is slower than diffusion over a cell, P = c delta / D < 1, it is divided by P^2, at most
// 1000 D / delta: what diffuses has no gradient there, to (D / c) dq/dt.
// Source of the outflow condition: I. Orlanski, J. Comput. Phys. 21, 1976.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/processes/agree.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/closure.hpp"
#include "sim/discrete/boundaries/entering.hpp"
#include "sim/discrete/boundaries/side_formula.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::sim {

struct FieldSide {
  Condition condition = Condition::none;
  Expression value = 0, coefficient = 0;

  bool has_value() const {
    return condition == Condition::value || condition == Condition::flux ||
           condition == Condition::convective || condition == Condition::entering;
  }
  bool slope_changes() const { return follows_velocity() || coefficient.depends_on_time(); }
  bool changes() const {
    return follows_velocity() || value.depends_on_time() || coefficient.depends_on_time();
  }
  bool follows_velocity() const {
    return condition == Condition::outflow || condition == Condition::entering ||
           condition == Condition::free;
  }
};

using FieldSides = std::array<std::array<FieldSide, 2>, 3>;

// The new time level as outflow conditions see it.
template <int Dim>
struct BoundaryStep {
  double time = 0;  // new
  double dt = 0;
  TimeWeights weights{};
  ConstVelocityView<Dim> convecting;  // u^
  SideFlows<Dim> side_flows;
  double open_area[Dim][2] = {};               // of the sides
  ConstFieldView<Dim> old_level, older_level;  // q^n, q^{n-1}; null: dq/dn = 0
  double limited_ratio = 0;  // r = dt / dt before of a limited scalar (time/limited_scalars.hpp)
  FaceCoefficient<Dim> coefficient;  // of the field's diffusivity
};

// One side of one field, as its kernel sees it.
template <int Dim>
struct SideView : SidePoints<Dim> {
  Condition condition;
  double diffusivity;
  const double *value, *coefficient;  // means of formulas at the new time, over the padded layer
  BodyView<Dim> bodies;
  FaceCoefficient<Dim> of_diffusivity;

  // In the side, for the value at c.
  HODGE_HD double diffusivity_at(const Index<Dim>& c) const {
    return diffusivity *
           of_diffusivity.at(this->location, this->axis, with(c, this->axis, this->at.face()));
  }
  HODGE_HD double of(const double* means, const Index<Dim>& c) const {
    return means[layer_position(this->grid.cells, this->axis, c)];
  }
};

// Outward velocity at the side, for the value at c along it.
template <int Dim>
HODGE_HD double outward_speed(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                              const Index<Dim>& c) {
  const Index<Dim> face = with(c, on.axis, on.at.face());
  const FieldView<Dim, const double>& u = step.convecting[on.axis];
  const bool between =
      on.location != at_cells && on.location != on.axis && c[on.location] > -ghost_width;
  const double local = between ? 0.5 * (u(face) + u(face.shifted(on.location, -1))) : u(face);
  return on.at.side == 0 ? -local : local;
}

// The speed c of the outflow condition.
template <int Dim>
HODGE_HD double leaving_speed(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                              const Index<Dim>& c) {
  constexpr double slowest = 1e-3;  // in the speed of diffusion
  const double area = step.open_area[on.axis][on.at.side];
  const double mean = area > 0.0 ? step.side_flows.of[on.axis][on.at.side]->outward / area : 0.0;
  const double outward = outward_speed(on, step, c);
  const double speed = outward > mean ? outward : mean;
  const double diffusion = on.diffusivity_at(c) / on.distance();
  if (speed >= diffusion || diffusion <= 0.0) return speed > 0.0 ? speed : 0.0;
  return diffusion * (diffusion / (speed > slowest * diffusion ? speed : slowest * diffusion));
}

// Of a velocity component along the side, where fluid enters.
template <int Dim>
HODGE_HD AffineClosure entering_velocity(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                                         const Index<Dim>& c) {
  const double inward = -outward_speed(on, step, c);
  if (inward <= 0.0) return {0.0, 1.0};
  const double share = entering_share(step.side_flows.of[on.axis][on.at.side]);
  const double friction = on.diffusivity_at(c) / on.distance();
  return {0.0, (friction + 0.5 * inward * share) / (friction + 0.5 * inward)};
}

// Of a scalar.
template <int Dim>
HODGE_HD AffineClosure entering_closure(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                                        const Index<Dim>& c) {
  if (outward_speed(on, step, c) >= 0.0) return {0.0, 1.0};
  return {2.0 * on.of(on.value, c), -1.0};
}

// The value beyond from which an outflow starts: q^n, of limited scalars with the correction that
// makes a step of backward Euler second-order accurate, within the range of what it is made of.
template <int Dim>
HODGE_HD double limited_outflow_start(const BoundaryStep<Dim>& step, double courant,
                                      const Index<Dim>& beyond, const Index<Dim>& inner) {
  const double q[4] = {step.old_level(beyond), step.older_level(beyond), step.old_level(inner),
                       step.older_level(inner)};
  double least = q[0], largest = q[0];
  for (const double value : q) {
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  const double start = q[0] - 0.5 * step.limited_ratio * courant * ((q[2] - q[0]) - (q[3] - q[1]));
  return start < least ? least : start > largest ? largest : start;
}

template <int Dim>
HODGE_HD AffineClosure outflow_closure(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                                       const Index<Dim>& c) {
  if (step.old_level.origin == nullptr) return {0.0, 1.0};
  if (on.location != at_cells && outward_speed(on, step, c) < 0.0)
    return entering_velocity(on, step, c);
  const Index<Dim> beyond =
      with(c, on.axis, on.location == on.axis ? on.at.face() : on.at.ghost(1));
  const double courant = leaving_speed(on, step, c) * step.dt / on.distance();
  if (step.limited_ratio > 0.0) {
    const Index<Dim> inner = with(c, on.axis, on.at.inner(1));
    return {limited_outflow_start(step, courant, beyond, inner) / (1.0 + courant),
            courant / (1.0 + courant)};
  }
  const TimeWeights& w = step.weights;
  const double history = w.a1 * step.old_level(beyond) + w.a2 * step.older_level(beyond);
  return {-history / (w.a0 + courant), courant / (w.a0 + courant)};
}

template <int Dim>
HODGE_HD AffineClosure convective_closure(const SideView<Dim>& on, const Index<Dim>& c) {
  const double conductance = on.diffusivity_at(c) / on.distance();
  const double half = 0.5 * on.of(on.coefficient, c);
  // A negative coefficient would feed the field without bound. The run ends as at any formula that
  // is no number, and names this one (flow/formula_check.hpp).
  if (half < -coefficient_round_off * conductance) return {NAN, NAN};
  const double sum = conductance + half;
  if (!(sum > 0.0)) return {0.0, 1.0};
  return {2.0 * half / sum * on.of(on.value, c), (conductance - half) / sum};
}

template <int Dim>
HODGE_HD AffineClosure closure_at(const SideView<Dim>& on, const BoundaryStep<Dim>& step,
                                  const Index<Dim>& c) {
  if (on.location == on.axis && on.bodies.excludes(on.axis, with(c, on.axis, on.at.face())))
    return {0.0, 0.0};
  if (on.condition == Condition::outflow) return outflow_closure(on, step, c);
  if (on.condition == Condition::entering) return entering_closure(on, step, c);
  if (on.condition == Condition::free)
    return step.convecting[0].origin ? entering_velocity(on, step, c) : AffineClosure{0.0, 1.0};
  if (on.condition == Condition::convective) return convective_closure(on, c);
  const double value = on.of(on.value, c);
  if (on.condition == Condition::flux)
    return {value == 0.0 ? 0.0 : value * on.distance() / on.diffusivity_at(c), 1.0};
  const bool in_side = on.location == on.axis;
  return {in_side ? value : 2.0 * value, in_side ? 0.0 : -1.0};
}

template <int Dim, class Space>
void refresh_side(const SideView<Dim>& on, const BoundaryStep<Dim>& step, const Box<Dim>& layer,
                  const ClosureView<Dim>& closure, double* offsets, double* slopes) {
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const AffineClosure at = closure_at(on, step, c);
    const int position = closure.position(on.axis, c);
    offsets[position] = at.offset;
    slopes[position] = at.slope;
  });
}

template <int Dim, class Space>
class FieldBoundary {
 public:
  FieldBoundary(int location, const FieldSides& sides, double diffusivity,
                const DeviceGrid<Dim, Space>& grid, const BodyView<Dim>& bodies,
                const PlacesInSides<Dim>* places = nullptr)
      : location_(location),
        diffusivity_(diffusivity),
        layout_(grid.layout()),
        grid_(grid.view()),
        bounds_(grid.bounds()),
        bodies_(bodies) {
    for (const auto [axis, side] : sides_of_box(Dim)) {
      conditions_[axis][side] = sides[axis][side].condition;
      if (!has_layer(conditions_[axis][side])) continue;
      const auto size = static_cast<std::size_t>(layer(layout_, axis).size());
      offsets_[axis][side] = linalg::Buffer<double, Space>(size);
      slopes_[axis][side] = linalg::Buffer<double, Space>(size);
      if (places != nullptr)
        places_[axis][side] = linalg::Buffer<double, Space>(
            std::span<const double>(places->of[location][axis][side]));
    }
    change_values(sides);
  }

  // From the next refresh on values and coefficients are these; the conditions are the same.
  // Collective.
  void change_values(const FieldSides& sides) {
    slopes_change_ = false;
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const FieldSide& at = sides[axis][side];
      changes_[axis][side] = at.changes();
      slopes_change_ = slopes_change_ || at.slope_changes();
      if (!has_layer(at.condition)) continue;
      if (at.has_value())
        values_[axis][side] = {at.value, points(axis, side), layer(layout_, axis)};
      if (at.condition == Condition::convective)
        coefficients_[axis][side] = {at.coefficient, points(axis, side), layer(layout_, axis)};
    }
    slopes_change_ = is_anywhere(slopes_change_);
    filled_ = false;
  }

  // Of every side whose condition depends on time, and at first of all others.
  void refresh(const BoundaryStep<Dim>& step) {
    for (const auto [axis, side] : sides_of_box(Dim))
      if (has_layer(conditions_[axis][side]) && (changes_[axis][side] || !filled_))
        refresh(step, axis, side);
    filled_ = true;
  }

  // Constant ones are filled already, from the same formulas.
  void visit_state(StateVisitor& visitor, const std::string& name) {
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const bool is_here = has_layer(conditions_[axis][side]) && changes_[axis][side];
      if (!is_anywhere(is_here)) continue;
      const std::string here = name + "/" + std::to_string(2 * axis + side);
      const ListedPoints list = listed_side(axis, side);
      visit_list_in_space(visitor, here + "/offsets", layout_, list, offsets_[axis][side]);
      visit_list_in_space(visitor, here + "/slopes", layout_, list, slopes_[axis][side]);
    }
  }

  ClosureView<Dim> view() const {
    ClosureView<Dim> view{};
    view.cells = layout_.cells;
    view.slopes_change = slopes_change_;
    for (int axis = 0; axis < Dim; ++axis) {
      view.periodic[axis] = conditions_[axis][0] == Condition::periodic;
      for (int side = 0; side < 2; ++side) {
        view.offsets[axis][side] = offsets_[axis][side].data();
        view.slopes[axis][side] = slopes_[axis][side].data();
      }
    }
    return view;
  }

  // Offsets of a side, to be corrected in place: once, or after every refresh of a side that is
  // always refreshed.
  double* offsets(int axis, int side) { return offsets_[axis][side].data(); }
  void refresh_always(int axis, int side) { changes_[axis][side] = true; }

 private:
  static bool has_layer(Condition condition) {
    return condition != Condition::none && condition != Condition::periodic;
  }
  // Whether that is so in any process. Collective.
  bool is_anywhere(bool is_here) const {
    if (layout_.halo == nullptr) return is_here;
    return linalg::greatest({.processes = &layout_.halo->processes()}, is_here ? 1.0 : 0.0) > 0;
  }

  SidePoints<Dim> points(int axis, int side) const {
    return {grid_,
            bounds_,
            location_,
            axis,
            SideIndices{layout_.cells[axis], side},
            places_[axis][side].data()};
  }

  void refresh(const BoundaryStep<Dim>& step, int axis, int side) {
    const SideView<Dim> on{points(axis, side),
                           conditions_[axis][side],
                           diffusivity_,
                           values_[axis][side].at(step.time),
                           coefficients_[axis][side].at(step.time),
                           bodies_,
                           step.coefficient};
    refresh_side<Dim, Space>(on, step, layer(layout_, axis), view(), offsets_[axis][side].data(),
                             slopes_[axis][side].data());
  }

  int location_;
  double diffusivity_;
  Layout<Dim> layout_;
  GridView<Dim> grid_;
  BoxBounds<Dim> bounds_;
  BodyView<Dim> bodies_;
  std::array<std::array<Condition, 2>, Dim> conditions_{};
  std::array<std::array<bool, 2>, Dim> changes_{};
  std::array<std::array<SideFormula<Dim, Space>, 2>, Dim> values_, coefficients_;
  std::array<std::array<linalg::Buffer<double, Space>, 2>, Dim> offsets_, slopes_, places_;
  bool filled_ = false, slopes_change_ = false;
};

}  // namespace hodge::sim
