// The pressure is of second order up to sides along which the velocity is given, and in the corners
// where they meet (operators/side_friction.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/registry.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

sim::Settings settings_of(const cases::Case& chosen, const std::string& scheme,
                          std::array<int, 3> cells) {
  const int dim = chosen.dimensions[0];
  sim::Settings settings = test::flow_settings(dim, 1);
  for (int d = 0; d < dim; ++d)
    settings.grid.axes[d] = {
        .cells = cells[d], .lower = chosen.box.lower[d], .upper = chosen.box.upper[d]};
  for (const cases::Parameter& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  settings.time.scheme = scheme;
  settings.pressure.tolerance = 1e-6;
  settings.transport.tolerance = 1e-8;
  if (scheme == "cn_ab2") settings.transport.method = "cg";
  return settings;
}

// Steps until nothing changes any more, or to the end.
sim::ErrorNorms run(const sim::Settings& settings, const cases::Case& chosen, double dt,
                    double end) {
  const auto flow = sim::make_flow(settings, chosen.make(settings));
  bool steady = false;
  while (!steady && flow->time() < end - 1e-9) {
    const sim::StepReport report = flow->advance(dt);
    EXPECT_TRUE(report.ok) << settings.time.scheme << ": " << report.failure;
    if (!report.ok) break;
    steady = flow->diagnostics().rate_of_change < 1e-5;
  }
  return flow->error_norms().value();
}

void expect_pressure_orders(const sim::ErrorNorms& coarse, const sim::ErrorNorms& fine) {
  EXPECT_GT(std::log2(coarse.pressure_l2 / fine.pressure_l2), 1.9);
  EXPECT_GT(std::log2(coarse.pressure_max / fine.pressure_max), 1.5);
  EXPECT_GT(std::log2(coarse.velocity_l2 / fine.velocity_l2), 1.9);
  EXPECT_GT(std::log2(coarse.velocity_max / fine.velocity_max), 1.5);
}

class PressureOrder : public testing::TestWithParam<const char*> {};

// Steady; the exact velocity on all four sides.
TEST_P(PressureOrder, of_kovasznay_flow_is_2_up_to_the_corners) {
  const auto errors = [](int cells) {
    const bool implicit =
        GetParam() == std::string("bdf2") || GetParam() == std::string("backward_euler");
    const double stable = (GetParam() == std::string("ab2") ? 0.08 : 0.2) / cells;
    return run(settings_of(*cases::find_case("kovasznay"), GetParam(), {3 * cells / 2, cells, 1}),
               *cases::find_case("kovasznay"), implicit ? 0.02 : stable, 10);
  };
  expect_pressure_orders(errors(16), errors(32));
}

INSTANTIATE_TEST_SUITE_P(Schemes, PressureOrder,
                         testing::Values("bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"),
                         [](const auto& name) { return std::string(name.param); });

// Unsteady, in 3D, with edges and corners; steps so small that their error does not count.
TEST(PressureOrderIn3D, of_ethier_steinman_flow_is_2_up_to_the_corners) {
  for (const char* scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    SCOPED_TRACE(scheme);
    const auto errors = [&](int cells) {
      return run(settings_of(*cases::find_case("ethier_steinman"), scheme, {cells, cells, cells}),
                 *cases::find_case("ethier_steinman"), 0.0025, 0.05);
    };
    expect_pressure_orders(errors(8), errors(16));
  }
}

}  // namespace
}  // namespace hodge
