// Flow past a circular cylinder: the steady wake at Re = 40, and the vortex street at Re = 100.
//
// The cylinder is cut sharply out of the cells, as it is by default. The effect of the cells shows
// in the change from the coarser to the finest grid, which is given for every quantity. The bounds
// are the differences between published values (circular_cylinder.csv); the box adds its blockage
// of 2.5 %.
#include "tools/hodge/validations/stream.hpp"

namespace hodge::tools::validations::circular_cylinder {

Row published(const char* column, double reynolds, Bound bound, const char* source) {
  return {.published = reference_value("circular_cylinder.csv", column, reynolds),
          .bound = bound,
          .source = source};
}

// From the rear of the body at x = 1/2, on the axis, to where u changes sign; 0 without a wake.
double wake_length(const Profile& axis) {
  const std::vector<double> changes = zeros(axis);
  return changes.empty() ? 0 : changes.back() - 0.5;
}

void add_steady(Report& report) {
  const bool quick = report.options.quick;
  const auto told = [](const char* column, const char* source) {
    return published(column, 40, {}, source);
  };
  Refined drag{
      "drag coefficient",
      {published("drag_dennis_chang", 40, relative(quick ? 0.08 : 0.05), "Dennis & Chang 1970"),
       told("drag_wu_shu", "Wu & Shu 2009")},
      0.03};
  Refined wake{
      "length of the wake",
      {published("wake_wu_shu", 40, relative(quick ? 0.15 : 0.08), "Wu & Shu 2009"),
       told("wake_dennis_chang", "Dennis & Chang 1970"), told("wake_fornberg", "Fornberg 1980"),
       told("wake_coutanceau_bouard", "Coutanceau & Bouard 1977, experiment")},
      0.05};
  Figure& figure = report.figure("u on the axis behind the cylinder, Re 40", "x", "u");
  FlowPointer flow;
  for (const int cells : quick ? std::vector{8} : std::vector{16, 32}) {
    const StreamCase stream{"circular_cylinder", 40, cells};
    Settings settings = stream_settings(report, stream);
    set_steady(settings, {.step = 0.2, .tolerance = 3e-4, .end = 300});
    const std::string run = run_name(stream, settings);
    flow = run_to_steady_state(report, settings, run, flow.get());
    const Profile axis = between(CellField(*flow, "velocity").line(0, {.axis = 0}), 0.5,
                                 flow->grid().axis(0).upper());
    drag.add(run, force_coefficient(*flow, 0));
    wake.add(run, wake_length(axis));
    figure.add_measured(run, between(axis, 0.5, 6));
  }
  drag.write(report);
  wake.write(report);
}

void add_street(Report& report) {
  if (report.options.quick) return;
  const auto bounded = [](const char* column, double bound, const char* source) {
    return std::vector{published(column, 100, relative(bound), source)};
  };
  add_shedding(
      report, {"circular_cylinder", 100, {16, 32}, 150, 60},
      {{&Shedding::strouhal,
        {"Strouhal number", bounded("strouhal_williamson", 0.04, "Williamson 1989"), 0.03}},
       {&Shedding::mean_drag,
        {"mean drag coefficient", bounded("drag_wu_shu", 0.05, "Wu & Shu 2009"), 0.03}},
       {&Shedding::largest_lift,
        {"largest lift coefficient", bounded("lift_wu_shu", 0.12, "Wu & Shu 2009"), 0.1}}});
}

Validations describe() {
  return {{"a cylinder's drag, wake and vortex street against published values",
           {add_steady, add_street}}};
}

}  // namespace hodge::tools::validations::circular_cylinder
