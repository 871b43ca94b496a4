// What a run begins with, in lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/app/run/preview.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/program/job_text.hpp"

namespace hodge::tools {
namespace {

// Beyond it central differences of a steady flow in one dimension oscillate (S. V. Patankar,
// Numerical Heat Transfer and Fluid Flow, 1980, Sec. 5.2).
constexpr double monotone_peclet = 2;

std::string rounded(double value) {
  return fmt::format("{:.4g}", value);
}

// "0.0078125", or "0.002 to 0.03, neighbours differ by up to 12 %"
std::string widths_text(const sim::CellWidths& widths) {
  if (widths.largest <= widths.smallest * (1 + 1e-9)) return rounded(widths.smallest);
  std::string text = fmt::format("{} to {}", rounded(widths.smallest), rounded(widths.largest));
  if (widths.largest_ratio > 1 + 1e-9)
    text += fmt::format(", neighbours along {} differ by up to {:.2g} %",
                        sim::axis_names[widths.axis], 100 * (widths.largest_ratio - 1));
  return text;
}

// ", cell Reynolds number 7.8 (central may oscillate beyond 2)"
std::string ratio_text(const std::string& name, double ratio, const std::string& convection) {
  if (!(ratio > 0)) return "";
  if (std::isinf(ratio)) return fmt::format(", {} infinite", name);
  const bool may_oscillate = convection == "central" && ratio > monotone_peclet;
  return fmt::format(", {} {:.3g}{}", name, ratio,
                     may_oscillate ? " (beyond 2 central may oscillate at sharp gradients)" : "");
}

std::string first_step_text(const Job& job, const sim::Preview& begin) {
  std::string text = fmt::format("{}dt {}, CFL {}", begin.is_computed ? "" : "about ",
                                 rounded(begin.dt), rounded(begin.cfl));
  if (begin.cfl == 0) text += ", at rest";
  if (begin.cell_reynolds)
    text +=
        ratio_text("cell Reynolds number", *begin.cell_reynolds, job.settings.convection_scheme);
  for (const sim::Quantity& peclet : begin.cell_peclets)
    text += ratio_text("cell Peclet number of " + peclet.name, peclet.value,
                       job.settings.convection_of_scalars());
  return text;
}

// "kept: van_leer with bdf2 keeps them up to CFL 0.25"
std::string bounds_text(const sim::Settings& settings, const sim::Problem& problem, double cfl) {
  const sim::StablePair& pair = sim::stability_of(sim::scheme_of_scalars(settings, problem).name,
                                                  settings.convection_of_scalars());
  const std::string schemes = fmt::format("{} with {}", pair.convection, pair.time);
  if (pair.bounded_cfl == 0) return fmt::format("{} keeps scalars in no bounds", schemes);
  if (std::isinf(pair.bounded_cfl)) return fmt::format("scalars keep theirs: {}", schemes);
  const double largest = std::max(cfl, settings.time.step.cfl.value_or(0));
  if (largest == 0)
    return fmt::format("scalars keep theirs up to CFL {}: {}", rounded(pair.bounded_cfl), schemes);
  return fmt::format("scalars {} theirs: {} keeps them up to CFL {}, and steps may have {}",
                     largest <= pair.bounded_cfl * (1 + 1e-9) ? "keep" : "may leave", schemes,
                     rounded(pair.bounded_cfl), rounded(largest));
}

// "x_lower 0.6 (its formula 0.6), x_upper 0.6"
std::string flow_rates_text(const sim::Preview& begin) {
  constexpr std::size_t prefix = std::char_traits<char>::length("flow_rate_");
  std::vector<std::string> parts;
  for (const sim::Quantity& rate : begin.flow_rates) {
    parts.push_back(fmt::format("{} {:.6g}", rate.name.substr(prefix), rate.value));
    for (const sim::Quantity& formula : begin.formula_rates)
      if (formula.name == rate.name)
        parts.back() += fmt::format(" (its formula {:.6g})", formula.value);
  }
  return sim::join(parts);
}

}  // namespace

Lines preview_lines(const Job& job, const sim::Preview& begin) {
  Lines lines{{"widths", widths_text(begin.widths)}};
  if (begin.dt > 0) lines.emplace_back("first step", first_step_text(job, begin));
  if (begin.dt > 0 && !job.problem.scalars.empty())
    lines.emplace_back("bounds", bounds_text(job.settings, job.problem, begin.cfl));
  if (!begin.flow_rates.empty()) lines.emplace_back("flow rates", flow_rates_text(begin));
  return lines;
}

Lines frame_lines(const sim::RunPlan& plan) {
  const auto text = [](long long frames, double bytes) {
    return fmt::format("{} frames of about {} each, {} in all, before compression",
                       sim::count_text(frames), sim::bytes_text(bytes),
                       sim::bytes_text(static_cast<double>(frames) * bytes));
  };
  Lines lines{{"frames",
               text(plan.frames, plan.frame_bytes) + (plan.frames_in_pieces ? ", in pieces" : "")}};
  for (const sim::RegionPlan& region : plan.regions)
    lines.emplace_back("region", fmt::format("{}: {}, {}", region.name, region.cells,
                                             text(region.frames, region.frame_bytes)));
  return lines;
}

}  // namespace hodge::tools
