// A layer of air heated from below, one pair of rolls of k H = 3.117 in the box.
//
//   onset        the growth rate s of a small disturbance, from its kinetic energy at two times,
//                s = ln(E2 / E1) / (2 (t2 - t1)), at Ra = 1650 and 1765; the straight line through
//                both is 0 at the critical Ra. Its curvature moves that zero by less than 0.02 %.
//   convection   the Nusselt number of steady rolls
//
// References: S. Chandrasekhar 1961 (Ra_c = 1707.762); rayleigh_benard_growth.csv and column Nu_own
// of clever_busse1974.csv, both own spectral solutions; the values of
// R. M. Clever & F. H. Busse 1974 are shown only.
//
// Bounds: 1 % for the critical Ra and the Nusselt numbers. A growth rate is the small difference of
// large rates: only its sign is judged.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::rayleigh_benard {

constexpr double roll_prandtl = 0.71;
constexpr double critical_rayleigh = 1707.762;
constexpr double largest_nusselt_deviation = 0.01;  // relative
constexpr const char* rolls_file = "clever_busse1974.csv";

Settings layer_settings(const Report& report, int cells, double rayleigh, double amplitude) {
  Settings settings = case_settings(report, "rayleigh_benard", {2 * cells, cells},
                                    {{"rayleigh", rayleigh}, {"amplitude", amplitude}});
  settings.pressure.tolerance = 1e-6;
  return settings;
}

// In units of kappa / H^2. The disturbance is small enough to grow as the linear equations say and
// large enough for the tolerances of the solvers.
double growth_rate(Report& report, int cells, double rayleigh) {
  const Settings settings = layer_settings(report, cells, rayleigh, 1e-4);
  const double unit = std::sqrt(rayleigh * roll_prandtl);  // H^2 / kappa in units of free fall
  constexpr long steps = 200;
  double early = 0, early_time = 0;
  const auto flow = run_case(report, settings,
                             {.end = 0.8 * unit,
                              .steps = steps,
                              .name = fmt::format("Ra {}, {}", rayleigh, cells_text(settings)),
                              .observe = [&](const Flow& now) {
                                if (now.step() != steps / 2) return;
                                early = now.diagnostics().kinetic_energy;
                                early_time = now.time();
                              }});
  const double late = flow->diagnostics().kinetic_energy;
  return 0.5 * std::log(late / early) / (flow->time() - early_time) * unit;
}

void add_onset(Report& report) {
  const int cells = report.choose(24, 64);      // across the layer, twice as many along it
  constexpr double rayleighs[] = {1650, 1765};  // below and above the onset
  const std::string grid = fmt::format("{} x {} cells", 2 * cells, cells);
  Profile rates, expected;
  for (const double rayleigh : rayleighs) {
    rates.push_back({rayleigh, growth_rate(report, cells, rayleigh)});
    expected.push_back(
        {rayleigh, reference_value("rayleigh_benard_growth.csv", "growth", rayleigh)});
    report.add({"growth rate, kappa / H^2", fmt::format("Ra {}, {}", rayleigh, grid),
                rates.back().value, expected.back().value,
                rayleigh < critical_rayleigh ? at_most(0) : at_least(0), "own linear stability"});
  }
  Figure& figure = report.figure("growth of a disturbance", "Ra", "growth rate, kappa / H^2");
  figure.add_published("linear stability", {expected[0], {critical_rayleigh, 0}, expected[1]});
  figure.add_measured("measured", rates);
  report.add({"critical Rayleigh number", grid,
              rayleighs[0] - rates[0].value * (rayleighs[1] - rayleighs[0]) /
                                 (rates[1].value - rates[0].value),
              critical_rayleigh, relative(largest_nusselt_deviation), "Chandrasekhar 1961"});
}

// Returns the Nusselt number on the finest grid.
double add_rolls(const std::vector<int>& grids, double rayleigh, Report& report) {
  std::vector<double> nusselt;
  FlowPointer flow;
  std::string run;
  for (const int cells : grids) {
    Settings settings = layer_settings(report, cells, rayleigh, 0.1);
    set_steady(settings, {.step = 0.5, .tolerance = 1e-7, .end = 2000});
    run = fmt::format("Ra {}, {}", rayleigh, cells_text(settings));
    flow = run_to_steady_state(report, settings, run, flow.get());
    nusselt.push_back(quantity(*flow, "nusselt_temperature_y_lower"));
  }
  report.add({"Nusselt number", run, nusselt.back(),
              reference_value(rolls_file, "Nu_own", rayleigh), relative(largest_nusselt_deviation),
              "own spectral solution", order_of_last(nusselt)});
  report.add({"Nusselt number, extrapolated", fmt::format("Ra {}", rayleigh),
              limit_of_last(nusselt), reference_value(rolls_file, "Nu", rayleigh), Bound{},
              "Clever & Busse 1974"});
  return nusselt.back();
}

void add_convection(Report& report) {
  Profile nusselt;
  for (const double rayleigh :
       report.choose<std::vector<double>>({5000}, {2000, 2500, 3000, 5000, 10000}))
    nusselt.push_back({rayleigh, add_rolls(report.choose<std::vector<int>>({12, 24}, {16, 32, 64}),
                                           rayleigh, report)});
  Figure& figure = report.figure("heat carried by rolls", "Ra", "Nusselt number");
  figure.add_published("Clever & Busse 1974", read_reference(rolls_file, "Nu"));
  figure.add_measured("measured", nusselt);
}

Validations describe() {
  return {
      {"onset of convection, and the heat that steady rolls carry", {add_onset, add_convection}}};
}

}  // namespace hodge::tools::validations::rayleigh_benard
