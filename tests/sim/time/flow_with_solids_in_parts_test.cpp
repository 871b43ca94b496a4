// Flows beside solids in a box that processes share, compared with those of one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/flow/forces.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using test::FlowSketch;
using tests::expect_flows_the_same;
using tests::expect_the_same_in_parts;
using tests::shared_flow;
using tests::SharedFlow;
namespace flows = test::flows;

// A solid in the cells first <= i < last along the last axis, and in `shape` along the others.
Solid slab(const FlowSketch& sketch, const std::string& name, int first, int last,
           BoxShape shape = {{-10, -10, -10}, {10, 10, 10}}) {
  const SharedFlow flow = shared_flow(sketch, "rk3", "central");
  const int axis = sketch.dim - 1;
  shape.lower[static_cast<std::size_t>(axis)] = flow.grid.axis(axis).edges[first];
  shape.upper[static_cast<std::size_t>(axis)] = flow.grid.axis(axis).edges[last];
  return {name, shape};
}

// All of the lowest process's cells are solid, so that it has no row.
FlowSketch above_a_solid_part(int dim) {
  FlowSketch flow = flows::cavity(dim);
  flow.name = "above a solid part, " + flow.name;
  flow.solids = {slab(flow, "floor", 0, dim == 2 ? 8 : 6)};
  return flow;
}

// All cells of a process in the middle are solid, on both sides of which the pressure has a level
// of its own.
FlowSketch beside_a_solid_part(int dim) {
  FlowSketch flow = flows::cavity(dim);
  flow.name = "on both sides of a solid part, " + flow.name;
  flow.solids = {slab(flow, "wall", dim == 2 ? 4 : 2, dim == 2 ? 9 : 7)};
  return flow;
}

// The lowest process has layers of fluid between solids, and no face of the last component.
FlowSketch shelves(int dim) {
  FlowSketch flow = flows::cavity(dim);
  flow.name = "shelves, " + flow.name;
  flow.solids = {slab(flow, "lower", 1, 2), slab(flow, "upper", 3, dim == 2 ? 5 : 4)};
  return flow;
}

// Periodic along the last axis too, with a body in the end of it and one across the cuts.
FlowSketch around_the_end(int dim) {
  FlowSketch flow = flows::box("periodic along all axes", dim);
  for (auto& axis : flow.sides)
    for (test::SketchedSide& side : axis) side.kind = SideKind::periodic;
  flow.velocity = {"0.3", "0.2", dim == 2 ? "0" : "0.4"};
  flow.pressure = "0";
  flow.force = {"1 + t", "0.2", dim == 2 ? "0" : "0.5"};
  flow.scalars = {flows::scalar("c")};
  flow.scalars[0].source = "0.3*t";
  flow.scalars[0].initial = "1 + x*y";
  const int cells = dim == 2 ? 13 : 10;
  const BoxShape post{{-0.1, 0.6, 0}, {0.3, 1.0, 0}};
  const Solid lower = slab(flow, "lower", 0, 2, post),
              upper = slab(flow, "upper", cells - 1, cells, post);
  flow.solids = {lower, upper, {"ball", SphereShape{{0.4, 0.9, -0.55}, 0.25}}};
  return flow;
}

// The same with a ball alone that cuts through cells, across cuts or the end.
FlowSketch around_a_sharp_ball(int dim, double z, ScalarSide surface,
                               std::optional<HeatInside> heat = {}) {
  FlowSketch flow = around_the_end(dim);
  flow.name = "around a sharp ball, " + flow.name;
  flow.solids = {{"ball", SphereShape{{0.4, dim == 2 ? z : 0.9, z}, 0.27}}};
  flow.solids[0].sharp = true;
  flow.solids[0].scalars = {{"c", std::move(surface), std::move(heat), {}}};
  return flow;
}

// From an inflow that a sharp ball cuts, across a cut between processes, to an outflow that another
// one does.
FlowSketch between_cut_sides(int dim) {
  FlowSketch flow = flows::channel(dim);
  flow.name = "between sides that sharp bodies cut, " + flow.name;
  flow.solids = {{"front", SphereShape{{-0.42, 0.86, -0.56}, 0.23}},
                 {"back", SphereShape{{0.68, 0.93, -0.52}, 0.28}}};
  for (Solid& solid : flow.solids) solid.sharp = true;
  flow.solids[1].scalars = {flows::condition_of_c(ScalarSideKind::value, "2*y + t")};
  return flow;
}

// From an inflow past solids, one of which leaves a pocket without a way out.
FlowSketch channel_with_pocket(int dim) {
  FlowSketch flow = flows::channel(dim);
  flow.name = "a pocket in " + flow.name;
  const double z0 = -0.9, z1 = -0.3;
  flow.solids = {{"left", BoxShape{{-0.25, 0.45, z0}, {-0.15, 1.25, z1}}},
                 {"ball", SphereShape{{0.45, 1.1, -0.5}, 0.15}}};
  flow.solids.push_back({"right", BoxShape{{0.15, 0.45, z0}, {0.22, 1.25, z1}}});
  flow.solids.push_back({"below", BoxShape{{-0.25, 0.45, z0}, {0.22, 0.58, z1}}});
  flow.solids.push_back({"above", BoxShape{{-0.25, 1.05, z0}, {0.22, 1.25, z1}}});
  if (dim == 3) {
    flow.solids.push_back({"front", BoxShape{{-0.25, 0.45, z0}, {0.22, 1.25, z0 + 0.15}}});
    flow.solids.push_back({"back", BoxShape{{-0.25, 0.45, z1 - 0.2}, {0.22, 1.25, z1}}});
  }
  return flow;
}

std::vector<FlowSketch> beside_solids(int dim) {
  return {flows::channel(dim),     flows::periodic_box(dim), channel_with_pocket(dim),
          above_a_solid_part(dim), beside_a_solid_part(dim), shelves(dim),
          around_the_end(dim)};
}

// A prescribed velocity around solids.
FlowSketch carried_around_solids(int dim, bool is_periodic) {
  FlowSketch flow = is_periodic ? around_the_end(dim) : flows::carried(dim);
  if (is_periodic) {
    flow.name = "a prescribed velocity, " + flow.name;
    flow.prescribed = test::CoordinateMap::Texts{"0.3", "0.2 + t", dim == 2 ? "0" : "0.1"};
    flow.force = {"0", "0", "0"};
    flow.scalars[0].buoyancy = {};
    return flow;
  }
  flow.solids = channel_with_pocket(dim).solids;
  return flow;
}

// Pressure and friction of each solid along each axis, after a step.
template <int Dim>
std::vector<double> forces_after_a_step(const SharedFlow& of, const Layout<Dim>& part) {
  NavierStokes<Dim, tests::Host> flow(of.settings, of.problem, of.grid, of.domain, part);
  const StepReport started = start(flow, InitialFields<Dim>(of.problem, of.grid, part).values());
  EXPECT_TRUE(started.failure.empty()) << started.failure;
  EXPECT_TRUE(advance(flow, 0.002).ok);
  ForceFields<Dim> fields{flow.grid.view(), flow.fields.velocity.view(),
                          flow.fields.pressure_of_level().view(), flow.bodies.view()};
  for (int d = 0; d < Dim; ++d)
    fields.forcing[d] =
        forcing_of(flow, d, flow.fields.time, {{&ScalarState<Dim, tests::Host>::now, 1.0}});
  fields.density = of.problem.density;
  fields.viscosity = of.problem.viscosity;
  const std::vector<BodyFrame> frames =
      body_frames(of.grid, of.problem, of.domain.bodies, of.domain.cut, of.settings.forces);
  std::vector<Lever<Dim>> levers;
  for (const BodyFrame& frame : frames)
    levers.push_back(lever_of<Dim>(frame, of.grid, of.problem.boundaries));
  linalg::Buffer<double, tests::Host> results(force_count<Dim> * frames.size());
  std::vector<double> values;
  for (const BodyForce& force : body_forces(fields, frames, levers, results))
    for (int d = 0; d < Dim; ++d)
      values.insert(values.end(), {force.pressure[d], force.viscous[d]});
  return values;
}

template <int Dim>
void expect_the_same_forces(const FlowSketch& sketch) {
  SCOPED_TRACE(sketch.name);
  SharedFlow flow = shared_flow(sketch, "rk3", "central");
  const std::vector<double> expected = forces_after_a_step<Dim>(flow, layout_of<Dim>(flow.grid));
  ASSERT_GT(*std::max_element(expected.begin(), expected.end()), 0.0);
  for (const int processes : {2, 3})
    tests::in_slabs<Dim>(processes, flow, [&](const Layout<Dim>& part) {
      EXPECT_EQ(forces_after_a_step<Dim>(flow, part), expected);
    });
}

// Of the part that a process has, the unknowns of pressure and velocity components.
std::vector<int> rows_of_part(const SharedFlow& of, const Layout<2>& part) {
  const NavierStokes<2, tests::Host> flow(of.settings, of.problem, of.grid, of.domain, part);
  return {flow.cells.rows(), flow.faces[0].rows(), flow.faces[1].rows()};
}

TEST(FlowWithSolidsInParts, counts_own_rows_between_solids) {
  const SharedFlow above = shared_flow(above_a_solid_part(2), "rk3", "central");
  tests::in_slabs<2>(2, above, [&](const Layout<2>& part) {
    EXPECT_EQ(rows_of_part(above, part),
              (part.before[1] == 0 ? std::vector{0, 0, 0} : std::vector{175, 170, 140}));
  });
  const SharedFlow between = shared_flow(shelves(2), "rk3", "central");
  EXPECT_EQ(between.domain.pinned.size(), 3u);
  tests::in_slabs<2>(3, between, [&](const Layout<2>& part) {
    const std::vector<int> rows = rows_of_part(between, part);
    if (part.before[1] == 0) {
      EXPECT_EQ(rows, (std::vector{70, 68, 0}));
    }
  });
  EXPECT_EQ(shared_flow(channel_with_pocket(2), "rk3", "central").domain.pinned.size(), 1u);
}

TEST(FlowWithSolidsInParts, carries_scalars_as_one_process_does) {
  for (const std::string scheme : {"rk3", "bdf2", "cn_ab2"})
    for (const bool is_periodic : {false, true}) {
      expect_flows_the_same<2>({carried_around_solids(2, is_periodic)}, scheme, "cg", "jacobi");
      expect_flows_the_same<3>({carried_around_solids(3, is_periodic)}, scheme, "cg", "jacobi");
    }
}

// The limiter of a face beside a cut takes the closure of a cell that another process has.
TEST(FlowWithSolidsInParts, limits_fluxes_beside_conditions_wherever_the_cut_is) {
  for (int first = 3; first < 10; ++first) {
    FlowSketch flow = around_the_end(2);
    flow.name = "a body from layer " + std::to_string(first);
    flow.solids = {slab(flow, "body", first, first + 2, {{-0.1, 0.6, 0}, {0.3, 1.0, 0}})};
    flow.solids[0].scalars = {
        flows::condition_of_c(ScalarSideKind::value, first % 2 == 0 ? "2 + x" : "3*t")};
    flow.velocity = {"0.3", first < 7 ? "0.8" : "-0.8", "0"};
    flow.force = {"0", "0", "0"};
    SCOPED_TRACE(flow.name);
    SharedFlow of = shared_flow(flow, "rk3", "van_leer");
    of.settings.pressure.method = "cg";
    of.settings.pressure.preconditioner = {"jacobi", {}};
    expect_the_same_in_parts<2>(of, 3);
  }
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_in_2d) {
  for (const std::string scheme : {"rk3", "bdf2", "cn_ab2"})
    expect_flows_the_same<2>(beside_solids(2), scheme, "cg", "jacobi");
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_in_3d) {
  expect_flows_the_same<3>({channel_with_pocket(3), above_a_solid_part(3), around_the_end(3)},
                           "rk3", "cg", "jacobi");
  expect_flows_the_same<3>({flows::periodic_box(3)}, "bdf2", "cg", "jacobi");
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_around_sharp_bodies) {
  const ScalarSide value{ScalarSideKind::value, Expression::parse("2 + x")},
      convective{ScalarSideKind::convective, 3, 0.05};
  for (const std::string scheme : {"rk3", "bdf2", "cn_ab2", "ab2"})
    for (const ScalarSide& surface : {value, convective})
      expect_flows_the_same<2>({around_a_sharp_ball(2, 0.9, surface)}, scheme, "cg", "multigrid");
  SharedFlow of = shared_flow(around_a_sharp_ball(3, -0.95, convective), "rk3", "central");
  of.settings.pressure.preconditioner = {"multigrid", {}};
  expect_the_same_in_parts<3>(of, 2);
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_between_sides_that_sharp_bodies_cut) {
  for (const std::string scheme : {"rk3", "bdf2", "cn_ab2", "ab2"})
    expect_flows_the_same<2>({between_cut_sides(2)}, scheme, "cg", "multigrid");
  SharedFlow of = shared_flow(between_cut_sides(3), "bdf2", "central");
  of.settings.pressure.preconditioner = {"multigrid", {}};
  expect_the_same_in_parts<3>(of, 2);
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_around_sharp_bodies_that_conduct) {
  const HeatInside heat{
      .conductivity = 0.3, .capacity = 2, .resistance = 0.1, .source = Expression::parse("1 + x")};
  for (const double y : {0.9, 0.5})
    for (const std::string scheme : {"bdf2", "rk3"})
      expect_flows_the_same<2>({around_a_sharp_ball(2, y, {}, heat)}, scheme, "cg", "multigrid");
  SharedFlow of = shared_flow(around_a_sharp_ball(3, -0.95, {}, heat), "bdf2", "central");
  of.settings.pressure.preconditioner = {"multigrid", {}};
  expect_the_same_in_parts<3>(of, 2);
}

TEST(FlowWithSolidsInParts, steps_as_one_process_does_around_sharp_bodies_in_porous_ones) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3"}) {
    SharedFlow of = shared_flow(around_a_sharp_ball(2, 0.9, {}), scheme, "central");
    of.settings.pressure.preconditioner = {"multigrid", {}};
    of.problem.resistances.porous = {
        {.region = Region{BoxShape{{0.4, -2, -2}, {0.9, 2, 2}}}, .darcy = 20, .forchheimer = 3}};
    expect_the_same_in_parts<2>(of, 3);
  }
}

TEST(FlowWithSolidsInParts, adds_the_forces_on_bodies_across_cuts) {
  expect_the_same_forces<2>(carried_around_solids(2, true));
  expect_the_same_forces<3>(carried_around_solids(3, true));
  for (const FlowSketch& sketch : beside_solids(2)) expect_the_same_forces<2>(sketch);
  expect_the_same_forces<3>(flows::channel(3));
}

TEST(FlowWithSolidsInParts, stops_by_the_divergence_where_one_process_does) {
  for (const FlowSketch& sketch : beside_solids(2)) {
    SCOPED_TRACE(sketch.name);
    SharedFlow flow = shared_flow(sketch, "rk3", "central");
    flow.settings.pressure.stop = "divergence";
    flow.settings.pressure.tolerance = 1e-6;
    flow.settings.pressure.preconditioner = {"jacobi", {}};
    expect_the_same_in_parts<2>(flow, 3);
    flow.settings.pressure.method = "capacitance";
    expect_the_same_in_parts<2>(flow, 3);
  }
}

TEST(FlowWithSolidsInParts, takes_the_same_preconditioner_as_one_process) {
  for (const std::string preconditioner : {"multigrid", "direct"}) {
    expect_flows_the_same<2>(beside_solids(2), "rk3", "cg", preconditioner);
    expect_flows_the_same<3>({flows::channel(3)}, "rk3", "cg", preconditioner);
  }
  expect_flows_the_same<2>(beside_solids(2), "rk3", "capacitance", "none");
  expect_flows_the_same<3>({flows::channel(3)}, "rk3", "capacitance", "none");
  for (const std::string scheme : {"bdf2", "cn_ab2"})
    expect_flows_the_same<2>(beside_solids(2), scheme, "cg", "multigrid");
}

}  // namespace
}  // namespace hodge::sim
