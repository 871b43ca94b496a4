// Cases by name, run without output, with fixed steps to a time or until nothing changes any more:
// what every validation does.
//
//   sim::Settings settings = case_settings(report, "taylor_green", {64, 64}, {{"u0", 0.5}});
//   settings.time.scheme = "rk3";
//   const auto flow = run_case(report, settings, {.end = 0.5, .steps = 100, .name = "64 x 64"});
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

// The case on its own box and on the report's device, with its default parameters except for the
// given ones, by a time scheme. The tolerance of the increments is below every discretisation
// error, 1e-8. Errors: ConfigError for a case, parameter or dimension that is not known.
sim::Settings case_settings(const Report& report, const std::string& case_name,
                            const std::vector<int>& cells,
                            const std::map<std::string, double>& parameters = {},
                            const std::string& scheme = sim::TimeSettings{}.scheme);

sim::Problem case_problem(const sim::Settings& settings);

struct FixedSteps {
  double end = 0;
  long steps = 0;
  std::string name;                                 // of the run, in messages
  std::function<void(const sim::Flow&)> observe{};  // after every step
};

// Errors: NumericalError where a solve fails or the result is not finite.
void advance(sim::Flow& flow, const FixedSteps& plan);

// Makes the flow and advances it; prints how long that took.
std::unique_ptr<sim::Flow> run_case(const Report& report, const sim::Settings& settings,
                                    const FixedSteps& plan);

// Fixed steps until the rate of change is at most the tolerance, at most to `end`. The steady state
// does not depend on the step.
struct SteadyPlan {
  double step, tolerance, end;
  std::optional<double> pressure{};  // the tolerance of its increments, if another than it was
};
void set_steady(sim::Settings& settings, const SteadyPlan& plan);

// Steps of settings.time.step.size until the rate of change of velocity and scalars is at most
// settings.time.steady_tolerance. Prints when and after how many seconds. Errors: NumericalError
// where a solve fails, a field is not finite, or settings.time.end comes first.
std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name);

// The same of the case of the settings, from its own initial state or from that of another flow,
// which may stand on another grid (linear between its cell centres).
std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const std::string& name,
                                               const sim::Flow* start = nullptr);

// The order in time of the one quantity of the study: runs of fewest, 2, 4 and 8 times as many
// steps, each compared with the next one in the cells of `field`, so that the error in space drops
// out. `grid` names it in the table.
using RunWithSteps = std::function<std::unique_ptr<sim::Flow>(long steps)>;
void add_time_order(Report& report, Convergence study, const std::string& grid, long fewest,
                    const RunWithSteps& run, const std::string& field = "velocity");

// A number of the present fields by its name in history.csv (sim/OUTPUT.md). Errors: ConfigError
// where the problem has no such number.
double quantity(const sim::Flow& flow, const std::string& name);

// "64 x 32 cells"
std::string cells_text(const sim::Settings& settings);

}  // namespace hodge::tools
