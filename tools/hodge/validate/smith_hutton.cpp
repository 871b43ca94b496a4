// A steep front carried round a bend: the scalar at the outlet, y = 0, 0 <= x <= 1, with every
// scheme, for little and for nearly no diffusion.
//
//   reference   columns conv* of smith_hutton1982.csv: converged central solutions, about 1e-4; the
//               printed table is up to 0.016 off
//
// Steady states are those of long steps of backward_euler: a step without end solves the steady
// equations at once, but the corrections of quick and van_leer are taken from the step before.
// dc/dy = 0 at the outlet, so that there c = (9 c_0 - c_1) / 8 of the two rows of cells next to it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/compare_profile.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

struct Plan {
  std::string scheme;
  double ratio;        // rho / Gamma
  std::string column;  // of the reference
  double bound;        // of every point
};

Profile outlet(const sim::Flow& flow) {
  const CellField scalar(flow, "scalar");
  const sim::Axis& axis = scalar.grid().axis(0);
  Profile profile;
  for (int i = 0; i < axis.cells(); ++i)
    if (axis.centre(i) > 0)
      profile.add(axis.centre(i), (9 * scalar(0, {i, 0, 0}) - scalar(0, {i, 1, 0})) / 8);
  return profile;
}

std::unique_ptr<sim::Flow> steady_state(const ValidateOptions& options, const Plan& plan, int cells,
                                        Report& report) {
  sim::Settings settings =
      case_settings(options, "smith_hutton", {2 * cells, cells}, {{"ratio", plan.ratio}});
  settings.time.scheme = "backward_euler";
  settings.convection_scheme = plan.scheme;
  settings.time.end = 1e9;
  settings.time.step.size = plan.scheme == "central" || plan.scheme == "upwind" ? 1e6 : 0.05;
  settings.time.steady_tolerance = 1e-6;
  return run_to_steady_state(
      report, settings, case_problem(settings),
      fmt::format("{}, rho/Gamma {:g}, {}", plan.scheme, plan.ratio, cells_text(settings)));
}

void add_bounds(const sim::Flow& flow, const std::string& run, Report& report) {
  const std::vector<double> values = flow.cell_arrays({"scalar"})[0].values;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  report.add({.quantity = "least value",
              .run = run,
              .measured = *least,
              .bound = at_least(1 - std::tanh(10.0) - 1e-9),
              .source = "the inlet"});
  report.add({.quantity = "largest value",
              .run = run,
              .measured = *largest,
              .bound = at_most(1 + std::tanh(10.0) + 1e-9),
              .source = "the inlet"});
}

void run_plan(const ValidateOptions& options, const Plan& plan, int cells, Report& report) {
  const auto flow = steady_state(options, plan, cells, report);
  const std::string run =
      fmt::format("{}, rho/Gamma {:g}, {} x {} cells", plan.scheme, plan.ratio, 2 * cells, cells);
  std::vector<ReferencePoint> points = read_reference("smith_hutton1982.csv", plan.column);
  std::erase_if(points, [](const ReferencePoint& p) { return p.position <= 0 || p.position >= 1; });
  compare_profile(report, run, outlet(*flow),
                  {.quantity = fmt::format("outlet, rho/Gamma {:g}", plan.ratio),
                   .position = "x",
                   .value = "c",
                   .points = points,
                   .bound = absolute(plan.bound),
                   .source = "smith_hutton1982.csv, converged"});
  if (plan.scheme == "upwind" || plan.scheme == "van_leer") add_bounds(*flow, run, report);
}

void run(const ValidateOptions& options, Report& report) {
  const std::vector<Plan> plans{
      {"central", 10, "graded10", 0.002},  {"upwind", 10, "graded10", 0.05},
      {"quick", 10, "graded10", 0.002},    {"van_leer", 10, "graded10", 0.005},
      {"central", 1000, "conv1000", 0.02}, {"upwind", 1000, "conv1000", 0.3},
      {"quick", 1000, "conv1000", 0.02},   {"van_leer", 1000, "conv1000", 0.05},
      {"upwind", 1e6, "conv1e6", 0.3},     {"quick", 1e6, "conv1e6", 0.05},
      {"van_leer", 1e6, "conv1e6", 0.05}};
  for (const Plan& plan : plans) run_plan(options, plan, options.quick ? 40 : 100, report);
}

}  // namespace

const Validation smith_hutton_validation{
    "smith_hutton", "a steep front at the outlet of a bend, with every scheme", run};

}  // namespace hodge::tools
