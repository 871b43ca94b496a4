// Cases by name, run without output with fixed steps: what every validation does.
//
//   sim::Settings settings = case_settings(options, "taylor_green", {64, 64}, {{"viscosity",
//   0.02}}); settings.time.scheme = "rk3"; const auto flow = run_case(report, settings, {.end =
//   0.5, .steps = 100, .name = "64 x 64"});
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"
#include "tools/hodge/validate/report.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

// The case on its own box with its default parameters, those given instead, and a tolerance of the
// increments below every discretisation error, 1e-8.
// Errors: ConfigError for a case, parameter or dimension that is not known.
sim::Settings case_settings(const ValidateOptions& options, const std::string& case_name,
                            const std::vector<int>& cells,
                            const std::map<std::string, double>& parameters = {});

sim::Problem case_problem(const sim::Settings& settings);

struct FixedSteps {
  double end = 0;
  long steps = 0;
  std::string name;                                 // of the run, in messages
  std::function<void(const sim::Flow&)> observe{};  // after every step
};

// Errors: NumericalError where a solve fails or the result is not finite.
void advance(sim::Flow& flow, const FixedSteps& plan);

// Makes the flow and advances it; tells how long that took.
std::unique_ptr<sim::Flow> run_case(const Report& report, const sim::Settings& settings,
                                    const FixedSteps& plan);

// A number of the present fields by its name in history.csv (sim/OUTPUT.md). Errors: ConfigError
// where the problem has no such number.
double quantity(const sim::Flow& flow, const std::string& name);

// "64 x 32 cells"
std::string cells_text(const sim::Settings& settings);

}  // namespace hodge::tools
