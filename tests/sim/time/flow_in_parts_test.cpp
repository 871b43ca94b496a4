// A flow whose box is shared by several processes is, bit for bit, the flow of one process.
#include <gtest/gtest.h>

#include "sim/discrete/processes/part_of_box.hpp"
#include "sim/flow/initial_values.hpp"
#include "sim/time/time_step.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/small_flows.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using test::FlowSketch;
namespace flows = test::flows;

struct SharedFlow {
  Problem problem;
  Settings settings;
  Grid grid;
  FluidDomain domain;

  std::array<int, 3> cells() const { return {grid.cells(0), grid.cells(1), grid.cells(2)}; }
  std::array<bool, 3> periodic() const {
    const Boundaries& sides = problem.boundaries;
    return {sides.periodic(0), sides.periodic(1), sides.periodic(2)};
  }
};

// Of a sketch, with enough cells for cuts, unequal along all axes.
SharedFlow shared_flow(FlowSketch sketch, const std::string& scheme,
                       const std::string& convection) {
  const std::array<int, 3> cells{35, 13, 10};
  for (int d = 0; d < sketch.dim; ++d) {
    const AxisSettings& axis = sketch.axes[static_cast<std::size_t>(d)];
    sketch.axes[static_cast<std::size_t>(d)] = test::uneven(cells[d], axis.lower, axis.upper);
  }
  Settings settings = test::flow_settings(sketch.dim, 1);
  settings.grid.axes = sketch.axes;
  settings.time.scheme = scheme;
  settings.convection_scheme = convection;
  const Problem problem = test::problem_of(sketch);
  const Grid grid(settings.grid);
  return {problem, settings, grid, fluid_domain(grid, problem)};
}

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

// Steps of changing size. Returns the values of the scalars in the cells of `part`, one scalar
// after the other.
template <int Dim>
std::vector<double> scalars_after_steps(const SharedFlow& of, const Layout<Dim>& part) {
  NavierStokes<Dim, Host> flow(of.settings, of.problem, of.grid, of.domain, part);
  const InitialValues<Dim> initial = InitialFields<Dim>(of.problem, of.grid, part).values();
  EXPECT_TRUE(start(flow, initial).failure.empty());
  for (const double dt : {0.002, 0.003, 0.0015}) EXPECT_TRUE(advance(flow, dt).ok);
  std::vector<double> values;
  for (const auto& scalar : flow.fields.scalars)
    for_each_on_host(part.interior(),
                     [&](const Index<Dim>& c) { values.push_back(scalar.now.view()(c)); });
  return values;
}

template <int Dim>
void expect_the_same_in_parts(const SharedFlow& of, const ProcessCounts& counts) {
  const Layout<Dim> whole = layout_of<Dim>(of.grid);
  const std::vector<double> expected = scalars_after_steps<Dim>(of, whole);
  const std::size_t per_scalar = expected.size() / of.problem.scalars.size();
  const Decomposition shared(Dim, of.cells(), counts);
  tests::run_in_processes(shared.size(), [&](linalg::Communicator& own) {
    const PartOfBox<Dim> part(own, shared, of.periodic());
    const std::vector<double> values = scalars_after_steps<Dim>(of, part.layout());
    const Box<Dim> box = part.layout().interior();
    std::size_t next = 0;
    for (std::size_t k = 0; k < of.problem.scalars.size(); ++k)
      for_each_on_host(box, [&](const Index<Dim>& c) {
        const int at = whole.interior().position(part.layout().in_whole(c));
        EXPECT_EQ(values[next], expected[k * per_scalar + static_cast<std::size_t>(at)])
            << "scalar " << k << ", process " << own.rank() << ", cell " << c[0] << ' ' << c[1];
        ++next;
      });
    EXPECT_EQ(next, values.size());
  });
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

}  // namespace
}  // namespace hodge::sim
