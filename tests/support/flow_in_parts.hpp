// Flows whose box is shared by processes that are threads, compared with those of one process.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/discrete/processes/part_of_box.hpp"
#include "sim/flow/initial_values.hpp"
#include "sim/time/layers_read.hpp"
#include "sim/time/time_step.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/small_flows.hpp"

namespace hodge::sim {

// In the library (sim/flow/flow_2d_each_space.hpp): minutes of compiling.
extern template struct NavierStokes<2, linalg::Host>;
extern template struct NavierStokes<3, linalg::Host>;
extern template StepReport start(NavierStokes<2, linalg::Host>&, const InitialValues<2>&);
extern template StepReport start(NavierStokes<3, linalg::Host>&, const InitialValues<3>&);
extern template StepReport advance(NavierStokes<2, linalg::Host>&, double);
extern template StepReport advance(NavierStokes<3, linalg::Host>&, double);

}  // namespace hodge::sim

namespace hodge::tests {

using linalg::Host;
using namespace sim;

struct SharedFlow {
  Problem problem;
  Settings settings;
  Grid grid;
  FluidDomain domain;
};

// use(layout) in each of so many processes, which share a grid in slabs.
template <int Dim, class Use>
void in_slabs(int processes, const Grid& grid, const Boundaries& boundaries, const Use& use,
              int layers = ghost_width) {
  const Layout<Dim> whole = layout_of<Dim>(grid);
  const Decomposition slabs(whole.cells[Dim - 1], processes);
  run_in_processes(processes, [&](linalg::Communicator& own) {
    const linalg::SharingRows sums({.processes = &own});
    const PartOfBox<Dim> part(own, slabs, whole, boundaries.periodic(Dim - 1), layers);
    use(part.layout());
  });
}
template <int Dim, class Use>
void in_slabs(int processes, const SharedFlow& of, const Use& use) {
  in_slabs<Dim>(processes, of.grid, of.problem.boundaries, use,
                layers_read_beyond_cuts(of.settings, of.problem));
}

// Of a sketch, with enough cells for cuts, unequal along all axes.
inline SharedFlow shared_flow(test::FlowSketch sketch, const std::string& scheme,
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

// use(flow) after steps of changing size, each of which is taken by step(flow, dt).
template <int Dim, class Step, class Use>
void after_steps(const SharedFlow& of, const Layout<Dim>& part, const Step& step, const Use& use) {
  NavierStokes<Dim, Host> flow(of.settings, of.problem, of.grid, of.domain, part);
  const InitialValues<Dim> initial = InitialFields<Dim>(of.problem, of.grid, part).values();
  const StepReport started = start(flow, initial);
  EXPECT_TRUE(started.failure.empty()) << started.failure;
  for (const double dt : {0.002, 0.003, 0.0015}) step(flow, dt);
  use(flow);
}

template <int Dim, class Use>
void after_steps(const SharedFlow& of, const Layout<Dim>& part, const Use& use) {
  const auto step = [](NavierStokes<Dim, Host>& flow, double dt) {
    const StepReport report = advance(flow, dt);
    EXPECT_TRUE(report.ok) << report.failure;
  };
  after_steps<Dim>(of, part, step, use);
}

// All values in the cells of `part`: velocity, pressure, scalars.
template <int Dim>
std::vector<double> values_of(const NavierStokes<Dim, Host>& flow, const Layout<Dim>& part) {
  std::vector<double> values;
  const auto take = [&](const Field<Dim, Host>& field) {
    for_each_on_host(part.interior(),
                     [&](const Index<Dim>& c) { values.push_back(field.view()(c)); });
  };
  for (int d = 0; d < Dim; ++d) take(flow.fields.velocity[d]);
  take(flow.fields.pressure_of_level());
  for (const auto& scalar : flow.fields.scalars) take(scalar.now);
  return values;
}

template <int Dim>
std::vector<double> values_after_steps(const SharedFlow& of, const Layout<Dim>& part) {
  std::vector<double> values;
  after_steps<Dim>(of, part, [&](const auto& flow) { values = values_of<Dim>(flow, part); });
  return values;
}

// What processes have computed in their cells, compared with what one process has: `values` are
// those of one field after the other. `most`: by how much they may differ.
template <int Dim>
void expect_values_of_part(const Layout<Dim>& part, const std::vector<double>& values,
                           const std::vector<double>& expected, double most = 0.0) {
  const Box<Dim> box = part.interior(), whole = part.whole_box();
  const auto cells = static_cast<std::size_t>(whole.size());
  ASSERT_EQ(values.size(), expected.size() / cells * static_cast<std::size_t>(box.size()));
  std::size_t next = 0, different = 0;
  for (std::size_t field = 0; field < expected.size() / cells; ++field)
    for_each_on_host(box, [&](const Index<Dim>& c) {
      const auto at = static_cast<std::size_t>(whole.position(part.in_whole(c)));
      const double value = expected[field * cells + at];
      if (!(std::abs(values[next] - value) <= most) && different++ < 3)
        ADD_FAILURE() << "field " << field << ", cells from " << part.before[Dim - 1] << ", cell "
                      << c[0] << ' ' << c[1] << ": " << values[next] << " instead of " << value
                      << ", " << values[next] - value;
      ++next;
    });
}

// `share`: how far values may differ, of the largest.
template <int Dim>
void expect_the_same_in_parts(const SharedFlow& of, int processes, double share = 0.0) {
  const Layout<Dim> whole = layout_of<Dim>(of.grid);
  const std::vector<double> expected = values_after_steps<Dim>(of, whole);
  double most = 0.0;
  for (const double value : expected) most = std::max(most, share * std::abs(value));
  in_slabs<Dim>(processes, of, [&](const Layout<Dim>& part) {
    expect_values_of_part(part, values_after_steps<Dim>(of, part), expected, most);
  });
}

template <int Dim>
void expect_flows_the_same(const std::vector<test::FlowSketch>& sketches, const std::string& scheme,
                           const std::string& method, const std::string& preconditioner,
                           double share = 0.0) {
  for (const test::FlowSketch& sketch : sketches) {
    SCOPED_TRACE(sketch.name + ", " + scheme + ", " + method + " with " + preconditioner);
    SharedFlow flow = shared_flow(sketch, scheme, "central");
    flow.settings.pressure.method = method;
    flow.settings.pressure.preconditioner = {preconditioner, {}};
    for (const int processes : {2, 3}) {
      SCOPED_TRACE(std::to_string(processes) + " processes");
      expect_the_same_in_parts<Dim>(flow, processes, share);
    }
  }
}

}  // namespace hodge::tests
