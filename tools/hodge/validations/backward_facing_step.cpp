// Flow over a backward-facing step at Re = 800: where it reattaches to the lower wall, separates
// from and reattaches to the upper wall, and the velocity across the channel at x = 7 and x = 15,
// against D. K. Gartling 1990.
//
// There is no quick form: on coarse grids the shear layers sway for long.
//
// Bounds: 2 % of each length. The published digits of the profiles differ from an independent
// solution by up to 0.001 (u) and 0.0002 (v), as their file says. The rest of the bounds of the
// profiles is for the grid: an error of 2 % of the lower reattachment moves the profiles by 0.12,
// and u changes by up to 0.2 within that at x = 7, 0.02 at x = 15.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::backward_facing_step {

// du/dn at a resting wall along x: the slope there of the parabola through the wall and the two
// nearest cells of every column.
Profile wall_slope(const CellField& velocity, bool upper) {
  const sim::Axis& axis = velocity.grid().axis(1);
  const int n = axis.cells(), near = upper ? n - 1 : 0, far = upper ? n - 2 : 1;
  const double wall = upper ? axis.upper() : axis.lower();
  const double a = std::abs(axis.centre(near) - wall), b = std::abs(axis.centre(far) - wall);
  const Profile first = velocity.line(0, {.axis = 0, .through = {0, axis.centre(near), 0}});
  Profile slope = velocity.line(0, {.axis = 0, .through = {0, axis.centre(far), 0}});
  for (std::size_t i = 0; i < slope.size(); ++i)
    slope[i].value = (b * b * first[i].value - a * a * slope[i].value) / (a * b * (b - a));
  return slope;
}

// The flow turns back to forward on the lower wall once, apart from small eddies in the corner of
// the step; on the upper one it turns back and forward again. 0 where it does not.
void add_lengths(const std::string& run, const CellField& velocity, Bound bound, Report& report) {
  const auto add = [&](const char* name, const char* column, double measured) {
    report.add({name, run, measured,
                reference_value("bfs_gartling1990_Re800_lengths.csv", column, 800), bound,
                "Gartling 1990"});
  };
  const std::vector<double> lower = zeros(wall_slope(velocity, false)),
                            upper = zeros(wall_slope(velocity, true));
  const bool separates = upper.size() >= 2;
  add("lower reattachment", "lower_reattachment", lower.empty() ? 0 : lower.back());
  add("upper separation", "upper_separation", separates ? upper[upper.size() - 2] : 0);
  add("upper reattachment", "upper_reattachment", separates ? upper.back() : 0);
}

struct ProfileColumn {
  const char* name;  // in the file
  double x;
  int component;
  double scale;  // of the file's numbers
  double bound;
};
constexpr ProfileColumn profile_columns[] = {
    {"u7", 7, 0, 1, 0.02},
    {"v7_x100", 7, 1, 0.01, 0.003},
    {"u15", 15, 0, 1, 0.01},
    {"v15_x100", 15, 1, 0.01, 0.001},
};

void add_profiles(const std::string& run, const CellField& velocity, Report& report) {
  for (const auto& [column, x, component, scale, bound] : profile_columns) {
    const Profile points = read_reference("bfs_gartling1990_Re800_profiles.csv", column);
    const char* const name = component == 0 ? "u" : "v";
    compare_profile(report, run,
                    velocity.line(component, {.axis = 1, .through = {x, 0, 0}, .ends = {{0, 0}}}),
                    {fmt::format("{} at x = {}", name, x), "y", name, scaled(points, scale),
                     absolute(bound), "Gartling 1990"});
  }
}

void run_step(Report& report) {
  FlowPointer flow;
  for (const int cells : {32, 64, 96}) {
    Settings settings = case_settings(report, "backward_facing_step", {10 * cells, cells});
    set_steady(settings, {.step = 0.1, .tolerance = 1e-5, .end = 2000, .pressure = 1e-4});
    const std::string name = cells_text(settings);
    flow = run_to_steady_state(report, settings, name, flow.get());
    const CellField velocity(*flow, "velocity");
    const bool finest = cells == 96;
    add_lengths(name, velocity, finest ? relative(0.02) : Bound{}, report);
    if (finest) add_profiles(name, velocity, report);
  }
}

Validations describe() {
  return {{"reattachment lengths and profiles at Re 800 against Gartling", {run_step}, false}};
}

}  // namespace hodge::tools::validations::backward_facing_step
