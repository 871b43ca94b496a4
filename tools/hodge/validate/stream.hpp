// Runs of the flows past a body (cases/flow_past.hpp), and what is measured on them: force
// coefficients (with U = 1, D = 1, rho = 1) and the length of the wake.
#pragma once

#include <string>
#include <vector>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/profile.hpp"

namespace hodge::tools {

struct StreamCase {
  std::string name;  // of the case
  double reynolds;
  int cells;               // of equal width to a diameter
  double disturbance = 0;  // at the start
};

// "Re 40, 16 cells to a diameter, 308 x 220 cells"
std::string run_name(const StreamCase& stream, const sim::Settings& settings);

// Equal cells from one diameter before the body to two and a half behind it and half a diameter to
// both sides, growing outside in proportion to the distance. 2D. The tolerances are 1e-6, because
// the runs have many steps.
sim::Settings stream_settings(const Report& report, const StreamCase& stream);

double drag_coefficient(const sim::Flow& flow);

// From the rear of the body at x = 1/2, on the axis, to where u changes sign; 0 without a wake.
double wake_length(const Profile& axis);

// u on y = 0 behind the body.
Profile wake_axis(const sim::Flow& flow);

// The means, extrema and the frequency over the last whole periods of a shedding flow.
struct Shedding {
  double strouhal = 0, mean_drag = 0, largest_lift = 0, rms_lift = 0;
  double drift = 0;  // relative change of the lift's amplitude between the halves of the window
};

struct Published {
  double value;
  Bound bound;  // none: shown, not judged
  std::string source;
};

// One quantity on grids each finer than the one before: a row per grid, that of the finest with
// every published value, and the change from the second finest to it, which shows what the
// staircase and the other errors of the grid amount to.
struct Refined {
  std::string quantity{};
  std::vector<Published> published{};  // at least one
  double largest_change = 0;           // relative; with two grids
  std::vector<std::string> runs{};
  std::vector<double> values{};

  void add(const std::string& run, double value) {
    runs.push_back(run);
    values.push_back(value);
  }
};
void add_refined(Report& report, const Refined& study);

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
void add_shedding(Report& report, const SheddingPlan& plan,
                  std::vector<SheddingQuantity> quantities);

}  // namespace hodge::tools
