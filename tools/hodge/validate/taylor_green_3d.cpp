// The Taylor-Green vortex in 3D at Re = 1600: the rate at which it loses kinetic energy against a
// spectral solution on 512^3.
//
//   eps(t) = -dE/dt, E the mean of |u|^2 / 2; central differences of the energies of single steps
//
//   at t = 2   before small eddies appear: the relative error on several grids, its order, and
//              Richardson's limit of the two finest
//   the peak   its value and its time, on 128^3, and with --large on 256^3
//
// Bounds: order 1.8 of second-order schemes on grids that still have 5 % of error; limits within a
// tenth of the finest error that --quick has. A second-order scheme loses the small eddies that
// hold the peak's dissipation: 128^3 is asked for 10 % and 256^3 for 4 % of its value, and for 3 %
// and 2 % of its time.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/reference_table.hpp"

namespace hodge::tools {
namespace {

constexpr double early = 2;
constexpr double volume = 8 * std::numbers::pi * std::numbers::pi * std::numbers::pi;
const std::string reference_file = "tgv3d_Re1600_spectral512.csv";
const std::string source = "van Rees et al. 2011, 512^3 spectral";

struct Study {
  int cells;
  double end;
  long steps;
  double peak_bound, time_bound;  // relative; 0 where the run ends before
};
const std::vector<Study> quick_studies{{20, early + 0.1, 42, 0, 0}, {40, early + 0.1, 42, 0, 0}};
const std::vector<Study> full_studies{
    {32, early + 0.1, 84, 0, 0}, {64, early + 0.1, 84, 0, 0}, {128, 10.5, 525, 0.1, 0.03}};
const Study large_study{256, 10.5, 1050, 0.04, 0.02};

// eps at the times between the steps.
Profile dissipation(const Profile& energy) {
  Profile rate;
  for (std::size_t i = 1; i < energy.positions.size(); ++i)
    rate.add(0.5 * (energy.positions[i - 1] + energy.positions[i]),
             (energy.values[i - 1] - energy.values[i]) /
                 (energy.positions[i] - energy.positions[i - 1]));
  return rate;
}

Profile run_vortex(const ValidateOptions& options, const Study& study, Report& report) {
  sim::Settings settings =
      case_settings(options, "taylor_green_3d", {study.cells, study.cells, study.cells});
  settings.time.scheme = "cn_ab2";
  settings.pressure.tolerance = 1e-5;
  Profile energy;
  energy.add(0, 0.125);
  run_case(report, settings,
           {.end = study.end,
            .steps = study.steps,
            .name = cells_text(settings),
            .observe = [&](const sim::Flow& flow) {
              energy.add(flow.time(), flow.diagnostics().kinetic_energy / volume);
            }});
  return dissipation(energy);
}

// Errors at the early time, relative to the spectral value, and the limit of the two finest grids.
void add_early(const std::vector<Study>& studies, const std::vector<Profile>& rates,
               Report& report) {
  const double published = reference_value(reference_file, "eps", early);
  Convergence study{.quantity = fmt::format("eps at t = {}, relative error", early),
                    .figure = fmt::format("dissipation at t = {}", early),
                    .size_label = "cells a side",
                    .least_order = 1.8,
                    .source = source};
  std::vector<double> values;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    values.push_back(interpolate(rates[i], early));
    study.sizes.push_back(studies[i].cells);
    study.runs.push_back(fmt::format("{0} x {0} x {0} cells", studies[i].cells));
    study.errors.push_back(std::abs(values[i] / published - 1));
  }
  add_convergence(report, study);
  const std::size_t last = values.size() - 1;
  report.add({.quantity = fmt::format("eps at t = {}", early),
              .run = fmt::format("{} and {} cells a side, extrapolated", studies[last - 1].cells,
                                 studies[last].cells),
              .measured = extrapolate(values[last - 1], values[last]),
              .published = published,
              .bound = relative(0.003),
              .source = source});
}

void add_peak(const std::string& run, const Study& study, const Profile& rate, Report& report) {
  Profile published;
  for (const ReferencePoint& point : read_reference(reference_file, "eps"))
    published.add(point.position, point.value);
  const Extremum measured = extremum(rate, +1), expected = extremum(published, +1);
  report.add({.quantity = "largest eps",
              .run = run,
              .measured = measured.value,
              .published = expected.value,
              .bound = relative(study.peak_bound),
              .source = source});
  report.add({.quantity = "its time",
              .run = run,
              .measured = measured.position,
              .published = expected.position,
              .bound = relative(study.time_bound),
              .source = source});
}

void add_reference_curve(double end, Figure& figure) {
  Curve points{source, Curve::Kind::published, {}};
  for (const ReferencePoint& point : read_reference(reference_file, "eps"))
    if (point.position <= end && std::fmod(point.position + 1e-9, 0.25) < 1e-6)
      points.points.add(point.position, point.value);
  figure.curves.push_back(std::move(points));
}

void run(const ValidateOptions& options, Report& report) {
  std::vector<Study> studies = options.quick ? quick_studies : full_studies;
  if (options.large) studies.push_back(large_study);
  std::vector<Profile> rates;
  Figure& figure = report.figure("dissipation rate", "t", "-dE/dt");
  for (const Study& study : studies) {
    const std::string name =
        fmt::format("{0} x {0} x {0} cells, {1} steps", study.cells, study.steps);
    rates.push_back(run_vortex(options, study, report));
    figure.curves.push_back({name, Curve::Kind::measured, rates.back()});
    if (study.peak_bound > 0) add_peak(name, study, rates.back(), report);
  }
  add_reference_curve(studies.back().end, figure);
  add_early(studies, rates, report);
}

}  // namespace

const Validation taylor_green_3d_validation{
    "taylor_green_3d", "dissipation of the vortex at Re 1600 against a spectral solution", run};

}  // namespace hodge::tools
