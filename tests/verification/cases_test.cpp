#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cases/registry.hpp"
#include "linalg/errors.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

std::map<std::string, double> defaults(const cases::Case& chosen) {
  std::map<std::string, double> values;
  for (const cases::Parameter& parameter : chosen.parameters)
    values[parameter.name] = parameter.default_value;
  return values;
}

TEST(Cases, all_run_with_their_defaults_in_each_of_their_dimensions) {
  for (const cases::Case& chosen : cases::case_table())
    for (const int dim : chosen.dimensions) {
      const sim::Settings settings = test::flow_settings(dim, 8);
      const auto flow = sim::make_flow(settings, chosen.make(defaults(chosen), settings.grid));
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
    EXPECT_STREQ(cases::find_case(chosen.name)->name, chosen.name);
  EXPECT_EQ(cases::find_case("lid_driven_cavety"), nullptr);
}

TEST(Cases, with_exact_solutions_start_from_them) {
  for (const cases::Case& chosen : cases::case_table()) {
    const sim::Settings settings = test::flow_settings(chosen.dimensions[0], 16);
    const sim::Problem problem = chosen.make(defaults(chosen), settings.grid);
    if (!problem.exact) continue;
    const sim::ErrorNorms errors = *sim::make_flow(settings, problem)->error_norms();
    EXPECT_LT(errors.velocity_max, 1e-12) << chosen.name;
    EXPECT_LT(errors.pressure_max, 1e-12) << chosen.name;
  }
}

TEST(Cases, of_taylor_green_need_a_whole_number_of_wavelengths) {
  auto parameters = defaults(cases::taylor_green);
  parameters["wavelength"] = 0.5;
  EXPECT_NO_THROW((void)cases::taylor_green.make(parameters, test::flow_settings(2, 8).grid));
  parameters["wavelength"] = 0.7;
  EXPECT_THROW((void)cases::taylor_green.make(parameters, test::flow_settings(2, 8).grid),
               ConfigError);
}

}  // namespace
}  // namespace hodge
