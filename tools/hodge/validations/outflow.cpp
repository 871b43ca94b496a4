// Sides with a given pressure: the results must not depend on the time scheme or on the start.
//
//   T junction   one inflow, Re 10, two branches of 1/2 and 5/2 channel widths, each with an
//                outflow: the share of the short branch, which takes most, is the same from rest,
//                from a stream and from a reversed stream, for every time scheme, and p in both
//                outlets is what was given.
//   channel      between two pressure sides: the parabola u = G y (1 - y) / (2 nu), p linear
//   U-tube       two outflows at different pressures, no friction: the column moves as a whole,
//                du/dt = (p_1 - p_2) / (rho L) + f, and stays at rest where that is 0
//
// Bounds: the runs stop at a rate of change of 1e-8, and their shares must agree to 1e-5. The
// parabola, the linear pressure and the column solve the discrete equations exactly, so their
// errors are those of the solvers.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::outflow {

using sim::Expression;
using sim::SideKind;

Settings box_settings(const Report& report, const std::vector<int>& cells,
                      const std::vector<double>& upper,
                      const std::string& scheme = sim::TimeSettings{}.scheme) {
  Settings settings = case_settings(report, "poiseuille", cells, {}, scheme);
  for (std::size_t d = 0; d < upper.size(); ++d) {
    settings.grid.axes[d].lower = 0;
    settings.grid.axes[d].upper = upper[d];
  }
  return settings;
}

// The outlets are the lower and the upper y side, beyond x = 1.
Problem t_junction(double initial_speed) {
  Problem problem;
  problem.viscosity = 0.1;
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {SideKind::inflow,
                 {Expression::parse("y > 2.5 && y < 3.5 ? 6*(y - 2.5)*(3.5 - y) : 0"), 0, 0}};
  sides[1][0].kind = sides[1][1].kind = SideKind::outflow;
  sides[1][0].pressure = sides[1][1].pressure = 0.7;
  problem.solids = {{"below", sim::BoxShape{{0, 0, 0}, {1, 2.5, 1}}},
                    {"above", sim::BoxShape{{0, 3.5, 0}, {1, 4, 1}}}};
  problem.initial_velocity = [initial_speed](Point) {
    return std::array<double, 3>{0, initial_speed, 0};
  };
  return problem;
}

void add_t_junction(Report& report) {
  const int across = report.choose(8, 16);
  const double step = report.choose(0.03, 0.01);
  const std::pair<const char*, double> starts[] = {
      {"at rest", 0}, {"a stream", 1}, {"reversed", -1}};
  std::optional<double> first;
  double pressure_error = 0;
  for (const char* const scheme : {"bdf2", "cn_ab2", "rk3"})
    for (const auto& [start, speed] : starts) {
      Settings settings = box_settings(report, {2 * across, 4 * across}, {2, 4}, scheme);
      set_steady(settings, {.step = step, .tolerance = 1e-8, .end = 100});
      const std::string run = fmt::format("{}, from {}, {}", scheme, start, cells_text(settings));
      const auto flow =
          run_to_steady_state(report, settings, t_junction(speed), "T junction, " + run);
      const double share = quantity(*flow, "flow_rate_y_upper");
      report.add({"share of the short branch", run, share, first, first ? absolute(1e-5) : Bound{},
                  first ? "the first of these runs" : ""});
      if (!first) first = share;
      std::vector<Point> points;
      for (const double y : {0.0, 4.0})
        for (const double x : {1.1, 1.5, 1.9}) points.push_back({x, y, 0});
      for (const auto& pressure : flow->values_at(points, {"pressure"}))
        pressure_error = std::max(pressure_error, std::abs(pressure[0] - 0.7));
    }
  report.limit("largest error of p in the outlets", "T junction, all runs", pressure_error,
               at_most(1e-6), "the given pressure");
}

void add_channel(Report& report) {
  constexpr double nu = 0.1, gradient = 1.2, length = 2;
  for (const int cells : {8, 16, 32}) {
    Settings settings = box_settings(report, {2 * cells, cells}, {length, 1});
    set_steady(settings, {.step = 0.05, .tolerance = 1e-10, .end = 200});
    Problem problem;
    problem.viscosity = nu;
    problem.boundaries.set(0, SideKind::pressure);
    problem.boundaries.sides[0][0].pressure = gradient * length;
    problem.exact.emplace();
    problem.exact->velocity = [](Point x, double) {
      return std::array<double, 3>{0.5 * gradient / nu * x[1] * (1 - x[1]), 0, 0};
    };
    problem.exact->pressure = [](Point x, double) { return gradient * (length - x[0]); };
    const std::string run = fmt::format("pressure sides, {}", cells_text(settings));
    const auto errors = run_to_steady_state(report, settings, problem, run)->error_norms().value();
    report.limit("velocity error, largest", run, errors.velocity_max, at_most(1e-7),
                 "exact solution");
    report.limit("pressure error, largest", run, errors.pressure_max, at_most(1e-7),
                 "exact solution");
  }
}

void add_u_tube(Report& report) {
  constexpr double length = 2, density = 3, force = 0.25, end = 1;
  struct Tube {
    const char* name;
    double difference;  // of the pressures
    double speed;       // at the end
  };
  for (const Tube& tube : {Tube{"driven", 3, (3 / (density * length) + force) * end},
                           Tube{"in balance", -force * density * length, 0}})
    for (const char* const scheme : {"bdf2", "cn_ab2", "rk3"}) {
      const Settings settings = box_settings(report, {16, 8}, {length, 1}, scheme);
      Problem problem;
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
      report.add({"speed of the column at t = 1", run, quantity(*flow, "flow_rate_x_upper"),
                  tube.speed, absolute(1e-6), "du/dt = (p_1 - p_2) / (rho L) + f"});
    }
}

Validations describe() {
  return {{"sides with a given pressure: a T junction, a channel and a U-tube",
           {add_t_junction, add_channel, add_u_tube}}};
}

}  // namespace hodge::tools::validations::outflow
