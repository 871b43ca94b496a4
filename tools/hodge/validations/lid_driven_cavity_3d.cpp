// Steady flow in a cube driven by its lid at Re = 1000: velocities on the centrelines against the
// Chebyshev solution of S. Albensoeder & H. C. Kuhlmann, J. Comput. Phys. 206, 2005.
//
// The grids are finer towards the walls (tanh); the second starts from the steady state of the
// first.
//
// Bounds: the data are good to their five digits, so what is left is our error on the finest grid.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::lid_driven_cavity_3d {

Settings cube_settings(const Report& report, int cells) {
  Settings settings =
      case_settings(report, "lid_driven_cavity", {cells, cells, cells}, {{"reynolds", 1000}});
  for (sim::AxisSettings& axis : settings.grid.axes) {
    axis.stretching = "tanh";
    axis.strength = 1.5;
  }
  set_steady(settings, {.step = 0.1, .tolerance = 2e-5, .end = 500, .pressure = 1e-3});
  return settings;
}

void compare_lines(const std::string& run, const Flow& flow, Bound bound, Report& report) {
  const CellField velocity(flow, "velocity");
  compare_profile(
      report, run, velocity.line(0, {.axis = 1, .through = {0.5, 0, 0.5}, .ends = {{0, 1}}}),
      {"u on x = z = 0.5", "y", "u", read_reference("cavity3d_Re1000_u_y.csv", "u_cube"), bound,
       "Albensoeder & Kuhlmann 2005, Table 5"});
  compare_profile(
      report, run, velocity.line(1, {.axis = 0, .through = {0, 0.5, 0.5}, .ends = {{0, 0}}}),
      {"v on y = z = 0.5", "x", "v", read_reference("cavity3d_Re1000_v_x.csv", "v_cube"), bound,
       "Albensoeder & Kuhlmann 2005, Table 6"});
}

void run_cube(Report& report) {
  const auto grids = report.choose<std::vector<int>>({20}, {48, 96});
  FlowPointer flow;
  for (const int cells : grids) {
    const Settings settings = cube_settings(report, cells);
    const std::string name = cells_text(settings);
    flow = run_to_steady_state(report, settings, name, flow.get());
    const bool finest = cells == grids.back();
    compare_lines(name, *flow, finest ? absolute(report.choose(0.1, 0.01)) : Bound{}, report);
  }
}

Validations describe() {
  return {{"centrelines of the cube at Re 1000 against a Chebyshev solution", {run_cube}}};
}

}  // namespace hodge::tools::validations::lid_driven_cavity_3d
