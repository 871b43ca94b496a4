// Sides with a given pressure: what must come out does not depend on the scheme or on the start.
//
//   T junction   one inflow, Re 10, two branches of 1/2 and 5/2 channel widths with an outflow
//   each:
//                the share of the short branch is the same from rest, from a stream and from a
//                reversed stream, for every time scheme, and p in both outlets is what was given.
//                5/2 widths against 1/2: the short branch takes most.
//   channel      between two pressure sides: the parabola u = G y (1 - y) / (2 nu), p linear
//   U-tube       two outflows at different pressures, no friction: the column moves as a whole,
//                du/dt = (p_1 - p_2) / (rho L) + f, and stays at rest where that is 0
//
// Bounds: the shares agree to what is left when the rate of change is 1e-8, 1e-5 is asked for. The
// discrete equations have the parabola, the linear pressure and the column exactly, so their errors
// are those of the solvers.
#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

using sim::Expression;
using sim::SideKind;

sim::Settings box_settings(const ValidateOptions& options, const std::vector<int>& cells,
                           const std::vector<double>& upper) {
  sim::Settings settings = case_settings(options, "poiseuille", cells);
  for (std::size_t d = 0; d < upper.size(); ++d) {
    settings.grid.axes[d].lower = 0;
    settings.grid.axes[d].upper = upper[d];
  }
  return settings;
}

// The outlets are the lower and the upper y side, beyond x = 1.
sim::Problem t_junction(double initial_speed) {
  sim::Problem problem;
  problem.viscosity = 0.1;
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {SideKind::inflow,
                 {Expression::parse("y > 2.5 && y < 3.5 ? 6*(y - 2.5)*(3.5 - y) : 0"), 0, 0}};
  sides[1][0].kind = sides[1][1].kind = SideKind::outflow;
  sides[1][0].pressure = sides[1][1].pressure = 0.7;
  problem.solids = {{"below", sim::BoxShape{{0, 0, 0}, {1, 2.5, 1}}},
                    {"above", sim::BoxShape{{0, 3.5, 0}, {1, 4, 1}}}};
  problem.initial_velocity = [initial_speed](sim::Point) {
    return std::array<double, 3>{0, initial_speed, 0};
  };
  return problem;
}

double pressure_at(const sim::Flow& flow, const sim::Point& point) {
  return flow.values_at({point}, {"pressure"})[0][0];
}

void add_t_junction(const ValidateOptions& options, Report& report) {
  const int across = options.quick ? 8 : 16;
  struct Start {
    const char* name;
    double speed;
  };
  std::optional<double> first;
  double pressure_error = 0;
  for (const char* const scheme : {"bdf2", "cn_ab2", "rk3"})
    for (const Start& start : {Start{"at rest", 0}, Start{"a stream", 1}, Start{"reversed", -1}}) {
      sim::Settings settings = box_settings(options, {2 * across, 4 * across}, {2, 4});
      settings.time.scheme = scheme;
      settings.time.step.size = options.quick ? 0.03 : 0.01;
      settings.time.steady_tolerance = 1e-8;
      settings.time.end = 100;
      const std::string run =
          fmt::format("{}, from {}, {}", scheme, start.name, cells_text(settings));
      const auto flow =
          run_to_steady_state(report, settings, t_junction(start.speed), "T junction, " + run);
      const double share = quantity(*flow, "flow_rate_y_upper");
      report.add({.quantity = "share of the short branch",
                  .run = run,
                  .measured = share,
                  .published = first,
                  .bound = first ? absolute(1e-5) : Bound{},
                  .source = first ? "the first of these runs" : ""});
      if (!first) first = share;
      for (const double y : {0.0, 4.0})
        for (const double x : {1.1, 1.5, 1.9})
          pressure_error = std::max(pressure_error, std::abs(pressure_at(*flow, {x, y, 0}) - 0.7));
    }
  report.add({.quantity = "largest error of p in the outlets",
              .run = "T junction, all runs",
              .measured = pressure_error,
              .bound = at_most(1e-6),
              .source = "the given pressure"});
}

void add_channel(const ValidateOptions& options, Report& report) {
  constexpr double nu = 0.1, gradient = 1.2, length = 2;
  for (const int cells : {8, 16, 32}) {
    sim::Settings settings = box_settings(options, {2 * cells, cells}, {length, 1});
    settings.time.step.size = 0.05;
    settings.time.steady_tolerance = 1e-10;
    settings.time.end = 200;
    sim::Problem problem;
    problem.viscosity = nu;
    for (int side = 0; side < 2; ++side) {
      problem.boundaries.sides[0][side].kind = SideKind::pressure;
      problem.boundaries.sides[0][side].pressure = side == 0 ? gradient * length : 0.0;
    }
    problem.exact.emplace();
    problem.exact->velocity = [](sim::Point x, double) {
      return std::array<double, 3>{0.5 * gradient / nu * x[1] * (1 - x[1]), 0, 0};
    };
    problem.exact->pressure = [](sim::Point x, double) { return gradient * (length - x[0]); };
    const std::string run = fmt::format("pressure sides, {}", cells_text(settings));
    const auto errors = run_to_steady_state(report, settings, problem, run)->error_norms().value();
    report.add({.quantity = "velocity error, largest",
                .run = run,
                .measured = errors.velocity_max,
                .bound = at_most(1e-7),
                .source = "exact solution"});
    report.add({.quantity = "pressure error, largest",
                .run = run,
                .measured = errors.pressure_max,
                .bound = at_most(1e-7),
                .source = "exact solution"});
  }
}

void add_u_tube(const ValidateOptions& options, Report& report) {
  constexpr double length = 2, density = 3, force = 0.25, end = 1;
  struct Tube {
    const char* name;
    double difference;  // of the pressures
    double speed;       // at the end
  };
  for (const Tube& tube : {Tube{"driven", 3, (3 / (density * length) + force) * end},
                           Tube{"in balance", -force * density * length, 0}})
    for (const char* const scheme : {"bdf2", "cn_ab2", "rk3"}) {
      sim::Settings settings = box_settings(options, {16, 8}, {length, 1});
      settings.time.scheme = scheme;
      sim::Problem problem;
      problem.density = density;
      problem.viscosity = 0.01;
      problem.force[0] = force;
      auto& sides = problem.boundaries.sides;
      sides[0][0].kind = sides[0][1].kind = SideKind::outflow;
      sides[0][0].pressure = tube.difference;
      sides[1][0].kind = sides[1][1].kind = SideKind::slip;
      const std::string run = fmt::format("U-tube {}, {}", tube.name, scheme);
      const auto flow = sim::make_flow(settings, problem);
      advance(*flow, {.end = end, .steps = 50, .name = run});
      report.add({.quantity = "speed of the column at t = 1",
                  .run = run,
                  .measured = quantity(*flow, "flow_rate_x_upper"),
                  .published = tube.speed,
                  .bound = absolute(1e-6),
                  .source = "du/dt = (p_1 - p_2) / (rho L) + f"});
    }
}

void validate_outflow(const ValidateOptions& options, Report& report) {
  add_t_junction(options, report);
  add_channel(options, report);
  add_u_tube(options, report);
}

}  // namespace

const Validation outflow_validation{
    "outflow", "sides with a given pressure: a T junction, a channel and a U-tube",
    validate_outflow};

}  // namespace hodge::tools
