#include <gtest/gtest.h>

#include <string>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

sim::Settings defaults(const cases::Case& chosen, int dim, int cells) {
  sim::Settings settings = test::flow_settings(dim, cells);
  for (int d = 0; d < dim; ++d) {
    settings.grid.axes[d].lower = chosen.box.lower[d];
    settings.grid.axes[d].upper = chosen.box.upper[d];
  }
  for (const cases::Parameter& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  return settings;
}

// A box of 6 lengths around a body of length 1 at the origin, which 8 cells of the default box
// miss.
sim::Settings near_body(const cases::Case& chosen, int dim) {
  sim::Settings settings = defaults(chosen, dim, 24);
  for (int d = 0; d < dim; ++d) {
    settings.grid.axes[d].lower = -3;
    settings.grid.axes[d].upper = 3;
  }
  return settings;
}

TEST(Cases, all_run_with_their_defaults_in_each_of_their_dimensions) {
  for (const cases::Case& chosen : cases::case_table())
    for (const int dim : chosen.dimensions) {
      sim::Settings settings = defaults(chosen, dim, 8);
      if (!chosen.make(settings).solids.empty()) settings = near_body(chosen, dim);
      const auto flow = sim::make_flow(settings, chosen.make(settings));
      for (int step = 0; step < 2; ++step) {
        const sim::StepReport report = flow->advance(0.01);
        EXPECT_TRUE(report.ok) << chosen.name << ": " << report.failure;
      }
      EXPECT_TRUE(flow->diagnostics().finite) << chosen.name;
    }
}

TEST(Cases, have_defaults_within_their_bounds) {
  for (const cases::Case& chosen : cases::case_table())
    for (const cases::Parameter& parameter : chosen.parameters) {
      EXPECT_GE(parameter.default_value, parameter.lower) << chosen.name << ' ' << parameter.name;
      EXPECT_LE(parameter.default_value, parameter.upper) << chosen.name << ' ' << parameter.name;
    }
}

TEST(Cases, are_found_by_name) {
  for (const cases::Case& chosen : cases::case_table())
    EXPECT_EQ(cases::find_case(chosen.name), &chosen) << chosen.name << " stands twice";
  EXPECT_EQ(cases::find_case("lid_driven_cavety"), nullptr);
}

// Up to the divergence that their values on the faces have, which the start takes out.
TEST(Cases, with_exact_solutions_start_from_them) {
  for (const cases::Case& chosen : cases::case_table()) {
    const sim::Settings settings = defaults(chosen, chosen.dimensions[0], 16);
    const sim::Problem problem = chosen.make(settings);
    if (!problem.exact) continue;
    const auto flow = sim::make_flow(settings, problem);
    const sim::ErrorNorms errors = *flow->error_norms();
    EXPECT_LT(errors.velocity_max, 2e-3 * flow->diagnostics().max_speed) << chosen.name;
    EXPECT_LT(errors.pressure_max, 1e-12) << chosen.name;
  }
}

TEST(Cases, with_exact_scalars_start_from_them) {
  int scalars = 0;
  for (const cases::Case* chosen :
       {cases::find_case("manufactured_scalar"), cases::find_case("rotating_cone")})
    for (const int dim : chosen->dimensions) {
      const sim::Settings settings = defaults(*chosen, dim, 16);
      const auto errors = sim::make_flow(settings, chosen->make(settings))->error_norms();
      for (const sim::FieldErrors& scalar : errors.value().scalars)
        EXPECT_LT(scalar.max, 1e-14) << chosen->name << ' ' << scalar.name;
      scalars += static_cast<int>(errors->scalars.size());
    }
  EXPECT_EQ(scalars, 5);
}

TEST(Cases, of_rayleigh_benard_stay_at_rest_without_a_disturbance) {
  for (const int dim : {2, 3}) {
    sim::Settings settings = defaults(*cases::find_case("rayleigh_benard"), dim, 8);
    settings.parameters["amplitude"] = 0;
    const auto flow = sim::make_flow(settings, cases::find_case("rayleigh_benard")->make(settings));
    for (int step = 0; step < 3; ++step) EXPECT_TRUE(flow->advance(0.1).ok);
    EXPECT_LT(flow->diagnostics().max_speed, 1e-11);
  }
}

TEST(Cases, of_rayleigh_benard_need_a_whole_number_of_waves) {
  sim::Settings settings = defaults(*cases::find_case("rayleigh_benard"), 2, 8);
  settings.parameters["waves"] = 2;
  EXPECT_NO_THROW((void)cases::find_case("rayleigh_benard")->make(settings));
  settings.parameters["waves"] = 1.5;
  EXPECT_THROW((void)cases::find_case("rayleigh_benard")->make(settings), ConfigError);
}

TEST(Cases, with_formulas_for_one_box_refuse_another) {
  for (const cases::Case* chosen :
       {cases::find_case("smith_hutton"), cases::find_case("manufactured_scalar")}) {
    sim::Settings settings = defaults(*chosen, 2, 8);
    EXPECT_NO_THROW((void)chosen->make(settings));
    settings.grid.axes[1].upper = 1.5;
    EXPECT_THROW((void)chosen->make(settings), ConfigError) << chosen->name;
  }
}

TEST(Cases, of_taylor_green_need_a_whole_number_of_wavelengths) {
  sim::Settings settings = defaults(*cases::find_case("taylor_green"), 2, 8);
  settings.parameters["wavelength"] = 0.5;
  EXPECT_NO_THROW((void)cases::find_case("taylor_green")->make(settings));
  settings.parameters["wavelength"] = 0.7;
  EXPECT_THROW((void)cases::find_case("taylor_green")->make(settings), ConfigError);
}

}  // namespace
}  // namespace hodge
