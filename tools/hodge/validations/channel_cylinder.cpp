// Flow past a circular cylinder that stands a little below the middle of a channel, cut sharply out
// of equal cells: drag 2 F_x / (rho U^2 D), lift, and the difference of pressure between the front
// and the rear of the cylinder.
//
//   2D-1   steady, Re 20
//   2D-2   Re 100: vortices are shed
//   2D-3   an inflow with sin(pi t / 8), at most Re 100, from rest to rest
//
//   references   M. Schaefer & S. Turek, Notes on Numerical Fluid Mechanics 52, 1996, define the
//                flows; digits of 2D-1: G. Nabh, 1998 (a spectral solution); of 2D-2: the benchmark
//                pages of FeatFlow; of 2D-3: V. John, Int. J. Numer. Meth. Fluids 44, 2004
//
// Bounds on the finest grid: of the steady flow 0.2 % of the drag, 0.6 % of the pressure, 1.5 % of
// the lift, which is 0.2 % of the drag; of the others 1 %.
#include "tools/hodge/validations/stream.hpp"

namespace hodge::tools::validations::channel_cylinder {

constexpr double height = 0.41, length = 2.2, diameter = 0.1;
constexpr Point middle{0.2, 0.2, 0};

Settings channel_settings(const Report& report, int cells_per_diameter) {
  const double width = diameter / cells_per_diameter;
  const auto along = [&](double size) { return static_cast<int>(std::lround(size / width)); };
  Settings settings = case_settings(report, "poiseuille", {along(length), along(height)});
  settings.grid.axes[0].lower = settings.grid.axes[1].lower = 0;
  settings.grid.axes[0].upper = length;
  settings.grid.axes[1].upper = height;
  settings.pressure.tolerance = settings.transport.tolerance = 1e-7;
  return settings;
}

// fastest: the largest speed in the inflow, times a formula of t.
Problem channel_problem(double fastest, const std::string& in_time = "1") {
  Problem problem;
  problem.viscosity = 0.001;
  problem.boundaries.sides[0][0].kind = sim::SideKind::inflow;
  problem.boundaries.sides[0][0].velocity = {
      sim::Expression::parse(
          fmt::format("{}*4*y*({} - y)/{}^2*{}", fastest, height, height, in_time)),
      0, 0};
  problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
  problem.solids = {{.name = "cylinder",
                     .region = sim::Region{sim::SphereShape{middle, diameter / 2}},
                     .sharp = true}};
  return problem;
}

// By a parabola through the pressure one, two and three cells before the surface, and behind it.
double pressure_difference(const Flow& flow, int cells_per_diameter) {
  const double width = diameter / cells_per_diameter;
  const auto at_surface = [&](double side) {
    std::vector<Point> points;
    for (const int k : {1, 2, 3})
      points.push_back({middle[0] + side * (diameter / 2 + k * width), middle[1], 0});
    const auto p = flow.values_at(points, {"pressure"});
    return 3 * p[0][0] - 3 * p[1][0] + p[2][0];
  };
  return at_surface(-1) - at_surface(1);
}

double coefficient(const Flow& flow, int axis, double mean_speed) {
  return force_coefficient(flow, axis) / (mean_speed * mean_speed * diameter);
}

std::string name_of_run(const char* flow, int cells, const Settings& settings) {
  return fmt::format("{}, {} cells to a diameter, {}", flow, cells, cells_text(settings));
}

void add_steady(Report& report) {
  const bool quick = report.options.quick;
  const auto published = [](double value, Bound bound) {
    return std::vector{
        Row{.published = value, .bound = bound, .source = "Schaefer & Turek 1996, Nabh 1998"}};
  };
  Refined drag{"drag coefficient", published(5.57953523, relative(quick ? 0.03 : 0.002)), 0.01};
  Refined lift{"lift coefficient", published(0.01061895, quick ? Bound{} : relative(0.015)), 0.1};
  Refined pressure{"difference of pressure", published(0.11752017, relative(quick ? 0.05 : 0.006)),
                   0.05};
  for (const int cells : quick ? std::vector{10} : std::vector{20, 40}) {
    Settings settings = channel_settings(report, cells);
    set_steady(settings, {.step = 0.5 / cells, .tolerance = 1e-6, .end = 30});
    const std::string run = name_of_run("2D-1", cells, settings);
    const auto flow = run_to_steady_state(report, settings, channel_problem(0.3), run);
    drag.add(run, coefficient(*flow, 0, 0.2));
    lift.add(run, coefficient(*flow, 1, 0.2));
    pressure.add(run, pressure_difference(*flow, cells));
  }
  for (const Refined& study : {drag, lift, pressure}) study.write(report);
}

struct Channel {
  ForceHistory forces{};
  FlowPointer flow{};
  std::string run;
};

// To t = 8; the step is 0.8 of a cell at the mean speed 1.
Channel run_channel(Report& report, const char* name, int cells, const Problem& problem) {
  const Settings settings = channel_settings(report, cells);
  Channel channel{.run = name_of_run(name, cells, settings)};
  channel.flow = sim::make_flow(settings, problem);
  advance(*channel.flow,
          {.end = 8, .steps = 100L * cells, .name = channel.run, .observe = [&](const Flow& flow) {
             channel.forces.drag.push_back({flow.time(), coefficient(flow, 0, 1)});
             channel.forces.lift.push_back({flow.time(), coefficient(flow, 1, 1)});
           }});
  Figure& figure = report.figure("drag and lift, " + channel.run, "t", "coefficient");
  figure.add_measured("drag", channel.forces.drag);
  figure.add_measured("lift", channel.forces.lift);
  return channel;
}

void add_street(Report& report) {
  if (report.options.quick) return;
  const char* const source = "FeatFlow";
  const Channel channel = run_channel(report, "2D-2", 40, channel_problem(1.5));
  const Profile drag = between(channel.forces.drag, 7, 8);
  const Shedding measured = shedding(channel.forces, 6);
  report.add({"largest drag coefficient", channel.run,
              std::ranges::max(drag, {}, &ProfilePoint::value).value, 3.2274, relative(0.01),
              source});
  report.add({"lift coefficient, peak to peak", channel.run, 2 * measured.largest_lift, 2.00787,
              relative(0.01), source});
  report.add({"Strouhal number", channel.run, measured.strouhal * diameter, 0.301841,
              relative(0.01), source});
}

void add_pulse(Report& report) {
  if (report.options.quick) return;
  const char* const source = "John 2004";
  const Channel channel = run_channel(report, "2D-3", 40, channel_problem(1.5, "sin(pi*t/8)"));
  const auto add_largest = [&](const char* what, const Profile& signal, double value, double time) {
    const ProfilePoint most = std::ranges::max(signal, {}, &ProfilePoint::value);
    report.add({fmt::format("largest {} coefficient", what), channel.run, most.value, value,
                relative(0.01), source});
    report.add({fmt::format("its time, {}", what), channel.run, most.position, time, relative(0.01),
                source});
  };
  add_largest("drag", channel.forces.drag, 2.950921575, 3.93625);
  add_largest("lift", channel.forces.lift, 0.47795, 5.693125);
  report.add({"difference of pressure at the end", channel.run,
              pressure_difference(*channel.flow, 40), -0.1116, relative(0.01), source});
}

Validations describe() {
  return {{"forces on a cylinder in a channel, steady, shedding and pulsating",
           {add_steady, add_street, add_pulse}}};
}

}  // namespace hodge::tools::validations::channel_cylinder
