// The last correction of a step measures what diagnostics ask for: in one pass with the bits of
// two.
#include <gtest/gtest.h>

#include "sim/flow/diagnostics.hpp"
#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using tests::SharedFlow;

SharedFlow solved_directly(test::FlowSketch sketch, const std::string& scheme) {
  sketch.solids.clear();
  sketch.scalars.clear();
  SharedFlow flow = tests::shared_flow(sketch, scheme, "central");
  flow.settings.pressure.method = "direct";
  return flow;
}

template <int Dim>
Diagnostics diagnosed(const NavierStokes<Dim, Host>& flow, MeasuredCells<Host>& measured,
                      bool are_measured) {
  const DiagnosedFields<Dim> fields{flow.grid.view(),
                                    flow.sides(),
                                    flow.fields.velocity.view(),
                                    flow.fields.previous.view(),
                                    flow.fields.pressure_of_level().view(),
                                    flow.bodies.view(),
                                    flow.density,
                                    flow.grid.box_volume(),
                                    1.0,
                                    1.0,
                                    has_sides(flow.boundary.sides_of_whole_box())};
  double level = measured.level;
  return diagnose(fields, flow.fields.last_dt, level, measured.results, are_measured);
}

template <int Dim>
void expect_what_two_passes_give(const SharedFlow& of) {
  SCOPED_TRACE(of.settings.time.scheme);
  const Layout<Dim> whole = layout_of<Dim>(of.grid);
  const std::vector<double> expected = tests::values_after_steps<Dim>(of, whole);
  MeasuredCells<Host> measured;
  measured.level = 0.3;
  const auto step = [&](NavierStokes<Dim, Host>& flow, double dt) {
    measured.are_present = false;
    flow.measured = &measured;
    const StepReport report = advance(flow, dt);
    EXPECT_TRUE(report.ok) << report.failure;
  };
  tests::after_steps<Dim>(of, whole, step, [&](const NavierStokes<Dim, Host>& flow) {
    EXPECT_EQ(tests::values_of<Dim>(flow, whole), expected);
    ASSERT_TRUE(measured.are_present);
    const Diagnostics by_step = diagnosed(flow, measured, true);
    const Diagnostics anew = diagnosed(flow, measured, false);
    EXPECT_EQ(by_step.cfl_rate, anew.cfl_rate);
    EXPECT_EQ(by_step.kinetic_energy, anew.kinetic_energy);
    EXPECT_EQ(by_step.max_divergence, anew.max_divergence);
    EXPECT_EQ(by_step.max_speed, anew.max_speed);
    EXPECT_EQ(by_step.rate_of_change, anew.rate_of_change);
    EXPECT_EQ(by_step.divergence_rounding, anew.divergence_rounding);
    EXPECT_TRUE(by_step.finite);
    EXPECT_GT(by_step.cfl_rate, 0.0);
    EXPECT_GT(by_step.rate_of_change, 0.0);
  });
}

TEST(MeasuredSteps, have_the_bits_of_two_passes_at_sides_of_every_kind) {
  for (const std::string scheme : {"rk3", "ab2"}) {
    expect_what_two_passes_give<2>(solved_directly(test::flows::cavity(2), scheme));
    expect_what_two_passes_give<2>(solved_directly(test::flows::open_corner(2), scheme));
    expect_what_two_passes_give<3>(solved_directly(test::flows::channel(3), scheme));
    expect_what_two_passes_give<3>(solved_directly(test::flows::periodic_box(3), scheme));
  }
}

}  // namespace
}  // namespace hodge::sim
