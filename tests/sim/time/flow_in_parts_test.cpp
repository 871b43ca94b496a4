// A flow whose box is shared by several processes is, bit for bit, the flow of one process.
#include <gtest/gtest.h>

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
        expect_the_same_in_parts<2>(flow, {2, 1, 1});
        expect_the_same_in_parts<2>(flow, {1, 4, 1});
        expect_the_same_in_parts<2>(flow, {2, 3, 1});
      }
    }
}

TEST(FlowInParts, carries_scalars_explicitly_as_one_process_does_in_3d) {
  const SharedFlow flow = shared_flow(carried(3, 2), "rk3", "quick");
  expect_the_same_in_parts<3>(flow, {1, 1, 2});
  expect_the_same_in_parts<3>(flow, {2, 2, 3});
}

// Without solids.
std::vector<FlowSketch> sketches(int dim) {
  std::vector<FlowSketch> all{flows::cavity(dim),       flows::channel(dim),
                              flows::open_box(dim),     flows::periodic_box(dim),
                              flows::balanced_box(dim), flows::carried(dim)};
  for (FlowSketch& sketch : all) sketch.solids.clear();
  return all;
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

// Of one process, products read the arrays of the axes in place of the entries.
TEST(FlowInParts, iterates_for_the_pressure_as_one_process_does_but_for_rounding) {
  for (const std::string preconditioner : {"jacobi", "multigrid"})
    expect_flows_the_same<2>({sketches(2)[0], sketches(2)[3]}, "rk3", "cg", preconditioner, 1e-11);
}

TEST(FlowInParts, refuses_what_processes_cannot_share_yet) {
  const SharedFlow flow = shared_flow(flows::cavity(2), "rk3", "central");
  EXPECT_THROW(expect_the_same_in_parts<2>(flow, {2, 1, 1}), ConfigError);
}

}  // namespace
}  // namespace hodge::sim
