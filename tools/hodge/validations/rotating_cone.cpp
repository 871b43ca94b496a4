// Bodies in solid rotation: the order of the schemes for a smooth one, and the bounds of the
// others.
//
//   order    the gaussian after a quarter of a turn on grids of N, 2N, 4N cells, the step in
//            proportion to the cell: second order of bdf2 with central, and with quick, which
//            interpolates with third order but differentiates point values with second. weno5 is
//            of fifth order and rk3 of third, so at least third. van_leer, of first order at the
//            top, is shown only.
//   bounds   the least and the largest value of the disc and the cone at any time of the turn:
//            van_leer must not leave [0, 1]. With rk3 and a Courant number of 1/2 it does not;
//            with bdf2 only by what its iteration leaves, which is shown.
#include <limits>

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::rotating_cone {

constexpr double round_off = 1e-12;

struct Scheme {
  std::string time, convection;
  double least_order = 0;  // 0: shown, not judged
};

Settings body_settings(const Report& report, const Scheme& scheme, int cells) {
  Settings settings = case_settings(report, "rotating_cone", {cells, cells}, {}, scheme.time);
  settings.scalar_convection = scheme.convection;
  return settings;
}

// In L2 and the largest.
std::vector<double> errors_of_body(const Flow& flow, const std::string& name) {
  const sim::ErrorNorms norms = flow.error_norms().value();
  const auto found = std::ranges::find(norms.scalars, name, &sim::FieldErrors::name);
  return {found->l2, found->max};
}

void add_order(const Scheme& scheme, int coarsest, Report& report) {
  Convergence study{
      "errors of the gaussian after a quarter of a turn", "cells a side",
      scalar_errors(fmt::format("gaussian, {} and {}", scheme.time, scheme.convection),
                    scheme.least_order)};
  for (const int cells : doubled(coarsest)) {
    const Settings settings = body_settings(report, scheme, cells);
    const auto flow = run_case(
        report, settings,
        {.end = 0.25,
         .steps = 2 * cells,
         .name = fmt::format("{}, {}, {}", scheme.time, scheme.convection, cells_text(settings))});
    study.add(cells, fmt::format("{0} x {0} cells, {1} steps", cells, 2 * cells),
              errors_of_body(*flow, "gaussian"));
  }
  study.write(report);
}

struct Range {
  double least = std::numeric_limits<double>::infinity(), largest = -least;

  void widen(const Flow& flow, const std::string& name) {
    const auto [low, high] = std::ranges::minmax(flow.cell_arrays({name})[0].values);
    least = std::min(least, low);
    largest = std::max(largest, high);
  }
};

void add_bounds(const Scheme& scheme, int cells, double turns, Report& report) {
  constexpr const char* bodies[] = {"disc", "cone"};
  const Settings settings = body_settings(report, scheme, cells);
  const std::string run = fmt::format("{}, {}, {}, turns: {}", scheme.time, scheme.convection,
                                      cells_text(settings), turns);
  Range ranges[2];
  const auto look = [&](const Flow& flow) {
    for (int i = 0; i < 2; ++i)
      if (flow.step() % 10 == 0) ranges[i].widen(flow, bodies[i]);
  };
  const auto flow = run_case(
      report, settings,
      {.end = turns, .steps = std::lround(12 * cells * turns), .name = run, .observe = look});
  const bool judged = scheme.time == "rk3" && scheme.convection == "van_leer";
  for (int i = 0; i < 2; ++i) {
    const std::string name = bodies[i];
    report.limit(name + ", least value", run, ranges[i].least,
                 judged ? at_least(-round_off) : Bound{}, "exact: 0");
    report.limit(name + ", largest value", run, ranges[i].largest,
                 judged ? at_most(1 + round_off) : Bound{}, "exact: 1");
    report.limit(name + ", error, L2", run, errors_of_body(*flow, name)[0], {}, "exact solution");
  }
}

void run_smooth(Report& report) {
  std::vector<Scheme> schemes{{"bdf2", "central", 1.9}, {"bdf2", "quick", 1.9}};
  if (!report.options.quick)
    schemes.insert(schemes.end(), {{"rk3", "weno5", 2.9}, {"rk3", "van_leer"}});
  for (const Scheme& scheme : schemes) add_order(scheme, report.choose(32, 64), report);
}

void run_sharp(Report& report) {
  std::vector<Scheme> schemes{{"rk3", "van_leer"}};
  if (!report.options.quick)
    schemes.insert(schemes.end(),
                   {{"rk3", "weno5"}, {"rk3", "quick"}, {"rk3", "upwind"}, {"bdf2", "van_leer"}});
  for (const Scheme& scheme : schemes)
    add_bounds(scheme, report.choose(50, 100), report.choose(0.25, 1.0), report);
}

Validations describe() {
  return {
      {"order and bounds of the convection schemes in solid rotation", {run_smooth, run_sharp}}};
}

}  // namespace hodge::tools::validations::rotating_cone
