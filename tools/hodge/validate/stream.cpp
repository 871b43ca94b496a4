#include "tools/hodge/validate/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "linalg/base/errors.hpp"
#include "tools/hodge/validate/cell_field.hpp"

namespace hodge::tools {
namespace {

// The distance from the core at which cells are sqrt(2) times as wide, and the core, in diameters.
constexpr std::array<double, 2> growth{2.5, 2};
constexpr std::array<sim::CoreSettings, 2> core{{{-1, 3, 0}, {-1, 1, 0}}};

// As many cells as `growth` asks for outside the core (grid/stretching.hpp).
void refine(sim::AxisSettings& axis, int d, int cells_per_diameter) {
  const double below = core[d].lower - axis.lower, above = axis.upper - core[d].upper;
  const double unrolled =
      growth[d] * (std::asinh(below / growth[d]) + std::asinh(above / growth[d]));
  axis.stretching = "core";
  axis.core = core[d];
  axis.core.cells =
      static_cast<int>(std::lround((core[d].upper - core[d].lower) * cells_per_diameter));
  axis.cells = axis.core.cells + static_cast<int>(std::lround(unrolled * cells_per_diameter));
}

double coefficient(const sim::Flow& flow, int axis) {
  const sim::BodyForce force = flow.forces().at(0);
  return 2 * (force.pressure[axis] + force.viscous[axis]);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double amplitude(const Profile& signal) {
  const auto [least, largest] = std::minmax_element(signal.values.begin(), signal.values.end());
  return 0.5 * (*largest - *least);
}

struct ForceHistory {
  Profile drag, lift;  // coefficients against time
};

ForceHistory run_stream(const Report& report, const sim::Settings& settings, double end,
                        double step, const std::string& name) {
  ForceHistory history;
  (void)run_case(report, settings,
                 {.end = end,
                  .steps = std::lround(end / step),
                  .name = name,
                  .observe = [&history](const sim::Flow& flow) {
                    history.drag.add(flow.time(), coefficient(flow, 0));
                    history.lift.add(flow.time(), coefficient(flow, 1));
                  }});
  return history;
}

Shedding shedding(const ForceHistory& history, double from) {
  const double end = history.lift.positions.back();
  Shedding result;
  result.strouhal = frequency(between(history.lift, from, end));
  if (result.strouhal == 0) return result;
  const double periods = std::floor((end - from) * result.strouhal);
  const double start = end - periods / result.strouhal, middle = 0.5 * (start + end);
  const Profile lift = between(history.lift, start, end);
  result.mean_drag = mean(between(history.drag, start, end).values);
  result.largest_lift = amplitude(lift);
  double squares = 0;
  const double mean_lift = mean(lift.values);
  for (const double value : lift.values) squares += (value - mean_lift) * (value - mean_lift);
  result.rms_lift = std::sqrt(squares / static_cast<double>(lift.values.size()));
  result.drift = amplitude(between(history.lift, middle, end)) /
                     amplitude(between(history.lift, start, middle)) -
                 1;
  return result;
}

}  // namespace

sim::Settings stream_settings(const Report& report, const StreamCase& stream) {
  sim::Settings settings =
      case_settings(report, stream.name, {4, 4},
                    {{"reynolds", stream.reynolds}, {"disturbance", stream.disturbance}});
  for (int d = 0; d < 2; ++d) refine(settings.grid.axes[d], d, stream.cells);
  settings.pressure.tolerance = settings.transport.tolerance = 1e-6;
  return settings;
}

std::string run_name(const StreamCase& stream, const sim::Settings& settings) {
  return fmt::format("Re {}, {} cells to a diameter, {}", stream.reynolds, stream.cells,
                     cells_text(settings));
}

double drag_coefficient(const sim::Flow& flow) {
  return coefficient(flow, 0);
}

Profile wake_axis(const sim::Flow& flow) {
  const Profile whole = CellField(flow, "velocity").line(0, {.axis = 0, .through = {0, 0, 0}});
  return between(whole, 0.5, flow.grid().axis(0).upper());
}

double wake_length(const Profile& axis) {
  const std::vector<double> changes = zeros(axis);
  return changes.empty() ? 0 : changes.back() - 0.5;
}

void add_refined(Report& report, const Refined& study) {
  const std::size_t last = study.values.size() - 1;
  const Published& first = study.published[0];
  for (std::size_t i = 0; i < last; ++i)
    report.add({study.quantity, study.runs[i], study.values[i], first.value, {}, first.source});
  for (const Published& published : study.published)
    report.add({study.quantity, study.runs[last], study.values[last], published.value,
                published.bound, published.source});
  if (last > 0)
    report.add({study.quantity + ", change from grid to grid", study.runs[last],
                std::abs(study.values[last] / study.values[last - 1] - 1), std::nullopt,
                at_most(study.largest_change), "the coarser grid"});
}

void add_shedding(Report& report, const SheddingPlan& plan,
                  std::vector<SheddingQuantity> quantities) {
  for (const int cells : plan.cells) {
    const StreamCase stream{plan.case_name, plan.reynolds, cells, 0.5};
    const sim::Settings settings = stream_settings(report, stream);
    const std::string run = run_name(stream, settings);
    const ForceHistory history = run_stream(report, settings, plan.end, 1.6 / cells, run);
    const Shedding measured = shedding(history, plan.end - plan.window);
    Figure& figure = report.figure("drag and lift, " + run, "t", "coefficient");
    figure.add_measured("drag", history.drag);
    figure.add_measured("lift", history.lift);
    for (SheddingQuantity& quantity : quantities) quantity.study.add(run, measured.*quantity.value);
    if (!report.options.quick)
      report.add({"growth of the lift within the window", run, std::abs(measured.drift),
                  std::nullopt, at_most(0.01), "a periodic flow"});
  }
  for (const SheddingQuantity& quantity : quantities) add_refined(report, quantity.study);
}

}  // namespace hodge::tools
