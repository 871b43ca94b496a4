// Averages and moments in boxes that processes share, as frames show them, are those of one
// process.
#include <gtest/gtest.h>

#include "sim/flow/mean_fields.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using tests::SharedFlow;

const std::vector<std::string> shown_statistics{"mean_velocity",   "mean_pressure", "mean_c",
                                                "rms_velocity",    "rms_pressure",  "rms_c",
                                                "reynolds_stress", "flux_c"};

template <int Dim>
PresentFields<Dim> present_fields(const NavierStokes<Dim, Host>& flow) {
  return {flow.grid.view(), flow.fields.velocity.view(), flow.fields.pressure_of_level().view(),
          flow.bodies.view()};
}

template <int Dim>
typename MeanFields<Dim, Host>::Source source_of(const NavierStokes<Dim, Host>& flow) {
  const auto values_of = [&flow](const std::string& name) ->
      typename MeanFields<Dim, Host>::Values {
        if (name == "pressure") return {&flow.fields.pressure_of_level()};
        if (name == "c") return {&flow.fields.scalars[0].now};
        typename MeanFields<Dim, Host>::Values components;
        for (int d = 0; d < Dim; ++d) components.push_back(&flow.fields.velocity[d]);
        return components;
      };
  return {values_of, [&flow] { return present_fields(flow); }};
}

// In all cells, of `Shown` with these fields.
template <class Shown, int Dim>
void take(const PresentFields<Dim>& fields, int components, std::vector<double>& values) {
  for (int k = 0; k < components; ++k)
    for_each_on_host(Box<Dim>{Index<Dim>::filled(0), fields.grid.cells},
                     [&](const Index<Dim>& c) { values.push_back(Shown::at(fields, k, c)); });
}

// Of all statistics in all cells, and of the vorticity of the mean velocity.
template <int Dim>
std::vector<double> shown(const NavierStokes<Dim, Host>& flow, MeanFields<Dim, Host>& means) {
  const auto source = source_of(flow);
  std::vector<double> values;
  PresentFields<Dim> fields = present_fields(flow);
  const auto& mean_velocity = means.integral("velocity", source);
  for (int d = 0; d < Dim; ++d) fields.velocity.component[d] = mean_velocity[d].view();
  take<VelocityOutput>(fields, Dim, values);
  take<VorticityOutput>(fields, Dim == 2 ? 1 : 3, values);
  for (const std::string name : {"pressure", "c"}) {
    fields.pressure = means.integral(name, source)[0].view();
    take<PressureOutput>(fields, 1, values);
  }
  for (const std::string& name : shown_statistics) {
    const auto statistic = find_statistic(name);
    if (statistic->kind == StatisticKind::mean) continue;
    fields.moments = means.moments(*statistic, source);
    take<MomentOutput<6>>(fields, MomentArrays::most, values);
  }
  return values;
}

// After steps of which the second is not averaged over.
template <int Dim>
std::vector<double> averaged(const SharedFlow& of, const Layout<Dim>& part) {
  MeanFields<Dim, Host> means(part, shown_statistics);
  int number = 0;
  const auto step = [&](NavierStokes<Dim, Host>& flow, double dt) {
    const auto source = source_of(flow);
    const bool averages = number++ != 1;
    averages ? means.begin_step(dt, source) : means.leave_window(source);
    const StepReport report = advance(flow, dt);
    EXPECT_TRUE(report.ok) << report.failure;
    if (averages) means.end_step(dt);
  };
  std::vector<double> values;
  tests::after_steps<Dim>(of, part, step, [&](const auto& flow) { values = shown(flow, means); });
  return values;
}

template <int Dim>
void expect_the_same_statistics_in_parts(test::FlowSketch sketch) {
  SCOPED_TRACE(sketch.name);
  sketch.solids.clear();
  SharedFlow of = tests::shared_flow(sketch, "rk3", "central");
  of.settings.pressure.method = "direct";
  const std::vector<double> expected = averaged<Dim>(of, layout_of<Dim>(of.grid));
  for (const int processes : {2, 3})
    tests::in_slabs<Dim>(processes, of, [&](const Layout<Dim>& part) {
      tests::expect_values_of_part(part, averaged<Dim>(of, part), expected);
    });
}

// Sums over layers after those steps, which all processes have.
template <int Dim>
LayerSums layers(const SharedFlow& of, const Layout<Dim>& part) {
  const LayerPlan plan = layer_plan(of.settings, of.problem, of.grid).value();
  std::array<double, Dim> lengths;
  for (int d = 0; d < Dim; ++d) lengths[static_cast<std::size_t>(d)] = of.grid.axis(d).length();
  MeanFields<Dim, Host> means(part, {}, LayerStatistics<Dim, Host>(plan, part, lengths));
  const auto step = [&](NavierStokes<Dim, Host>& flow, double dt) {
    means.begin_step(dt, source_of(flow));
    EXPECT_TRUE(advance(flow, dt).ok);
    means.end_step(dt);
  };
  LayerSums sums;
  tests::after_steps<Dim>(of, part, step,
                          [&](const auto& flow) { sums = means.layers(source_of(flow)).value(); });
  return sums;
}

TEST(StatisticsInParts, over_layers_have_the_bits_of_one_process_along_every_axis) {
  test::FlowSketch sketch = test::flows::periodic_box(3);
  sketch.solids.clear();
  SharedFlow of = tests::shared_flow(sketch, "rk3", "central");
  of.settings.pressure.method = "direct";
  of.settings.output.statistics = StatisticsSettings{.start = 0, .end = {}, .profile = {}};
  for (const char* axis : {"x", "y", "z"}) {
    of.settings.output.statistics->profile = axis;
    const LayerSums expected = layers<3>(of, layout_of<3>(of.grid));
    ASSERT_EQ(expected.batches.size(), 1U);
    for (const int processes : {2, 3})
      tests::in_slabs<3>(processes, of, [&](const Layout<3>& part) {
        const LayerSums now = layers<3>(of, part);
        ASSERT_EQ(now.batches.size(), 1U);
        EXPECT_EQ(now.batches[0].sums, expected.batches[0].sums) << axis;
      });
  }
}

TEST(StatisticsInParts, are_those_of_one_process) {
  expect_the_same_statistics_in_parts<2>(test::flows::cavity(2));
  expect_the_same_statistics_in_parts<2>(test::flows::open_box(2));
  expect_the_same_statistics_in_parts<3>(test::flows::periodic_box(3));
}

}  // namespace
}  // namespace hodge::sim
