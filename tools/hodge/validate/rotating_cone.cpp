// Bodies in solid rotation: the order of the schemes for a smooth one, and the bounds of the
// others.
//
//   order    the gaussian after half a turn on grids of N, 2N, 4N cells, the step in proportion to
//            the cell. quick interpolates with third order but differentiates point values with
//            second; van_leer is of first order at the top; both are told beside central.
//   bounds   the disc and the cone after a whole turn: van_leer must not leave [0, 1]
#include <fmt/format.h>

#include <algorithm>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"

namespace hodge::tools {
namespace {

constexpr double round_off = 1e-12;

struct Scheme {
  std::string time, convection;
  double least_order;  // 0: told
};

sim::Settings body_settings(const ValidateOptions& options, const Scheme& scheme, int cells) {
  sim::Settings settings = case_settings(options, "rotating_cone", {cells, cells});
  settings.time.scheme = scheme.time;
  settings.convection_scheme = scheme.convection;
  return settings;
}

const sim::ScalarErrors& find(const sim::ErrorNorms& errors, const std::string& name) {
  return *std::find_if(errors.scalars.begin(), errors.scalars.end(),
                       [&](const sim::ScalarErrors& entry) { return entry.name == name; });
}

void add_order(const ValidateOptions& options, const Scheme& scheme, int coarsest, Report& report) {
  Convergence l2{
      .quantity = fmt::format("gaussian, {} and {}, error, L2", scheme.time, scheme.convection),
      .figure = "errors of the gaussian after half a turn",
      .size_label = "cells a side",
      .least_order = scheme.least_order};
  Convergence largest = l2;
  largest.quantity =
      fmt::format("gaussian, {} and {}, error, largest", scheme.time, scheme.convection);
  for (int i = 0; i < 3; ++i) {
    const int cells = coarsest << i;
    const sim::Settings settings = body_settings(options, scheme, cells);
    const auto flow = run_case(
        report, settings,
        {.end = 0.5,
         .steps = 4 * cells,
         .name = fmt::format("{}, {}, {}", scheme.time, scheme.convection, cells_text(settings))});
    const sim::ErrorNorms errors = flow->error_norms().value();
    for (Convergence* study : {&l2, &largest}) {
      study->sizes.push_back(cells);
      study->runs.push_back(fmt::format("{0} x {0} cells, {1} steps", cells, 4 * cells));
    }
    l2.errors.push_back(find(errors, "gaussian").l2);
    largest.errors.push_back(find(errors, "gaussian").max);
  }
  add_convergence(report, l2);
  add_convergence(report, largest);
}

void add_bounds(const ValidateOptions& options, const Scheme& scheme, int cells, Report& report) {
  const sim::Settings settings = body_settings(options, scheme, cells);
  const std::string run =
      fmt::format("{}, {}, {}, a turn", scheme.time, scheme.convection, cells_text(settings));
  const auto flow = run_case(report, settings, {.end = 1, .steps = 12 * cells, .name = run});
  const bool bounded = scheme.convection == "van_leer";
  for (const char* name : {"disc", "cone"}) {
    const std::vector<double> values = flow->cell_arrays({name})[0].values;
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    report.add({.quantity = fmt::format("{}, least value", name),
                .run = run,
                .measured = *least,
                .bound = bounded ? at_least(-round_off) : Bound{},
                .source = "exact: 0"});
    report.add({.quantity = fmt::format("{}, largest value", name),
                .run = run,
                .measured = *largest,
                .bound = bounded ? at_most(1 + round_off) : Bound{},
                .source = "exact: 1"});
    report.add({.quantity = fmt::format("{}, error, L2", name),
                .run = run,
                .measured = find(flow->error_norms().value(), name).l2,
                .source = "exact solution"});
  }
}

void run(const ValidateOptions& options, Report& report) {
  const int coarsest = options.quick ? 32 : 64;
  const std::vector<Scheme> schemes{{"bdf2", "central", options.quick ? 0 : 1.9},
                                    {"bdf2", "quick", options.quick ? 0 : 1.9},
                                    {"rk3", "van_leer", 0},
                                    {"rk3", "weno5", 0}};
  for (const Scheme& scheme : schemes) add_order(options, scheme, coarsest, report);
  for (const char* convection : {"van_leer", "weno5", "quick", "upwind"})
    add_bounds(options, {"rk3", convection, 0}, options.quick ? 50 : 100, report);
}

}  // namespace

const Validation rotating_cone_validation{
    "rotating_cone", "order and bounds of the convection schemes in solid rotation", run};

}  // namespace hodge::tools
