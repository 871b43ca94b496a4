// A flow whose box is shared by several processes is, bit for bit, the flow of one process.
#include <gtest/gtest.h>

#include "sim/time/diffusion_systems.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using test::FlowSketch;
using tests::expect_flows_the_same;
using tests::expect_the_same_in_parts;
using tests::shared_flow;
using tests::SharedFlow;
namespace flows = test::flows;

// Inflow everywhere but along `periodic`, so that every side has its value.
FlowSketch carried(int dim, int periodic) {
  FlowSketch flow = flows::carried(dim);
  for (int axis = 0; axis < dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      flow.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] = {
          axis == periodic ? SideKind::periodic : SideKind::inflow, *flow.prescribed};
      for (test::SketchedScalar& scalar : flow.scalars)
        scalar.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] = {
            ScalarSideKind::value, "1 + x*y"};
    }
  return flow;
}

TEST(FlowInParts, carries_scalars_explicitly_as_one_process_does_in_2d) {
  for (const std::string scheme : {"rk3", "ab2"})
    for (const std::string convection : {"central", "weno5", "van_leer"}) {
      SCOPED_TRACE(scheme + " " + convection);
      for (const int periodic : {-1, 0, 1}) {
        const SharedFlow flow = shared_flow(carried(2, periodic), scheme, convection);
        expect_the_same_in_parts<2>(flow, 4);
      }
    }
}

TEST(FlowInParts, carries_scalars_explicitly_as_one_process_does_in_3d) {
  const SharedFlow flow = shared_flow(carried(3, 2), "rk3", "quick");
  for (const int processes : {2, 3}) expect_the_same_in_parts<3>(flow, processes);
}

// A jump in one part alone, which leaves its bounds when it diffuses.
TEST(FlowInParts, limits_scalars_as_one_process_does) {
  FlowSketch sketch = carried(2, -1);
  for (test::SketchedScalar& scalar : sketch.scalars) {
    scalar.initial = "x > -0.1 && x < 0 && y < 0.5 ? 1 : 0";
    scalar.source = "0";
    scalar.diffusivity = 0.2;
    for (auto& axis : scalar.sides)
      for (test::SketchedCondition& side : axis) side.value = "0.5";
  }
  const SharedFlow flow = shared_flow(sketch, "rk3", "van_leer");
  for (const int processes : {2, 4}) expect_the_same_in_parts<2>(flow, processes);
}

// Without solids.
std::vector<FlowSketch> sketches(int dim) {
  std::vector<FlowSketch> all{flows::cavity(dim),       flows::channel(dim),
                              flows::open_box(dim),     flows::periodic_box(dim),
                              flows::balanced_box(dim), flows::carried(dim)};
  for (FlowSketch& sketch : all) sketch.solids.clear();
  return all;
}

// With the method direct for all systems.
template <int Dim>
void expect_the_same_by_transforms(const FlowSketch& sketch) {
  SCOPED_TRACE(sketch.name + ", " + std::to_string(Dim) + "D");
  SharedFlow flow = shared_flow(sketch, "cn_ab2", "central");
  for (const SystemKind kind : {SystemKind::transport, SystemKind::scalars})
    ASSERT_FALSE(
        diffusion_systems(kind, find_time_scheme("cn_ab2"), flow.problem, flow.grid).empty());
  flow.settings.pressure.method = flow.settings.transport.method = flow.settings.scalars.method =
      "direct";
  for (const int processes : {2, 3}) expect_the_same_in_parts<Dim>(flow, processes);
}

TEST(FlowInParts, steps_explicitly_as_one_process_does) {
  for (const std::string scheme : {"rk3", "ab2"})
    expect_flows_the_same<2>(sketches(2), scheme, "direct", "none");
  expect_flows_the_same<3>({sketches(3)[2], sketches(3)[3]}, "rk3", "direct", "none");
}

TEST(FlowInParts, steps_implicitly_as_one_process_does) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "backward_euler"})
    expect_flows_the_same<2>(sketches(2), scheme, "direct", "none");
}

TEST(FlowInParts, iterates_for_the_pressure_as_one_process_does) {
  for (const std::string preconditioner : {"jacobi", "multigrid", "ssor_sai"})
    expect_flows_the_same<2>({sketches(2)[0], sketches(2)[3]}, "rk3", "cg", preconditioner);
  expect_flows_the_same<3>({sketches(3)[1]}, "cn_ab2", "cg", "multigrid");
}

// Components have fewer rows than cells, or as many.
TEST(FlowInParts, transforms_for_transport_as_one_process_does) {
  const std::vector<FlowSketch> all = sketches(2), all_3d = sketches(3);
  for (const FlowSketch& sketch : {all[0], all[3], all[4], carried(2, -1), carried(2, 1)})
    expect_the_same_by_transforms<2>(sketch);
  for (const FlowSketch& sketch : {all_3d[3], all_3d[4]}) expect_the_same_by_transforms<3>(sketch);
}

TEST(FlowInParts, rotates_as_one_process_does) {
  const std::vector<FlowSketch> all = sketches(2), all_3d = sketches(3);
  for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"})
    expect_flows_the_same<2>(
        {flows::turning(all[0]), flows::turning(all[2]), flows::turning(all[3])}, scheme, "direct",
        "none");
  expect_flows_the_same<3>({flows::turning(all_3d[1]), flows::turning(all_3d[3])}, "ab2", "direct",
                           "none");
}

// Only one of the processes has the side whose pressure changes.
TEST(FlowInParts, follows_a_pressure_that_changes_in_the_side_of_one_process) {
  FlowSketch sketch = flows::open_box(2);
  std::swap(sketch.sides[0], sketch.sides[1]);
  sketch.sides[1][0].pressure = "0.5*x";
  sketch.solids.clear();
  ASSERT_TRUE(sketch.sides[1][1].pressure.find('t') != std::string::npos);
  for (const std::string scheme : {"rk3", "cn_ab2"})
    expect_flows_the_same<2>({sketch}, scheme, "direct", "none");
}

}  // namespace
}  // namespace hodge::sim
