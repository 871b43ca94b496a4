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
#include "tools/hodge/validate/compare_profile.hpp"
#include "tools/hodge/validate/orders.hpp"

namespace hodge::tools {
namespace {

constexpr const char* line_file = "brusselator_line.csv";
constexpr const char* square_file = "brusselator.csv";
constexpr double least_splitting_order = 1.9;
constexpr int cells_across = 4;  // of the line: nothing changes along y

std::unique_ptr<sim::Flow> run_line(const ValidateOptions& options, int cells, double end,
                                    long steps, Report& report) {
  const sim::Settings settings = case_settings(options, "brusselator_line", {cells, cells_across});
  return run_case(report, settings,
                  {.end = end,
                   .steps = steps,
                   .name = fmt::format("line, {} cells, dt = {:.4g}", cells,
                                       end / static_cast<double>(steps))});
}

Profile line_profile(const sim::Flow& flow, const std::string& name) {
  const double side = name == "u" ? 1.0 : 3.0;
  return with_ends(CellField(flow, name).line(0, {0, {0, 0.5, 0}}), flow.grid().axis(0), side,
                   side);
}

// The rows of a file whose first column is `key`, as points of two other columns.
std::vector<ReferencePoint> reference_profile(const std::string& column, double t) {
  std::vector<ReferencePoint> profile;
  const auto x = read_reference(line_file, "x"), values = read_reference(line_file, column);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].position == t) profile.push_back({x[i].value, values[i].value});
  if (profile.empty()) throw ConfigError(fmt::format("{}: no row of t = {}", line_file, t));
  return profile;
}

double rms_error(const Profile& profile, const std::vector<ReferencePoint>& reference) {
  double sum = 0;
  for (const ReferencePoint& point : reference)
    sum += std::pow(interpolate(profile, point.position) - point.value, 2);
  return std::sqrt(sum / static_cast<double>(reference.size()));
}

void add_time_order(const ValidateOptions& options, Report& report) {
  constexpr double end = 2;
  const int cells = options.quick ? 32 : 64;
  Convergence study{.quantity = "line, u, difference to half the step",
                    .figure = "differences of successive steps",
                    .size_label = "steps to t = 2",
                    .least_order = least_splitting_order,
                    .source = "Strang's splitting: 2"};
  std::unique_ptr<sim::Flow> before;
  for (int steps = 40; steps <= 320; steps *= 2) {
    auto flow = run_line(options, cells, end, steps, report);
    if (before) {
      study.sizes.push_back(steps / 2);
      study.runs.push_back(fmt::format("{} cells, {} steps", cells, steps / 2));
      study.errors.push_back(distance(*before, *flow, "u"));
    }
    before = std::move(flow);
  }
  add_convergence(report, study);
}

void add_order(const ValidateOptions& options, Report& report) {
  constexpr double end = 2;
  const int coarsest = options.quick ? 16 : 32;
  Convergence u{.quantity = "line, u, error at 15 points, rms",
                .figure = "errors of the line at t = 2",
                .size_label = "cells",
                .least_order = least_splitting_order,
                .source = "Chebyshev collocation"};
  Convergence v = u;
  v.quantity = "line, v, error at 15 points, rms";
  for (int i = 0; i < 3; ++i) {
    const int cells = coarsest << i, steps = 2 * cells;
    const auto flow = run_line(options, cells, end, steps, report);
    for (auto [study, name] : {std::pair{&u, "u"}, std::pair{&v, "v"}}) {
      study->sizes.push_back(cells);
      study->runs.push_back(fmt::format("{} cells, {} steps", cells, steps));
      study->errors.push_back(rms_error(line_profile(*flow, name), reference_profile(name, end)));
    }
  }
  add_convergence(report, u);
  add_convergence(report, v);
}

void add_profiles(const ValidateOptions& options, Report& report) {
  constexpr double end = 10;
  const int cells = options.quick ? 64 : 128;
  const double bound = options.quick ? 6e-4 : 1.5e-4;
  const auto flow = run_line(options, cells, end, 10 * cells, report);
  for (const char* name : {"u", "v"})
    compare_profile(report, fmt::format("line, {} cells, t = 10", cells), line_profile(*flow, name),
                    {.quantity = fmt::format("{} on the line", name),
                     .position = "x",
                     .value = name,
                     .points = reference_profile(name, end),
                     .bound = absolute(bound),
                     .source = "Chebyshev collocation"});
}

struct SquarePoint {
  sim::Point at;
  double u, v;
};

std::vector<SquarePoint> square_points(int cells, double t) {
  const auto column = [](const char* name) { return read_reference(square_file, name); };
  const auto time = column("t"), x = column("x"), y = column("y"), u = column("u"), v = column("v");
  std::vector<SquarePoint> points;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i].position == cells && time[i].value == t)
      points.push_back({{x[i].value, y[i].value, 0}, u[i].value, v[i].value});
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

void add_square(const ValidateOptions& options, Report& report) {
  constexpr int cells = 32;  // those of the file
  const sim::Settings settings = case_settings(options, "brusselator", {cells, cells});
  const std::string grid = cells_text(settings);
  Convergence study{.quantity = "square, t = 1.5, largest error of u and v at 16 points",
                    .figure = "errors of the square at t = 1.5",
                    .size_label = "steps a unit of time",
                    .least_order = least_splitting_order,
                    .source = "Radau IIA on the same grid"};
  std::unique_ptr<sim::Flow> flow;
  const int coarsest = options.quick ? 10 : 40, finest = 4 * coarsest;
  for (int steps = coarsest; steps <= finest; steps *= 2) {
    const std::string run = fmt::format("square, {}, dt = 1/{}", grid, steps);
    flow = run_case(report, settings, {.end = 1.5, .steps = 3 * steps / 2, .name = run});
    study.sizes.push_back(steps);
    study.runs.push_back(fmt::format("{}, dt = 1/{}", grid, steps));
    study.errors.push_back(largest_error(*flow, cells));
  }
  add_convergence(report, study);
  const std::string run = fmt::format("square, {}, dt = 1/{}, t = 11.5", grid, finest);
  advance(*flow, {.end = 11.5, .steps = 10 * finest, .name = run});
  report.add({.quantity = "square, largest error of u and v at 16 points",
              .run = run,
              .measured = largest_error(*flow, cells),
              .bound = at_most(options.quick ? 4e-3 : 2.5e-4),
              .source = "Radau IIA on the same grid"});
}

void validate_brusselator(const ValidateOptions& options, Report& report) {
  add_time_order(options, report);
  add_order(options, report);
  add_profiles(options, report);
  add_square(options, report);
}

}  // namespace

const Validation brusselator_validation{
    "brusselator", "reactions with diffusion: order of the splitting, reference integrations",
    validate_brusselator};

}  // namespace hodge::tools
