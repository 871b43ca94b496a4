// Runs of the flows past a body (cases/flow_past.hpp), and what is measured on them: force
// coefficients (with U = 1, D = 1, rho = 1) and the vortex street.
#pragma once

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations {

struct StreamCase {
  std::string name;  // of the case
  double reynolds;
  int cells;               // of equal width to a diameter
  double disturbance = 0;  // at the start
};

// "Re 40, 16 cells to a diameter, 308 x 220 cells"
inline std::string run_name(const StreamCase& stream, const Settings& settings) {
  return fmt::format("Re {}, {} cells to a diameter, {}", stream.reynolds, stream.cells,
                     cells_text(settings));
}

// The distance from the core at which cells are sqrt(2) times as wide, and the core, in diameters.
constexpr std::array<double, 2> growth{2.5, 2};
constexpr std::array<sim::CoreSettings, 2> core{{{-1, 3, 0}, {-1, 1, 0}}};

// As many cells as the distance at which they are sqrt(2) times as wide asks for outside the core
// (grid/stretching.hpp).
inline void refine(sim::AxisSettings& axis, const sim::CoreSettings& equal, double distance,
                   double cells_per_length) {
  const double below = equal.lower - axis.lower, above = axis.upper - equal.upper;
  const double unrolled = distance * (std::asinh(below / distance) + std::asinh(above / distance));
  axis.stretching = "core";
  axis.core = equal;
  axis.core.cells = static_cast<int>(std::lround((equal.upper - equal.lower) * cells_per_length));
  axis.cells = axis.core.cells + static_cast<int>(std::lround(unrolled * cells_per_length));
}

// Equal cells from one diameter before the body to two and a half behind it and half a diameter to
// both sides, growing outside in proportion to the distance. 2D. The tolerances are 1e-6, because
// the runs have many steps.
inline Settings stream_settings(const Report& report, const StreamCase& stream) {
  Settings settings =
      case_settings(report, stream.name, {4, 4},
                    {{"reynolds", stream.reynolds}, {"disturbance", stream.disturbance}});
  for (int d = 0; d < 2; ++d) refine(settings.grid.axes[d], core[d], growth[d], stream.cells);
  settings.pressure.tolerance = settings.transport.tolerance = 1e-6;
  return settings;
}

// Of the force on the body along an axis: 0 the drag, 1 the lift.
inline double force_coefficient(const Flow& flow, int axis) {
  const sim::BodyForce force = flow.forces().at(0);
  return 2 * (force.pressure[axis] + force.viscous[axis]);
}

// One quantity on grids each finer than the one before: a row per grid, that of the finest with
// every published value, and the change from the second finest to it, which shows what the
// staircase and the other errors of the grid amount to.
struct Refined {
  std::string quantity{};
  std::vector<Row> published{};  // at least one: its value, bound and source
  double largest_change = 0;     // relative; with two grids
  std::vector<std::string> runs{};
  std::vector<double> values{};

  void add(const std::string& run, double value) {
    runs.push_back(run);
    values.push_back(value);
  }
  void write(Report& report) const {
    const std::size_t last = values.size() - 1;
    const auto add_row = [&](Row row, std::size_t i) {
      row.quantity = quantity;
      row.run = runs[i];
      row.measured = values[i];
      report.add(std::move(row));
    };
    for (std::size_t i = 0; i < last; ++i)
      add_row({.published = published[0].published, .source = published[0].source}, i);
    for (const Row& row : published) add_row(row, last);
    if (last > 0)
      report.limit(quantity + ", change from grid to grid", runs[last],
                   std::abs(values[last] / values[last - 1] - 1), at_most(largest_change),
                   "the coarser grid");
  }
};

// The means, extrema and the frequency over the last whole periods of a shedding flow.
struct Shedding {
  double strouhal = 0, mean_drag = 0, mean_lift = 0, largest_lift = 0, rms_lift = 0;
  double drift = 0;  // relative change of the lift's amplitude between the halves of the window
};

inline double amplitude(const Profile& signal) {
  const auto [least, largest] = std::ranges::minmax(signal, {}, &ProfilePoint::value);
  return 0.5 * (largest.value - least.value);
}

struct ForceHistory {
  Profile drag, lift;  // coefficients against time
};

inline ForceHistory run_stream(const Report& report, const Settings& settings, double end,
                               double step, const std::string& name) {
  ForceHistory history;
  (void)run_case(report, settings,
                 {.end = end,
                  .steps = std::lround(end / step),
                  .name = name,
                  .observe = [&history](const Flow& flow) {
                    history.drag.push_back({flow.time(), force_coefficient(flow, 0)});
                    history.lift.push_back({flow.time(), force_coefficient(flow, 1)});
                  }});
  return history;
}

inline Shedding shedding(const ForceHistory& history, double from) {
  const double end = history.lift.back().position;
  Shedding result;
  result.strouhal = frequency(between(history.lift, from, end));
  if (result.strouhal == 0) return result;
  const double periods = std::floor((end - from) * result.strouhal);
  const double start = end - periods / result.strouhal, middle = 0.5 * (start + end);
  const Profile lift = between(history.lift, start, end);
  result.mean_drag = mean(between(history.drag, start, end));
  result.largest_lift = amplitude(lift);
  result.mean_lift = mean(lift);
  Profile squares = lift;
  for (auto& [t, value] : squares) value = (value - result.mean_lift) * (value - result.mean_lift);
  result.rms_lift = std::sqrt(mean(squares));
  result.drift = amplitude(between(history.lift, middle, end)) /
                     amplitude(between(history.lift, start, middle)) -
                 1;
  return result;
}

struct SheddingPlan {
  std::string case_name;
  double reynolds;
  std::vector<int> cells;  // to a diameter, a run each
  double end, window;      // the quantities are those of [end - window, end]
};
struct SheddingQuantity {
  double Shedding::*value;
  Refined study;
};

// Runs a shedding flow on every grid. Adds a figure of drag and lift for each run and the
// quantities as Refined; without --quick the lift must not grow any more within the window.
inline void add_shedding(Report& report, const SheddingPlan& plan,
                         std::vector<SheddingQuantity> quantities) {
  for (const int cells : plan.cells) {
    const StreamCase stream{plan.case_name, plan.reynolds, cells, 0.5};
    const Settings settings = stream_settings(report, stream);
    const std::string run = run_name(stream, settings);
    const ForceHistory history = run_stream(report, settings, plan.end, 1.6 / cells, run);
    const Shedding measured = shedding(history, plan.end - plan.window);
    Figure& figure = report.figure("drag and lift, " + run, "t", "coefficient");
    figure.add_measured("drag", history.drag);
    figure.add_measured("lift", history.lift);
    for (SheddingQuantity& quantity : quantities) quantity.study.add(run, measured.*quantity.value);
    if (!report.options.quick)
      report.limit("growth of the lift within the window", run, std::abs(measured.drift),
                   at_most(0.01), "a periodic flow");
  }
  for (const SheddingQuantity& quantity : quantities) quantity.study.write(report);
}

}  // namespace hodge::tools::validations
