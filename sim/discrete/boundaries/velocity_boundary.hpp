// The conditions of a velocity on the sides of the box.
//
//   wall, inflow   value, of all components
//   slip           across the side 0, along it no shear
//   outflow        along the side outflow; across it the velocity is an unknown
//   pressure       along the side no gradient; across it the velocity is an unknown
//
// In regions that no open side drains what enters must leave (inflow_balance.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "linalg/vectors/scalar.hpp"
#include "sim/discrete/boundaries/field_boundary.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/boundaries/inflow_balance.hpp"

namespace hodge::sim {

// Across an open side the velocity is an unknown; the value stands for none.
inline FieldSide velocity_side(const Side& side, int axis, int component) {
  const SideTraits& traits = side.traits();
  if (traits.is_periodic()) return {Condition::periodic};
  if (traits.is_shared()) return {};
  if (traits.takes_velocity()) return {Condition::value, side.velocity[component]};
  return {component == axis ? Condition::value : traits.along};
}

// Mean of the outward velocity over a side of the box.
template <int Dim, class Space>
void mean_outward_speed(const GridView<Dim>& grid, const Box<Dim>& faces,
                        const ConstFieldView<Dim>& u, int axis, int side, double area,
                        double* result) {
  const int face = SideIndices{grid.cells[axis], side}.face();
  const double factor = (side == 0 ? -1.0 : 1.0) / area;
  linalg::reduce<Space, 1>(
      faces, {linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = factor * grid.face_area(axis, c) * u(with(c, axis, face));
      },
      result);
}

template <int Dim, class Space>
class VelocityBoundary {
 public:
  // `boundaries`: the sides of the whole box.
  VelocityBoundary(const Boundaries& boundaries, const DeviceGrid<Dim, Space>& grid,
                   const BodyView<Dim>& bodies, const ClosedInflow& inflow = {})
      : grid_(grid.view()),
        layout_(grid.layout()),
        sides_(side_kinds<Dim>(sides_of_part(boundaries, grid.layout()))),
        sides_of_box_(side_kinds<Dim>(boundaries)),
        balance_(inflow, grid.layout(), boundaries) {
    for (int d = 0; d < Dim; ++d) {
      FieldSides sides;
      const Boundaries here = sides_of_part(boundaries, grid.layout());
      for (const auto [axis, side] : sides_of_box(Dim))
        sides[axis][side] = velocity_side(here.sides[axis][side], axis, d);
      components_.emplace_back(d, sides, 0.0, grid, bodies);
    }
    for (const auto [axis, side] : sides_of_box(Dim))
      area_[axis][side] = grid.box_volume() / grid.length(axis);
    for (const ClosedInflow::OfSide& side : inflow.sides)
      if (inflow.changes) components_[side.axis].refresh_always(side.axis, side.side);
  }

  const SideKinds<Dim>& sides() const { return sides_; }
  const SideKinds<Dim>& sides_of_whole_box() const { return sides_of_box_; }
  bool has_outflow() const { return has_open_side(sides_of_box_); }

  VelocityClosures<Dim> closures() const {
    VelocityClosures<Dim> view{};
    for (int d = 0; d < Dim; ++d) view.component[d] = components_[d].view();
    view.sides = sides_;
    return view;
  }
  ClosureView<Dim> closure(int d) const { return components_[d].view(); }

  // What scalars need of the velocity at their outflow sides; mean speeds are of the last refresh.
  BoundaryStep<Dim> step(double time, double dt, const TimeWeights& w,
                         const ConstVelocityView<Dim>& convecting) const {
    BoundaryStep<Dim> step;
    step.time = time;
    step.dt = dt;
    step.weights = w;
    step.convecting = convecting;
    step.mean_speeds = mean_speeds();
    return step;
  }
  MeanSpeeds<Dim> mean_speeds() const {
    MeanSpeeds<Dim> speeds;
    for (const auto [axis, side] : sides_of_box(Dim))
      if (sides_.open[axis][side]) speeds.outward[axis][side] = mean_speed_[axis][side].data();
    return speeds;
  }

  void measure_outflow(const ConstVelocityView<Dim>& convecting) {
    for (const auto [axis, side] : sides_of_box(Dim)) {
      if (!sides_of_box_.open[axis][side]) continue;
      Box<Dim> faces = side_faces(layout_, axis);
      if (!sides_.open[axis][side]) faces.upper = faces.lower;  // beside another process's cells
      mean_outward_speed<Dim, Space>(grid_, faces, convecting[axis], axis, side, area_[axis][side],
                                     mean_speed_[axis][side].data());
    }
  }

  void visit_state(StateVisitor& visitor) {
    for (int d = 0; d < Dim; ++d)
      components_[d].visit_state(visitor, std::string("velocity/") + velocity_names[d] + "/sides");
    balance_.visit_state(visitor);
  }

  // The levels q^n, q^{n-1} of the components; without them outflow sides have no gradient.
  void refresh(BoundaryStep<Dim> step, const ConstVelocityView<Dim>* old_level,
               const ConstVelocityView<Dim>* older_level) {
    for (int d = 0; d < Dim; ++d) {
      step.old_level = old_level ? (*old_level)[d] : ConstFieldView<Dim>{};
      step.older_level = older_level ? (*older_level)[d] : step.old_level;
      components_[d].refresh(step);
    }
    balance_.apply(grid_, components_, step.time);
  }

  const InflowBalance<Dim, Space>& balance() const { return balance_; }

 private:
  GridView<Dim> grid_;
  Layout<Dim> layout_;
  SideKinds<Dim> sides_, sides_of_box_;  // of these cells, and of the whole box
  std::vector<FieldBoundary<Dim, Space>> components_;
  InflowBalance<Dim, Space> balance_;
  double area_[Dim][2] = {};
  linalg::Scalar<Space> mean_speed_[Dim][2];
};

}  // namespace hodge::sim
