#include "sim/app/run/coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

#include "sim/app/output/time_average.hpp"
#include "sim/app/run/results.hpp"
#include "sim/app/run/run_rows.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t most_told = 8;      // bodies
constexpr double least_amplitude = 1e-5;  // of the lift, over the size of the force

// The axis that a direction lies along.
std::optional<int> axis_of(const Point& direction) {
  std::optional<int> axis;
  for (int d = 0; d < 3; ++d)
    if (direction[d] != 0) {
      if (axis) return std::nullopt;
      axis = d;
    }
  return axis;
}

std::string place_text(const Point& x, int dim) {
  std::string text = "(";
  for (int d = 0; d < dim; ++d) text += fmt::format("{}{:.6g}", d == 0 ? "" : ", ", x[d]);
  return text + ")";
}

std::string body_line(const BodyFrame& body, const Grid& grid) {
  const int dim = grid.dim();
  const std::string box =
      body.box ? fmt::format("control volume {} to {}", place_text(body.box_lower(grid), dim),
                             place_text(body.box_upper(grid), dim))
               : "no control volume around it: " + body.without_box;
  return fmt::format("\n          {}: moments about {}, {}", body.name, place_text(body.about, dim),
                     box);
}

std::string reference_text(const ForceReference& by) {
  std::string text = fmt::format(
      "drag, lift = {}, moment = {}, St = {}\n          U = {:.6g}, A = {:.6g}",
      coefficient_definition, moment_definition, strouhal_definition, by.speed, by.area);
  text += by.length ? fmt::format(", L = {:.6g}", *by.length)
                    : ", no L (forces.length): no Re, St and moment";
  if (by.reynolds) text += fmt::format("; Re = U L / nu = {:.6g}", *by.reynolds);
  if (by.blockage)
    text += fmt::format("; blockage = A / area of the box across the drag = {:.4g}", *by.blockage);
  return text;
}

// The columns of one body in the window.
struct BodyRecord {
  enum Column { drag, lift, moment, control_drag, control_lift, count };
  static constexpr std::array<const char*, count> names{"_drag", "_lift", "_moment",
                                                        "_control_drag", "_control_lift"};
  std::array<std::optional<std::size_t>, count> column{};
  std::vector<double> t{};
  std::array<std::vector<double>, count> values{};
};

std::vector<BodyRecord> read_records(const Settings& settings, const std::vector<BodyFrame>& bodies,
                                     double end) {
  std::vector<BodyRecord> records(bodies.size());
  const TimeWindow window = results_window(settings, end);
  read_rows(
      std::filesystem::path(settings.output.directory) / "forces.csv",
      [&](const RowCells& header) {
        for (std::size_t k = 0; k < bodies.size(); ++k)
          for (std::size_t c = 0; c < BodyRecord::count; ++c) {
            const auto found = std::ranges::find(header, bodies[k].name + BodyRecord::names[c]);
            if (found != header.end())
              records[k].column[c] = static_cast<std::size_t>(found - header.begin());
          }
      },
      [&](double t, const RowCells& cells) {
        if (!window.has(t, t)) return;
        for (BodyRecord& record : records) {
          record.t.push_back(t);
          for (std::size_t c = 0; c < BodyRecord::count; ++c)
            if (record.column[c])
              record.values[c].push_back(number_in(cells[*record.column[c]]).value_or(0));
        }
      });
  return records;
}

double mean_of(const std::vector<double>& t, const std::vector<double>& values, double from) {
  if (!(t.back() > from)) return values.back();
  TimeAverage average(1);
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from) average.add(t[i], std::span(&values[i], 1));
  return average.to() > average.from() ? average.mean(0) : values.back();
}

BodyCoefficients coefficients_in(const BodyRecord& record, const std::string& name,
                                 const ForceSettings& forces, int dim) {
  using enum BodyRecord::Column;
  BodyCoefficients of;
  of.body = name;
  of.from = of.to = record.t.back();
  of.lift_frequency = frequency_of(record.t, record.values[lift]);
  const Frequency& f = of.lift_frequency;
  if (f.why_none.empty()) {
    const double size = std::abs(mean_of(record.t, record.values[drag], record.t.front())) +
                        std::abs(mean_of(record.t, record.values[lift], record.t.front()));
    if (!(f.amplitude > least_amplitude * size))
      of.lift_frequency = {.why_none = "it oscillates by less than 1e-5 of the force"};
  }
  if (f.why_none.empty()) {
    of.from = of.to - std::floor(f.periods * (1 + 1e-9)) / f.value;
    if (const auto length = forces.reference_length(dim)) {
      of.strouhal = f.value * *length / forces.speed;
      of.strouhal_uncertainty = f.uncertainty * *length / forces.speed;
    }
  }
  const std::array<std::optional<double>*, BodyRecord::count> means{
      &of.drag, &of.lift, &of.moment, &of.control_drag, &of.control_lift};
  for (std::size_t c = 0; c < BodyRecord::count; ++c)
    if (record.column[c]) *means[c] = mean_of(record.t, record.values[c], of.from);
  return of;
}

std::string text_of(const BodyCoefficients& of) {
  const auto value = [](const char* name, const std::optional<double>& x) {
    return x ? fmt::format(", {} {:.6g}", name, *x) : "";
  };
  const Frequency& f = of.lift_frequency;
  std::string text = fmt::format("{}: drag {:.6g}", of.body, of.drag.value_or(0)) +
                     value("lift", of.lift) + value("moment", of.moment);
  if (of.control_drag)
    text += fmt::format("; by the control volume drag {:.6g}, lift {:.6g}", *of.control_drag,
                        of.control_lift.value_or(0));
  if (!f.why_none.empty())
    return text +
           fmt::format(" at t = {:.6g}; no Strouhal number, of the lift: {}\n", of.to, f.why_none);
  text += fmt::format(" (means from t = {:.6g} to {:.6g}, {:.0f} periods)\n", of.from, of.to,
                      (of.to - of.from) * f.value);
  text += fmt::format("{}: lift +- {:.6g}, frequency {:.6g} +- {:.2g}", of.body, f.amplitude,
                      f.value, f.uncertainty);
  if (of.strouhal)
    text +=
        fmt::format(", Strouhal number {:.5g} +- {:.2g}", *of.strouhal, *of.strouhal_uncertainty);
  return text + "\n";
}

}  // namespace

std::optional<ForceReference> force_reference(const Settings& settings, const Problem& problem,
                                              const Grid& grid) {
  if (!settings.forces || problem.solids.empty() || problem.prescribed_velocity)
    return std::nullopt;
  const ForceSettings& by = *settings.forces;
  ForceReference reference{by.speed, by.area, problem.density, by.reference_length(grid.dim()),
                           {},       {}};
  if (reference.length && problem.viscosity > 0 && !viscosity_varies(problem))
    reference.reynolds = by.speed * *reference.length / problem.viscosity;
  if (const auto axis = axis_of(by.drag)) {
    double across = 1;
    for (int d = 0; d < grid.dim(); ++d)
      if (d != *axis) across *= grid.axis(d).length();
    reference.blockage = by.area / across;
  }
  return reference;
}

std::string forces_opening(const Settings& settings, const Problem& problem, const Grid& grid,
                           const std::vector<BodyFrame>& bodies) {
  if (bodies.empty() || problem.prescribed_velocity) return "";
  const auto reference = force_reference(settings, problem, grid);
  std::string text = "forces    " + (reference ? reference_text(*reference)
                                               : "without coefficients: no section forces");
  for (std::size_t k = 0; k < std::min(bodies.size(), most_told); ++k)
    text += body_line(bodies[k], grid);
  if (bodies.size() > most_told)
    text += fmt::format("\n          and {} more bodies: summary.json", bodies.size() - most_told);
  return text;
}

std::vector<BodyCoefficients> coefficients_of(const Settings& settings, const Grid& grid,
                                              const std::vector<BodyFrame>& bodies, double end) {
  std::vector<BodyCoefficients> all;
  if (!settings.forces || bodies.empty()) return all;
  const std::vector<BodyRecord> records = read_records(settings, bodies, end);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (!records[k].t.empty() && records[k].column[BodyRecord::lift])
      all.push_back(coefficients_in(records[k], bodies[k].name, *settings.forces, grid.dim()));
  return all;
}

std::string coefficients_text(const std::vector<BodyCoefficients>& all) {
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), most_told); ++k) text += text_of(all[k]);
  if (all.size() > most_told)
    text += fmt::format("and {} more bodies: summary.json\n", all.size() - most_told);
  return text;
}

}  // namespace hodge::sim
