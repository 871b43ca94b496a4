// Steady flow in a cube driven by its lid at Re = 1000: velocities on the centrelines against the
// Chebyshev solution of S. Albensoeder & H. C. Kuhlmann, J. Comput. Phys. 206, 2005.
//
// The grids are finer towards the walls (tanh); the second starts from the steady state of the
// first.
//
// Bounds: the data are good to their five digits, so that what is left is our error on the finest
// grid. A third of the difference of the two grids is 0.0XX.
#include <fmt/format.h>

#include <memory>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/compare_profile.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

sim::Settings cube_settings(const ValidateOptions& options, int cells) {
  sim::Settings settings =
      case_settings(options, "lid_driven_cavity", {cells, cells, cells}, {{"reynolds", 1000}});
  for (sim::AxisSettings& axis : settings.grid.axes) {
    axis.stretching = "tanh";
    axis.strength = 1.5;
  }
  settings.time.end = 500;
  settings.time.step.size = 0.1;
  settings.time.steady_tolerance = 2e-5;
  settings.pressure.tolerance = 1e-3;
  return settings;
}

void compare_lines(const std::string& run, const sim::Flow& flow, double bound, Report& report) {
  const CellField velocity(flow, "velocity");
  const auto& grid = velocity.grid();
  const Bound judged = bound > 0 ? absolute(bound) : Bound{};
  const std::string source = "Albensoeder & Kuhlmann 2005";
  compare_profile(
      report, run,
      with_ends(velocity.line(0, {.axis = 1, .through = {0.5, 0, 0.5}}), grid.axis(1), 0, 1),
      {.quantity = "u on x = z = 0.5",
       .position = "y",
       .value = "u",
       .points = read_reference("cavity3d_Re1000_u_y.csv", "u_cube"),
       .bound = judged,
       .source = source + ", Table 5"});
  compare_profile(
      report, run,
      with_ends(velocity.line(1, {.axis = 0, .through = {0, 0.5, 0.5}}), grid.axis(0), 0, 0),
      {.quantity = "v on y = z = 0.5",
       .position = "x",
       .value = "v",
       .points = read_reference("cavity3d_Re1000_v_x.csv", "v_cube"),
       .bound = judged,
       .source = source + ", Table 6"});
}

void validate_lid_driven_cavity_3d(const ValidateOptions& options, Report& report) {
  const std::vector<int> grids = options.quick ? std::vector{20} : std::vector{48, 96};
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : grids) {
    const sim::Settings settings = cube_settings(options, cells);
    const std::string name = cells_text(settings);
    sim::Problem problem = case_problem(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    flow = run_to_steady_state(report, settings, problem, name);
    compare_lines(name, *flow, cells == grids.back() ? (options.quick ? 0.1 : 0.01) : 0, report);
  }
}

}  // namespace

const Validation lid_driven_cavity_3d_validation{
    "lid_driven_cavity_3d", "centrelines of the cube at Re 1000 against a Chebyshev solution",
    validate_lid_driven_cavity_3d};

}  // namespace hodge::tools
