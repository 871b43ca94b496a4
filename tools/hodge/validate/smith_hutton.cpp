// A steep front carried round a bend: the scalar at the outlet, y = 0, 0 <= x <= 1, with every
// scheme, for much, little and nearly no diffusion.
//
//   reference   columns graded10, conv1000 and conv1e6 of smith_hutton1982.csv: own converged
//               solutions, about 1e-4; the printed table is up to 0.016 off
//
// Steady states are those of steps of backward_euler that are long for the front. dc/dy = 0 at the
// outlet, so that there c = (9 c_0 - c_1) / 8 of the two rows of cells next to it.
//
// Bounds on N cells across, for the point that is farthest off. rho/Gamma = 10: 1 / N, since where
// the condition changes at the origin the solution goes like the square root of the distance, and
// equal cells converge with first order. 1000 and 1e6: the front is 0.1 wide; 40 / N^2. upwind, of
// first order, is told: it smears the front over 0.3. central is left out at 1e6, where its short
// waves hardly decay.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/compare_profile.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

struct BendPlan {
  std::string scheme;
  double ratio;        // rho / Gamma
  std::string column;  // of the reference
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

std::unique_ptr<sim::Flow> steady_state(const ValidateOptions& options, const BendPlan& plan,
                                        int cells, const std::string& run, Report& report) {
  sim::Settings settings =
      case_settings(options, "smith_hutton", {2 * cells, cells}, {{"ratio", plan.ratio}});
  settings.time.scheme = "backward_euler";
  settings.convection_scheme = plan.scheme;
  settings.time.end = 100;
  settings.time.step.size = 0.1;
  settings.time.steady_tolerance = 1e-5;
  return run_to_steady_state(report, settings, case_problem(settings), run);
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

void run_plan(const ValidateOptions& options, const BendPlan& plan, int cells, Report& report) {
  const std::string run =
      fmt::format("{}, rho/Gamma {:g}, {} x {} cells", plan.scheme, plan.ratio, 2 * cells, cells);
  const auto flow = steady_state(options, plan, cells, run, report);
  std::vector<ReferencePoint> points = read_reference("smith_hutton1982.csv", plan.column);
  std::erase_if(points, [](const ReferencePoint& p) { return p.position <= 0 || p.position >= 1; });
  const double bound = plan.ratio == 10 ? 1.0 / cells : 40.0 / (cells * cells);
  compare_profile(report, run, outlet(*flow),
                  {.quantity = "c at the outlet",
                   .position = "x",
                   .value = "c",
                   .points = points,
                   .bound = plan.scheme == "upwind" ? Bound{} : absolute(bound),
                   .source = "smith_hutton1982.csv, " + plan.column});
  if (plan.scheme == "upwind" || plan.scheme == "van_leer") add_bounds(*flow, run, report);
}

void validate_smith_hutton(const ValidateOptions& options, Report& report) {
  for (const auto& [ratio, column] :
       {std::pair{10.0, "graded10"}, {1000.0, "conv1000"}, {1e6, "conv1e6"}})
    for (const std::string scheme : {"central", "upwind", "quick", "van_leer"})
      if (scheme != "central" || ratio < 1e6)
        run_plan(options, {scheme, ratio, column}, options.quick ? 40 : 100, report);
}

}  // namespace

const Validation smith_hutton_validation{"smith_hutton",
                                         "a steep front at the outlet of a bend, with every scheme",
                                         validate_smith_hutton};

}  // namespace hodge::tools
