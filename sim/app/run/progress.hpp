// The line that says how far a run is: redrawn on a terminal, plain elsewhere.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/app/run/console.hpp"
#include "sim/base/wall_clock.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

struct ProgressState {
  long step = 0;
  double time = 0;
  double dt = 0;
  double cfl = 0;
  std::optional<double> rate_of_change = {};  // of a run that ends at a steady state
  std::span<const SolveSummary> solves;       // of the last step
  double cell_steps_per_second = 0;
  double fraction = 0;  // of the run that is done, by model time or by steps, 0 to 1
  double elapsed = 0;   // seconds
};

// Seconds that are left, at the speed so far; none before the first step.
std::optional<double> time_left(const ProgressState& state);

// step 120, t = 1.5, dt = 0.0125, CFL 0.80, iterations u 3, pressure 41,
// 12.3 million cell-steps/s, 1 min 05 s left                                    (all in one line)
//
// With a rate of change, ", max |d/dt| 1.2e-05" follows the CFL number, here and in step_line.
std::string progress_line(const ProgressState& state);

// The same without the time left, and for every solve its iterations, final relative residual
// (reactions have none) and seconds:
//
// step 120, t = 1.5, dt = 0.0125, CFL 0.80; u 3, 4.1e-09, 0.002 s; pressure 41, 8.8e-07, 0.011 s
std::string step_line(const ProgressState& state);

// [###-----]  38% 1:05 left step 120 t 1.5 dt 0.013 CFL 0.80 u 3 p 41 12.3 Mcells/s
//
// The bar fills the remaining columns. Where there are too few columns, the last items are left
// out. Mcells/s are millions of cells advanced by one step in a second.
std::string progress_bar(const ProgressState& state, int columns);

// Decides when a line is due: on a terminal at most ten redraws a second; plain lines at frames and
// every five seconds, or at every step where the console is verbose.
class Progress {
 public:
  explicit Progress(Console& console) : console_(console) {}
  void update(const ProgressState& state, bool at_frame);

 private:
  Console& console_;
  std::optional<WallClock> since_redraw_;
  WallClock since_line_;
};

}  // namespace hodge::sim
