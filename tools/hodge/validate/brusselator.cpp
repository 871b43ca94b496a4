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
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "linalg/base/errors.hpp"
#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

constexpr const char* line_file = "brusselator_line.csv";
constexpr const char* square_file = "brusselator.csv";
constexpr double least_splitting_order = 1.9;

std::unique_ptr<sim::Flow> run_line(int cells, double end, long steps, Report& report) {
  // Nothing changes along y, so that 4 cells do.
  const sim::Settings settings = case_settings(report, "brusselator_line", {cells, 4});
  const double dt = end / static_cast<double>(steps);
  return run_case(
      report, settings,
      {.end = end, .steps = steps, .name = fmt::format("line, {} cells, dt = {:.4g}", cells, dt)});
}

Profile line_profile(const sim::Flow& flow, const std::string& name) {
  const double side = name == "u" ? 1.0 : 3.0;
  return line_with_ends(CellField(flow, name), 0, {0, {0, 0.5, 0}}, side, side);
}

// u or v over x in the rows of time t.
Profile reference_profile(const std::string& column, double t) {
  Profile profile;
  const auto x = read_reference(line_file, "x"), values = read_reference(line_file, column);
  for (std::size_t i = 0; i < x.positions.size(); ++i)
    if (x.positions[i] == t) profile.add(x.values[i], values.values[i]);
  if (profile.values.empty()) throw ConfigError(fmt::format("{}: no row of t = {}", line_file, t));
  return profile;
}

double rms_error(const Profile& profile, const Profile& reference) {
  double sum = 0;
  for (std::size_t i = 0; i < reference.positions.size(); ++i)
    sum += std::pow(interpolate(profile, reference.positions[i]) - reference.values[i], 2);
  return std::sqrt(sum / static_cast<double>(reference.positions.size()));
}

void add_line_time_order(Report& report) {
  const int cells = report.options.quick ? 32 : 64;
  add_time_order(
      report,
      {.quantity = "line, u, difference to half the step",
       .figure = "differences of successive steps",
       .size_label = "steps to t = 2",
       .least_order = least_splitting_order,
       .source = "Strang's splitting: 2"},
      fmt::format("{} cells", cells), 40,
      [&](long steps) { return run_line(cells, 2, steps, report); }, "u");
}

void add_order(Report& report) {
  constexpr double end = 2;
  const int coarsest = report.options.quick ? 16 : 32;
  Convergence u{.quantity = "line, u, error at 15 points, rms",
                .figure = "errors of the line at t = 2",
                .size_label = "cells",
                .least_order = least_splitting_order,
                .source = "Chebyshev collocation"};
  Convergence v = u;
  v.quantity = "line, v, error at 15 points, rms";
  for (int i = 0; i < 3; ++i) {
    const int cells = coarsest << i, steps = 2 * cells;
    const auto flow = run_line(cells, end, steps, report);
    for (auto [study, name] : {std::pair{&u, "u"}, std::pair{&v, "v"}})
      study->add(cells, fmt::format("{} cells, {} steps", cells, steps),
                 rms_error(line_profile(*flow, name), reference_profile(name, end)));
  }
  add_convergence(report, u);
  add_convergence(report, v);
}

void add_profiles(Report& report) {
  constexpr double end = 10;
  const int cells = report.options.quick ? 64 : 128;
  const Bound bound = absolute(report.options.quick ? 6e-4 : 1.5e-4);
  const auto flow = run_line(cells, end, 10 * cells, report);
  for (const char* name : {"u", "v"})
    compare_profile(report, fmt::format("line, {} cells, t = 10", cells), line_profile(*flow, name),
                    {fmt::format("{} on the line", name), "x", name, reference_profile(name, end),
                     bound, "Chebyshev collocation"});
}

struct SquarePoint {
  sim::Point at;
  double u, v;
};

std::vector<SquarePoint> square_points(int cells, double t) {
  const auto column = [](const char* name) { return read_reference(square_file, name); };
  const auto time = column("t"), x = column("x"), y = column("y"), u = column("u"), v = column("v");
  std::vector<SquarePoint> points;
  for (std::size_t i = 0; i < time.values.size(); ++i)
    if (time.positions[i] == cells && time.values[i] == t)
      points.push_back({{x.values[i], y.values[i], 0}, u.values[i], v.values[i]});
  if (points.empty())
    throw ConfigError(fmt::format("{}: no row of {} cells and t = {}", square_file, cells, t));
  return points;
}

double largest_error(const sim::Flow& flow, int cells) {
  const CellField u(flow, "u"), v(flow, "v");
  double worst = 0;
  for (const SquarePoint& point : square_points(cells, flow.time()))
    worst = std::max({worst, std::abs(u.value(0, point.at) - point.u),
                      std::abs(v.value(0, point.at) - point.v)});
  return worst;
}

void add_square(Report& report) {
  constexpr int cells = 32;  // those of the file
  const sim::Settings settings = case_settings(report, "brusselator", {cells, cells});
  const std::string grid = cells_text(settings);
  Convergence study{.quantity = "square, t = 1.5, largest error of u and v at 16 points",
                    .figure = "errors of the square at t = 1.5",
                    .size_label = "steps a unit of time",
                    .least_order = least_splitting_order,
                    .source = "Radau IIA on the same grid"};
  std::unique_ptr<sim::Flow> flow;
  const int coarsest = report.options.quick ? 10 : 40, finest = 4 * coarsest;
  for (int steps = coarsest; steps <= finest; steps *= 2) {
    const std::string run = fmt::format("{}, dt = 1/{}", grid, steps);
    flow =
        run_case(report, settings, {.end = 1.5, .steps = 3 * steps / 2, .name = "square, " + run});
    study.add(steps, run, largest_error(*flow, cells));
  }
  add_convergence(report, study);
  const std::string run = fmt::format("square, {}, dt = 1/{}, t = 11.5", grid, finest);
  advance(*flow, {.end = 11.5, .steps = 10 * finest, .name = run});
  report.add({"square, largest error of u and v at 16 points", run, largest_error(*flow, cells),
              std::nullopt, at_most(report.options.quick ? 4e-3 : 2.5e-4),
              "Radau IIA on the same grid"});
}

}  // namespace

void validate_brusselator(Report& report) {
  add_line_time_order(report);
  add_order(report);
  add_profiles(report);
  add_square(report);
}

}  // namespace hodge::tools
