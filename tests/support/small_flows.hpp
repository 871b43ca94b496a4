// Small flows with all kinds of sides, scalars, forces and solids, in 2D and in 3D, on boxes off
// the origin with other ends along each axis.
#pragma once

#include "tests/support/mapped_flow.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::test::flows {

using sim::ScalarSideKind;
using sim::SideKind;

inline FlowSketch box(const std::string& name, int dim) {
  FlowSketch flow;
  flow.name = name + " in " + std::to_string(dim) + "D";
  flow.dim = dim;
  flow.axes = {uneven(dim == 2 ? 7 : 5, -0.4, 0.7), uneven(dim == 2 ? 6 : 4, 0.3, 1.5),
               uneven(6, -1.0, -0.1)};
  flow.velocity = {"sin(3*x)*y + 0.2", "cos(2*x*y) - 0.3*z", "sin(x + 2*y) + 0.4*z"};
  flow.pressure = "x - y*y + 0.5*z";
  if (dim == 2) flow.velocity = {"sin(3*x)*y + 0.2", "cos(2*x*y)", "0"};
  return flow;
}

inline SketchedScalar scalar(const std::string& name) {
  SketchedScalar scalar;
  scalar.name = name;
  scalar.initial = "1 + sin(2*x + y) + 0.5*z";
  scalar.source = "0.3*x*t - y";
  scalar.neutral = 0.7;
  scalar.buoyancy = {0.5, -1.2, 0.8};
  return scalar;
}

// Walls that move in their planes, and every condition of a scalar.
inline FlowSketch cavity(int dim) {
  FlowSketch flow = box("a cavity", dim);
  const std::string along = dim == 2 ? "0" : "0.4*x - t";
  flow.sides[0][0].velocity = {"0", "0.5 + y*t", along};
  flow.sides[0][1].velocity = {"0", "-0.3", along};
  flow.sides[1][0].velocity = {"cos(x)", "0", along};
  flow.sides[1][1].velocity = {"1 + 0.5*sin(9*t)", "0", along};
  flow.sides[2][1].velocity = {"0.2*x", "y", "0"};
  flow.force = {"sin(5*t)*y", "x", "x*y"};
  flow.scalars = {scalar("c"), scalar("d")};
  flow.scalars[0].sides[0] = {{{ScalarSideKind::value, "y + t"}, {ScalarSideKind::flux, "0.2*y"}}};
  flow.scalars[0].sides[1] = {
      {{ScalarSideKind::convective, "1 + x", "0.7"}, {ScalarSideKind::value, "x*t"}}};
  flow.scalars[0].sides[2] = {
      {{ScalarSideKind::flux, "0.1"}, {ScalarSideKind::convective, "2", "0.3 + t"}}};
  for (auto& axis : flow.scalars[1].sides)
    axis = {{{ScalarSideKind::value, "2"}, {ScalarSideKind::value, "0.5"}}};
  if (dim == 2) flow.scalars[0].buoyancy[2] = flow.scalars[1].buoyancy[2] = 0;
  return flow;
}

// What a body is to the scalar c.
inline sim::SolidScalar condition_of_c(ScalarSideKind kind, const std::string& value,
                                       const std::string& coefficient = "0") {
  return {"c", {kind, sim::Expression::parse(value), sim::Expression::parse(coefficient)}, {}, {}};
}
inline sim::SolidScalar medium_of_c(const sim::HeatInside& heat) {
  return {"c", {}, heat, {}};
}

// From an inflow past a solid to an outflow, part of which flows back; slip sides.
inline FlowSketch channel(int dim) {
  FlowSketch flow = box("a channel", dim);
  flow.sides[0][0] = {SideKind::inflow, {"1 + 0.3*y + t", "0.2*y", dim == 2 ? "0" : "0.1"}};
  flow.sides[0][1] = {SideKind::outflow, {"0", "0", "0"}, "0.3*y + t"};
  flow.sides[1][0].kind = SideKind::slip;
  flow.sides[2][1].kind = SideKind::slip;
  flow.velocity[0] = "2.5*(y - 0.8) + 1";
  flow.scalars = {scalar("c")};
  flow.scalars[0].sides[0][0] = {ScalarSideKind::value, "1 + y"};
  flow.solids = {{"block",
                  {sim::BoxShape{{-0.2, 0.5, -0.8}, {0.1, 0.9, -0.5}}},
                  {condition_of_c(ScalarSideKind::convective, "2*y + t", "0.3 + x*x + t")}}};
  return flow;
}

// Between an outflow at a lower side and a side of given pressure.
inline FlowSketch open_box(int dim) {
  FlowSketch flow = box("an open box", dim);
  flow.sides[0][0] = {SideKind::outflow, {"0", "0", "0"}, "0.5*y"};
  flow.sides[0][1] = {SideKind::pressure, {"0", "0", "0"}, "1 + sin(3*t)"};
  flow.scalars = {scalar("c")};
  flow.scalars[0].sides[0][1] = {ScalarSideKind::value, "2 + y"};
  flow.force = {"0.3", "-0.2*x", "0.1"};
  return flow;
}

// Two open sides meet in an edge: that of the later axis holds beyond it.
inline FlowSketch open_corner(int dim) {
  FlowSketch flow = open_box(dim);
  flow.name = "an open corner of " + flow.name;
  flow.order_matters = true;
  flow.sides[1][1] = {SideKind::pressure, {"0", "0", "0"}, "x*t"};
  flow.scalars[0].sides[1][1] = {ScalarSideKind::value, "2 - x"};
  return flow;
}

// Periodic axes beside walls, with solids that reach across the periodic side: one conducts a
// scalar, the other one has a condition for it.
inline FlowSketch periodic_box(int dim) {
  FlowSketch flow = box("a periodic box", dim);
  for (SketchedSide& side : flow.sides[0]) side.kind = SideKind::periodic;
  if (dim == 3)
    for (SketchedSide& side : flow.sides[2]) side.kind = SideKind::periodic;
  // What faces in a periodic side have is the same from both ends.
  const std::string wave_x = "sin(2*pi*(x + 0.4)/1.1 + 0.3)", wave_z = "sin(2*pi*(z + 1)/0.9 + 1)";
  flow.velocity = {wave_x + "*y", "cos(y)*" + wave_x, "0"};
  if (dim == 3) flow.velocity = {wave_x + "*y", "cos(y)*" + wave_z, wave_z + "*" + wave_x};
  flow.sides[1][1].velocity = {"0.7", "0", dim == 2 ? "0" : "-0.4"};
  flow.force = {"1 + t", "0.2", "0.5*y"};
  flow.scalars = {scalar("c")};
  flow.scalars[0].sides[1] = {{{ScalarSideKind::value, "1"}, {ScalarSideKind::value, "-1"}}};
  const sim::HeatInside heat{.conductivity = 0.1,
                             .capacity = 1.5,
                             .resistance = 0.2,
                             .source = sim::Expression::parse("x*y + t")};
  flow.solids = {
      {"left", {sim::BoxShape{{-1, 0.35, -2}, {-0.2, 0.7, 1}}}, {medium_of_c(heat)}},
      {"ball",
       {sim::SphereShape{{0.25, 1.1, -0.4}, 0.25}},
       {condition_of_c(dim == 2 ? ScalarSideKind::value : ScalarSideKind::flux, "y*y + 2*t")}}};
  return flow;
}

// What enters through one inflow side leaves through another, but for what is taken out evenly.
inline FlowSketch balanced_box(int dim) {
  FlowSketch flow = box("a box with balanced inflow", dim);
  flow.sides[0][0] = {SideKind::inflow, {"1 + 0.4*sin(7*t)", "0", "0"}};
  flow.sides[0][1] = {SideKind::inflow, {"1.004*(1 + 0.4*sin(7*t))", "0.1", "0"}};
  flow.sides[1][0].kind = flow.sides[1][1].kind = SideKind::slip;
  flow.scalars = {scalar("c")};
  flow.scalars[0].sides[0] = {{{ScalarSideKind::value, "1"}, {ScalarSideKind::value, "0.2"}}};
  return flow;
}

// The same in a frame that rotates, with drag, and a force that the scalars and the velocity make
// together.
inline FlowSketch turning(FlowSketch flow) {
  flow.name += " that rotates";
  flow.rotation = {0, 0, 1.5};
  flow.flow_force = CoordinateMap::Texts{"-0.8*u*abs(u) + 0.5*c*v + y", "-0.6*v + 0.4*c*c", "0"};
  if (flow.dim == 3) {
    flow.rotation = {0.7, -0.4, 1.1};
    flow.flow_force = CoordinateMap::Texts{"-0.8*u*abs(u) + 0.5*c*w", "-0.6*v + 0.4*c*c + z*t",
                                           "0.3*u*v - 0.2*w"};
  }
  return flow;
}

// A prescribed velocity that changes in time carries scalars that react.
inline FlowSketch carried(int dim) {
  FlowSketch flow = box("a prescribed velocity", dim);
  flow.prescribed = CoordinateMap::Texts{"y + t", "0.5*x", dim == 2 ? "0" : "x*y"};
  flow.sides[0][0] = {SideKind::inflow, {"y + t", "0.5*x", dim == 2 ? "0" : "x*y"}};
  for (auto [axis, side] : {std::pair{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}})
    flow.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)].kind =
        SideKind::outflow;
  flow.scalars = {scalar("c"), scalar("d")};
  for (SketchedScalar& each : flow.scalars) {
    each.buoyancy = {};
    each.sides[0][0] = {ScalarSideKind::value, "1 + y"};
  }
  return flow;
}

}  // namespace hodge::test::flows
