// Steady lid-driven cavity flow against published profiles, extrema and vortices, and the order at
// which they converge.
//
//   profiles   at the points of U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982
//   extrema    u_min on x = 0.5, v_max and v_min on y = 0.5, on the three last grids, their
//   observed
//              order and Richardson's limit against the values of cavity_extrema.csv
//   vortex     the least value of the stream function and where it is, likewise, against
//              cavity_vortex.csv
//
// Bounds of the profiles: those data are themselves off converged solutions, as their file says
// (Re 100: u 0.005, v 0.009; Re 400: 0.003, 0.006; Re 1000: 0.007, 0.018; above: 0.02 to 0.05); to
// this our own error on the grid of the comparison is added. Limits are good to a fourth of the
// error of the finest grid; the bound of each study says what that is. Order 1.8 is that of a
// second-order scheme with singular corners.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::lid_driven_cavity {

constexpr double least_cavity_order = 1.8;

struct CavityStudy {
  double reynolds;
  std::vector<int> grids;  // each starts from the steady state of the one before
  int profile_cells;       // the grid whose profiles are compared
  double u_bound, v_bound;
  double limit_bound;  // relative, of extrapolated extrema and vortex
  bool order;          // asked for
};

const std::vector<CavityStudy> full_cavity_studies{
    {100, {32, 64, 128}, 128, 0.006, 0.010, 0.001, true},
    {400, {32, 64, 128}, 128, 0.005, 0.008, 0.001, true},
    {1000, {64, 128, 256}, 128, 0.008, 0.020, 0.001, true},
};
// At Re = 5000 coarser grids have no steady state.
const std::vector<CavityStudy> full_high_studies{
    {3200, {64, 128, 256}, 256, 0.05, 0.05, 0.01, false},
    {5000, {128, 256}, 256, 0.05, 0.05, 0.01, false},
};
const std::vector<CavityStudy> quick_cavity_studies{
    {100, {24, 48, 96}, 96, 0.006, 0.010, 0.001, true}};
const std::vector<CavityStudy> quick_high_studies{{1000, {32, 64}, 64, 0.04, 0.04, 0.03, false}};

Settings steady_settings(const Report& report, int cells, const CavityStudy& study) {
  Settings settings =
      case_settings(report, "lid_driven_cavity", {cells, cells}, {{"reynolds", study.reynolds}});
  set_steady(settings, {0.1, study.reynolds <= 1000 ? 1e-6 : 1e-5, 2000, 1e-4});
  // The series of ssor_sai does not converge where convection outweighs the diagonal.
  if (study.reynolds <= 1000) settings.transport.preconditioner = {"ssor_sai"};
  return settings;
}

struct State {
  Profile u, v;  // u on x = 0.5, v on y = 0.5
  Vortex vortex;
};

State state_of(const Flow& flow) {
  const CellField velocity(flow, "velocity");
  return {velocity.line(0, {.axis = 1, .through = {0.5, 0, 0}, .ends = {{0, 1}}}),
          velocity.line(1, {.axis = 0, .through = {0, 0.5, 0}, .ends = {{0, 0}}}),
          primary_vortex(flow)};
}

// Printed coordinates are rounded: point k of the paper's 129 lies at k / 128.
Profile ghia_points(const std::string& file, const std::string& column) {
  Profile points = read_reference(file, column);
  for (auto& [position, value] : points) position = std::round(position * 128) / 128;
  return points;
}

void compare_profiles(Report& report, const std::string& run, const CavityStudy& study,
                      const State& state) {
  const std::string re = fmt::format("Re{}", study.reynolds);
  compare_profile(report, run, state.u,
                  {"u on x = 0.5", "y", "u", ghia_points("ghia1982_u_x0.5.csv", "u_" + re),
                   absolute(study.u_bound), "Ghia, Ghia & Shin 1982, Table I"});
  compare_profile(report, run, state.v,
                  {"v on y = 0.5", "x", "v", ghia_points("ghia1982_v_y0.5.csv", "v_" + re),
                   absolute(study.v_bound), "Ghia, Ghia & Shin 1982, Table II"});
}

std::string source_of(const std::string& file, double reynolds) {
  if (reynolds == 1000) return "Botella & Peyret 1998";
  return file == "cavity_extrema.csv" ? "Marchi et al. 2009" : "stream function, extrapolated";
}

struct Measure {
  const char* name;
  const char* file;
  double (*value)(const State&);
};
constexpr Measure measures[] = {
    {"u_min", "cavity_extrema.csv", [](const State& s) { return extremum(s.u, -1).value; }},
    {"v_max", "cavity_extrema.csv", [](const State& s) { return extremum(s.v, +1).value; }},
    {"v_min", "cavity_extrema.csv", [](const State& s) { return extremum(s.v, -1).value; }},
    {"psi_min", "cavity_vortex.csv", [](const State& s) { return s.vortex.psi; }},
    {"x_vortex", "cavity_vortex.csv", [](const State& s) { return s.vortex.x; }},
    {"y_vortex", "cavity_vortex.csv", [](const State& s) { return s.vortex.y; }},
};

// One row per quantity that is published at this Reynolds number: its limit from the two last
// grids, its order from three.
void add_limits(Report& report, const CavityStudy& study, const std::vector<State>& states) {
  const std::string run = fmt::format("Re {}, {} cells a side, extrapolated", study.reynolds,
                                      fmt::join(study.grids, ", "));
  for (const auto& [name, file, value_of] : measures) {
    const auto published = value_at(read_reference(file, name), study.reynolds);
    if (!published) continue;
    std::vector<double> values;
    for (const State& state : states) values.push_back(value_of(state));
    Row row{name,
            run,
            limit_of_last(values),
            published,
            relative(study.limit_bound),
            source_of(file, study.reynolds),
            order_of_last(values)};
    const bool places = row.quantity.ends_with("_vortex");
    if (study.order && !places) row.least_order = least_cavity_order;
    report.add(std::move(row));
  }
}

// Each grid, and each Reynolds number, starts from the state of the one before.
void run_studies(const std::vector<CavityStudy>& studies, Report& report) {
  FlowPointer flow;
  for (const CavityStudy& study : studies) {
    std::vector<State> states;
    for (const int cells : study.grids) {
      const Settings settings = steady_settings(report, cells, study);
      const std::string run = fmt::format("Re {}, {}", study.reynolds, cells_text(settings));
      flow = run_to_steady_state(report, settings, run, flow.get());
      states.push_back(state_of(*flow));
      if (cells == study.profile_cells) compare_profiles(report, run, study, states.back());
    }
    add_limits(report, study, states);
  }
}

void run_moderate(Report& report) {
  run_studies(report.choose(quick_cavity_studies, full_cavity_studies), report);
}
void run_high(Report& report) {
  run_studies(report.choose(quick_high_studies, full_high_studies), report);
}

Validations describe() {
  return {{"steady profiles, extrema and vortices, and their order, against published solutions",
           {run_moderate}},
          {"the same at Re 3200 and 5000; with --quick at 1000",
           {run_high},
           true,
           "lid_driven_cavity_high_re"}};
}

}  // namespace hodge::tools::validations::lid_driven_cavity
