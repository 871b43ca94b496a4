// Flow rates that are held along periodic axes, in boxes that processes share.
#include <gtest/gtest.h>

#include "sim/model/schemes.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using tests::expect_values_of_part;
using tests::SharedFlow;

// Periodic along `periodic`, walls along the other axes, with a rate held along each of these.
template <int Dim>
SharedFlow with_flow_rates(const std::string& scheme, const std::vector<int>& periodic) {
  test::FlowSketch sketch = test::flows::box("flow rates", Dim);
  const std::string wave = "sin(2*pi*(x + 0.4)/1.1)*cos(2*pi*(y - 0.3)/1.2)";
  sketch.velocity = {wave, "0.4*" + wave, Dim == 2 ? "0" : "0.3*" + wave};
  for (const int axis : periodic)
    for (test::SketchedSide& side : sketch.sides[static_cast<std::size_t>(axis)])
      side.kind = SideKind::periodic;
  SharedFlow flow = tests::shared_flow(sketch, scheme, "central");
  flow.settings.pressure.method = "direct";
  for (const int axis : periodic)
    flow.problem.flow_rate[static_cast<std::size_t>(axis)] =
        Expression::parse(axis == 0 ? "0.7 + sin(40*t)" : "0.2 - 3*t");
  return flow;
}

// The fields, and minus the mean pressure gradients over the density behind them.
template <int Dim>
std::vector<double> accelerations(const SharedFlow& of, const Layout<Dim>& part,
                                  std::vector<double>& fields) {
  std::vector<double> found;
  tests::after_steps<Dim>(of, part, [&](const auto& flow) {
    fields = tests::values_of<Dim>(flow, part);
    found = flow.flow_rates.published_to_host();
    for (int d = 0; d < Dim; ++d)
      EXPECT_EQ(found[static_cast<std::size_t>(d)] != 0.0, flow.flow_rates.holds(d));
  });
  return found;
}

template <int Dim>
void expect_the_same_rates_in_parts(const SharedFlow& of, int processes) {
  const Layout<Dim> whole = layout_of<Dim>(of.grid);
  std::vector<double> fields;
  const std::vector<double> expected = accelerations<Dim>(of, whole, fields);
  tests::in_slabs<Dim>(processes, of, [&](const Layout<Dim>& part) {
    std::vector<double> values;
    EXPECT_EQ(accelerations<Dim>(of, part, values), expected);
    expect_values_of_part(part, values, fields);
  });
}

TEST(FlowRatesInParts, are_held_as_by_one_process_along_axes_that_are_cut_or_not) {
  for (const TimeScheme& scheme : time_scheme_table())
    for (const std::vector<int>& periodic : {std::vector{0}, {1}, {0, 1}}) {
      SCOPED_TRACE(std::string(scheme.name) + ", first periodic axis " +
                   std::to_string(periodic[0]) + " of " + std::to_string(periodic.size()));
      const SharedFlow flow = with_flow_rates<2>(scheme.name, periodic);
      for (const int processes : {2, 3}) expect_the_same_rates_in_parts<2>(flow, processes);
    }
}

TEST(FlowRatesInParts, are_held_as_by_one_process_in_3d) {
  for (const std::string scheme : {"rk3", "bdf2"}) {
    SCOPED_TRACE(scheme);
    expect_the_same_rates_in_parts<3>(with_flow_rates<3>(scheme, {0, 2}), 3);
  }
}

}  // namespace
}  // namespace hodge::sim
