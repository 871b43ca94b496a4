#include "sim/app/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/durations.hpp"

namespace hodge::sim {
namespace {

constexpr double redraw_interval = 0.1;  // seconds
constexpr double line_interval = 5.0;    // seconds
constexpr int most_bar_cells = 20;
constexpr int fewest_bar_cells = 5;

// "u 3, pressure 41" with this separator and this name of the pressure.
std::string iterations(std::span<const SolveSummary> solves, const char* separator,
                       const std::string& pressure) {
  std::string text;
  for (const SolveSummary& solve : solves)
    text += fmt::format("{}{} {}", text.empty() ? "" : separator,
                        solve.system == "pressure" ? pressure : solve.system, solve.iterations);
  return text;
}

// What a line of either kind begins with.
std::string beginning(const ProgressState& state) {
  const std::string text = fmt::format("step {}, t = {:.6g}, dt = {:.3g}, CFL {:.2f}", state.step,
                                       state.time, state.dt, state.cfl);
  if (!state.rate_of_change) return text;
  return text + fmt::format(", max |d/dt| {:.1e}", *state.rate_of_change);
}

// "[##---] ", or nothing where there is no room.
std::string bar(double fraction, int columns) {
  constexpr int frame = 3;
  const int cells = std::min(columns - frame, most_bar_cells);
  if (cells < fewest_bar_cells) return "";
  const auto filled = static_cast<std::size_t>(fraction * cells);
  return fmt::format("[{:-<{}}] ", std::string(filled, '#'), cells);
}

}  // namespace

std::optional<double> time_left(const ProgressState& state) {
  if (!(state.fraction > 0)) return std::nullopt;
  return state.elapsed * std::max(0.0, 1 - state.fraction) / state.fraction;
}

std::string progress_line(const ProgressState& state) {
  std::string text = beginning(state);
  if (!state.solves.empty()) text += ", iterations " + iterations(state.solves, ", ", "pressure");
  text += fmt::format(", {:.3g} million cell-steps/s", state.cell_steps_per_second * 1e-6);
  if (const auto left = time_left(state)) text += fmt::format(", {} left", duration_text(*left));
  return text;
}

std::string step_line(const ProgressState& state) {
  std::string text = beginning(state);
  for (const SolveSummary& solve : state.solves) {
    text += fmt::format("; {} {}, ", solve.system, solve.iterations);
    const double b = solve.report.rhs_norm;
    const double residual = solve.report.true_residual / (b > 0 ? b : 1);
    if (std::isnan(residual))
      text += solve.report.method + ", ";  // direct: not computed
    else if (solve.system != reactions_entry)
      text += fmt::format("{:.1e}, ", residual);
    text += fmt::format("{:.3g} s", solve.seconds);
  }
  return text;
}

std::string progress_bar(const ProgressState& state, int columns) {
  const double fraction = std::clamp(state.fraction, 0.0, 1.0);
  const auto left = time_left(state);
  const std::array<std::string, 7> parts{
      left ? fmt::format(" {} left", short_duration_text(*left)) : "",
      fmt::format(" step {}", state.step),
      fmt::format(" t {:.4g}", state.time),
      fmt::format(" dt {:.2g}", state.dt),
      fmt::format(" CFL {:.2f}", state.cfl),
      state.solves.empty() ? "" : " " + iterations(state.solves, " ", "p"),
      fmt::format(" {:.3g} Mcells/s", state.cell_steps_per_second * 1e-6)};
  const auto room = static_cast<std::size_t>(std::max(0, columns));
  std::string text = fmt::format("{:3.0f}%", 100 * fraction);
  for (const std::string& part : parts) {
    if (text.size() + part.size() > room) break;
    text += part;
  }
  return bar(fraction, static_cast<int>(room - std::min(room, text.size()))) + text;
}

void Progress::update(const ProgressState& state, bool at_frame) {
  if (console_.is_verbose()) {
    console_.line(step_line(state));
    return;
  }
  if (at_frame || since_line_.seconds() >= line_interval) {
    console_.plain(progress_line(state));
    since_line_.restart();
  }
  if (!console_.is_terminal()) return;
  if (since_redraw_ && since_redraw_->seconds() < redraw_interval) return;
  console_.redraw(progress_bar(state, console_.width() - 1));  // a full line would wrap
  since_redraw_.emplace();
}

}  // namespace hodge::sim
