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
//            with bdf2 it would need 1/4 (time/stability.cpp), and is shown only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

constexpr double round_off = 1e-12;

struct Scheme {
  std::string time, convection;
  double least_order;  // 0: shown, not judged
};

sim::Settings body_settings(const Report& report, const Scheme& scheme, int cells) {
  sim::Settings settings = case_settings(report, "rotating_cone", {cells, cells});
  settings.time.scheme = scheme.time;
  settings.convection_scheme = scheme.convection;
  return settings;
}

const sim::FieldErrors& find(const sim::ErrorNorms& errors, const std::string& name) {
  return *std::find_if(errors.scalars.begin(), errors.scalars.end(),
                       [&](const sim::FieldErrors& entry) { return entry.name == name; });
}

void add_order(const Scheme& scheme, int coarsest, Report& report) {
  ScalarConvergence study(fmt::format("gaussian, {} and {}", scheme.time, scheme.convection),
                          {.figure = "errors of the gaussian after a quarter of a turn",
                           .size_label = "cells a side",
                           .least_order = scheme.least_order});
  for (int i = 0; i < 3; ++i) {
    const int cells = coarsest << i;
    const sim::Settings settings = body_settings(report, scheme, cells);
    const auto flow = run_case(
        report, settings,
        {.end = 0.25,
         .steps = 2 * cells,
         .name = fmt::format("{}, {}, {}", scheme.time, scheme.convection, cells_text(settings))});
    study.add(cells, fmt::format("{0} x {0} cells, {1} steps", cells, 2 * cells),
              find(flow->error_norms().value(), "gaussian"));
  }
  add_convergence(report, study);
}

struct Range {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
};

void widen(Range& range, const sim::Flow& flow, const std::string& name) {
  const std::vector<double> values = flow.cell_arrays({name})[0].values;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  range.least = std::min(range.least, *least);
  range.largest = std::max(range.largest, *largest);
}

void add_bounds(const Scheme& scheme, int cells, double turns, Report& report) {
  constexpr const char* bodies[] = {"disc", "cone"};
  const sim::Settings settings = body_settings(report, scheme, cells);
  const std::string run = fmt::format("{}, {}, {}, turns: {}", scheme.time, scheme.convection,
                                      cells_text(settings), turns);
  Range ranges[2];
  const auto look = [&](const sim::Flow& flow) {
    for (int i = 0; i < 2; ++i)
      if (flow.step() % 10 == 0) widen(ranges[i], flow, bodies[i]);
  };
  const auto flow = run_case(
      report, settings,
      {.end = turns, .steps = std::lround(12 * cells * turns), .name = run, .observe = look});
  const bool judged = scheme.time == "rk3" && scheme.convection == "van_leer";
  for (int i = 0; i < 2; ++i) {
    const std::string name = bodies[i];
    report.add({name + ", least value", run, ranges[i].least, std::nullopt,
                judged ? at_least(-round_off) : Bound{}, "exact: 0"});
    report.add({name + ", largest value", run, ranges[i].largest, std::nullopt,
                judged ? at_most(1 + round_off) : Bound{}, "exact: 1"});
    report.add({name + ", error, L2", run, find(flow->error_norms().value(), name).l2, std::nullopt,
                Bound{}, "exact solution"});
  }
}

}  // namespace

void validate_rotating_cone(Report& report) {
  const bool quick = report.options.quick;
  std::vector<Scheme> smooth{{"bdf2", "central", 1.9}, {"bdf2", "quick", 1.9}};
  std::vector<Scheme> sharp{{"rk3", "van_leer", 0}};
  if (!quick) {
    smooth.insert(smooth.end(), {{"rk3", "weno5", 2.9}, {"rk3", "van_leer", 0}});
    for (const char* convection : {"weno5", "quick", "upwind"})
      sharp.push_back({"rk3", convection, 0});
    sharp.push_back({"bdf2", "van_leer", 0});
  }
  for (const Scheme& scheme : smooth) add_order(scheme, quick ? 32 : 64, report);
  for (const Scheme& scheme : sharp) add_bounds(scheme, quick ? 50 : 100, quick ? 0.25 : 1, report);
}

}  // namespace hodge::tools
