// The conditions of a velocity on the sides of the box.
//
//   wall, inflow   value, of all components
//   slip           across the side 0, along it no shear
//   outflow        along the side outflow; across it the velocity is an unknown
//   pressure       along the side no gradient; across it the velocity is an unknown
//
// In regions that no open side drains what enters must leave (inflow_balance.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "linalg/base/sum_tiles.hpp"
#include "linalg/vectors/parallel.hpp"
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

template <int Dim, class Space>
double smallest_extent(const DeviceGrid<Dim, Space>& grid, int axis) {
  double smallest = std::numeric_limits<double>::max();
  for (int e = 0; e < Dim; ++e)
    if (e != axis) smallest = std::min(smallest, grid.length(e));
  return smallest;
}

// Of the faces of a side.
template <int Dim, class Space>
double open_area(const GridView<Dim>& grid, const BodyView<Dim>& bodies, const Box<Dim>& faces,
                 int axis, int side) {
  const int face = SideIndices{grid.cells[axis], side}.face();
  return linalg::reduce_to_host<Space, 1>(
      faces, {linalg::Reduction::sum}, [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = bodies.open(axis, with(c, axis, face)) * grid.face_area(axis, c);
      })[0];
}

template <int Dim, class Space>
void measure_side_flow(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                       const Box<Dim>& faces, const ConstVelocityView<Dim>& u, int axis, int side,
                       double extent, SideFlow* result) {
  const int face = SideIndices{grid.cells[axis], side}.face();
  const int inner = SideIndices{grid.cells[axis], side}.inner(1);
  linalg::reduce<Space>(
      faces, linalg::Sums<side_flow_sums>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[side_flow_sums]) {
        const SideFlow at = side_flow_at(grid, bodies.open(axis, with(c, axis, face)), u, axis,
                                         side, extent, with(c, axis, inner));
        value[0] = at.outward;
        value[1] = at.entering;
        value[2] = at.energy;
        value[3] = at.deviation;
      },
      &result->outward);  // and what follows it
}

template <int Dim, class Space>
class VelocityBoundary {
 public:
  // `boundaries`: the sides of the whole box. Collective.
  VelocityBoundary(const Boundaries& boundaries, const DeviceGrid<Dim, Space>& grid,
                   const BodyView<Dim>& bodies, double viscosity, const ClosedInflow& inflow = {},
                   const PlacesInSides<Dim>& places = {})
      : grid_(grid.view()),
        bodies_(bodies),
        layout_(grid.layout()),
        sides_(side_kinds<Dim>(sides_of_part(boundaries, grid.layout()))),
        sides_of_box_(side_kinds<Dim>(boundaries)),
        balance_(inflow, grid.layout(), boundaries) {
    for (int d = 0; d < Dim; ++d)
      components_.emplace_back(d, sides_of_component(boundaries, d), viscosity, grid, bodies,
                               &places);
    const linalg::SummingOver box(layout_.whole_extents());
    for (const auto [axis, side] : sides_of_box(Dim)) {
      if (!sides_of_box_.open[axis][side]) continue;
      area_[axis][side] = open_area<Dim, Space>(grid_, bodies, faces_in(axis, side), axis, side);
      extent_[axis] = smallest_extent(grid, axis);
      flows_[axis][side] = linalg::Buffer<SideFlow, Space>(1);
    }
    refresh_balanced_sides();
  }

  // From the next refresh on the velocities of sides are these; the kinds of sides are the same.
  // Collective.
  void change_velocities(const Boundaries& boundaries) {
    for (int d = 0; d < Dim; ++d) components_[d].change_values(sides_of_component(boundaries, d));
    balance_.change_formulas(boundaries);
    refresh_balanced_sides();
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

  // What scalars need of the velocity at their outflow sides; side flows are of the last refresh.
  BoundaryStep<Dim> step(double time, double dt, const TimeWeights& w,
                         const ConstVelocityView<Dim>& convecting) const {
    BoundaryStep<Dim> step;
    step.time = time;
    step.dt = dt;
    step.weights = w;
    step.convecting = convecting;
    step.side_flows = side_flows();
    for (const auto [axis, side] : sides_of_box(Dim))
      step.open_area[axis][side] = area_[axis][side];
    return step;
  }
  // Of the last measure_side_flows().
  SideFlows<Dim> side_flows() const {
    SideFlows<Dim> flows;
    for (const auto [axis, side] : sides_of_box(Dim))
      if (sides_.open[axis][side]) flows.of[axis][side] = flows_[axis][side].data();
    return flows;
  }

  void measure_side_flows(const ConstVelocityView<Dim>& convecting) {
    for (const auto [axis, side] : sides_of_box(Dim))
      if (sides_of_box_.open[axis][side])
        measure_side_flow<Dim, Space>(grid_, bodies_, faces_in(axis, side), convecting, axis, side,
                                      extent_[axis], flows_[axis][side].data());
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
    balance_.apply(grid_, bodies_, components_, step.time);
  }

  const InflowBalance<Dim, Space>& balance() const { return balance_; }

 private:
  FieldSides sides_of_component(const Boundaries& boundaries, int d) const {
    FieldSides sides;
    const Boundaries here = sides_of_part(boundaries, layout_);
    for (const auto [axis, side] : sides_of_box(Dim))
      sides[axis][side] = velocity_side(here.sides[axis][side], axis, d);
    return sides;
  }
  void refresh_balanced_sides() {
    for (const ClosedInflow::OfSide& side : balance_.inflow().sides)
      if (balance_.inflow().changes) components_[side.axis].refresh_always(side.axis, side.side);
  }

  // Of an open side; none beside another process's cells.
  Box<Dim> faces_in(int axis, int side) const {
    Box<Dim> faces = side_faces(layout_, axis);
    if (!sides_.open[axis][side]) faces.upper = faces.lower;
    return faces;
  }

  GridView<Dim> grid_;
  BodyView<Dim> bodies_;
  Layout<Dim> layout_;
  SideKinds<Dim> sides_, sides_of_box_;  // of these cells, and of the whole box
  std::vector<FieldBoundary<Dim, Space>> components_;
  InflowBalance<Dim, Space> balance_;
  double area_[Dim][2] = {};  // of open faces
  double extent_[Dim] = {};   // the smallest of the sides across an axis
  linalg::Buffer<SideFlow, Space> flows_[Dim][2];
};

}  // namespace hodge::sim
