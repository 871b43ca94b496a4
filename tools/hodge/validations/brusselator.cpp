// The Brusselator with diffusion: reactions and transport together.
//
//   order in time    the line on one grid, steps of dt, dt/2, dt/4, dt/8: the differences of
//                    successive runs fall with the order of Strang's splitting, 2
//   order            the line on grids of N, 2N, 4N cells, the step in proportion to the cell,
//                    against brusselator_line.csv: u at 15 points, root mean square
//   profiles         the line at t = 10 on the finest grid
//   square           at 16 points against brusselator.csv, which has the same grid, so that only
//                    time is discretised: the order at t = 1.5, after the pulse of t = 1.1 began,
//                    and the error at t = 11.5
//
// Bounds of profiles and values are those of second order with the constants seen here, rounded up.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::brusselator {

constexpr const char* line_file = "brusselator_line.csv";
constexpr const char* square_file = "brusselator.csv";
constexpr double least_splitting_order = 1.9;

FlowPointer run_line(int cells, double end, long steps, Report& report) {
  // Nothing changes along y, so that 4 cells do.
  const Settings settings = case_settings(report, "brusselator_line", {cells, 4});
  const double dt = end / static_cast<double>(steps);
  return run_case(
      report, settings,
      {.end = end, .steps = steps, .name = fmt::format("line, {} cells, dt = {:.4g}", cells, dt)});
}

Profile line_profile(const Flow& flow, const std::string& name) {
  const double side = name == "u" ? 1.0 : 3.0;
  return CellField(flow, name).line(0, {0, {0, 0.5, 0}, {{side, side}}});
}

// u or v over x in the rows of time t.
Profile reference_profile(const std::string& column, double t) {
  Profile profile;
  const auto x = read_reference(line_file, "x"), values = read_reference(line_file, column);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].position == t) profile.push_back({x[i].value, values[i].value});
  if (profile.empty()) throw ConfigError(fmt::format("{}: no row of t = {}", line_file, t));
  return profile;
}

double rms_error(const Profile& profile, const Profile& reference) {
  Profile squares = reference;
  for (auto& [x, value] : squares) value = std::pow(interpolate(profile, x) - value, 2);
  return std::sqrt(mean(squares));
}

void add_line_time_order(Report& report) {
  const int cells = report.choose(32, 64);
  add_time_order(
      report,
      {"differences of successive steps",
       "steps to t = 2",
       {{"line, u, difference to half the step", least_splitting_order}},
       "Strang's splitting: 2"},
      fmt::format("{} cells", cells), 40,
      [&](long steps) { return run_line(cells, 2, steps, report); }, "u");
}

void add_order(Report& report) {
  constexpr double end = 2;
  Convergence study{"errors of the line at t = 2",
                    "cells",
                    {{"line, u, error at 15 points, rms", least_splitting_order},
                     {"line, v, error at 15 points, rms", least_splitting_order}},
                    "Chebyshev collocation"};
  for (const int cells : doubled(report.choose(16, 32))) {
    const auto flow = run_line(cells, end, 2 * cells, report);
    const auto error = [&](const char* name) {
      return rms_error(line_profile(*flow, name), reference_profile(name, end));
    };
    study.add(cells, fmt::format("{} cells, {} steps", cells, 2 * cells), {error("u"), error("v")});
  }
  study.write(report);
}

void add_profiles(Report& report) {
  constexpr double end = 10;
  const int cells = report.choose(64, 128);
  const auto flow = run_line(cells, end, 10 * cells, report);
  for (const char* name : {"u", "v"})
    compare_profile(report, fmt::format("line, {} cells, t = 10", cells), line_profile(*flow, name),
                    {fmt::format("{} on the line", name), "x", name, reference_profile(name, end),
                     absolute(report.choose(6e-4, 1.5e-4)), "Chebyshev collocation"});
}

// Of u and v at the points of the file at this time.
double largest_error(const Flow& flow, int cells) {
  const auto column = [](const char* name) { return read_reference(square_file, name); };
  const auto time = column("t"), x = column("x"), y = column("y"), u = column("u"), v = column("v");
  const CellField field_u(flow, "u"), field_v(flow, "v");
  double worst = 0;
  bool known = false;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i].position != cells || time[i].value != flow.time()) continue;
    known = true;
    const Point at{x[i].value, y[i].value, 0};
    worst = std::max({worst, std::abs(field_u.value(0, at) - u[i].value),
                      std::abs(field_v.value(0, at) - v[i].value)});
  }
  if (!known)
    throw ConfigError(
        fmt::format("{}: no row of {} cells and t = {}", square_file, cells, flow.time()));
  return worst;
}

void add_square(Report& report) {
  constexpr int cells = 32;  // those of the file
  const char* const source = "Radau IIA on the same grid";
  const Settings settings = case_settings(report, "brusselator", {cells, cells});
  const std::string grid = cells_text(settings);
  Convergence study{
      "errors of the square at t = 1.5",
      "steps a unit of time",
      {{"square, t = 1.5, largest error of u and v at 16 points", least_splitting_order}},
      source};
  FlowPointer flow;
  const std::vector<int> steps_per_time = doubled(report.choose(10, 40));
  for (const int steps : steps_per_time) {
    const std::string run = fmt::format("{}, dt = 1/{}", grid, steps);
    flow =
        run_case(report, settings, {.end = 1.5, .steps = 3 * steps / 2, .name = "square, " + run});
    study.add(steps, run, {largest_error(*flow, cells)});
  }
  study.write(report);
  const int finest = steps_per_time.back();
  const std::string run = fmt::format("square, {}, dt = 1/{}, t = 11.5", grid, finest);
  advance(*flow, {.end = 11.5, .steps = 10 * finest, .name = run});
  report.limit("square, largest error of u and v at 16 points", run, largest_error(*flow, cells),
               at_most(report.choose(4e-3, 2.5e-4)), source);
}

Validations describe() {
  return {{"reactions with diffusion: order of the splitting, reference integrations",
           {add_line_time_order, add_order, add_profiles, add_square}}};
}

}  // namespace hodge::tools::validations::brusselator
