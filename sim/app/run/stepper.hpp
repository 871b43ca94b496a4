// The steps of a run, without its files: each lands at most on the next stop, and the fields that
// it leaves are looked at.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "sim/app/run/blow_up.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/schedule.hpp"
#include "sim/app/run/steady_state.hpp"
#include "sim/base/times.hpp"
#include "sim/time/step_control.hpp"

namespace hodge::sim {

// A step that is to be taken.
struct NextStep {
  StepState state;
  double dt, cfl;  // of the velocity that it starts from
  double stop;     // the next one, of frames of the whole box or of a region
  bool lands;      // on this stop
  bool at_frame;   // which is one of frames of the whole box, or the end
};

struct Stepper {
  // Evaluates the diagnostics of the present fields. All arguments must outlive it.
  Stepper(Flow& flow, const Settings& settings, const Problem& problem);

  // The settings hold other formulas, and the flow has those of this problem.
  void change_formulas(const Problem& problem);

  // Errors: ConfigError where stability forbids the first step; of a fixed size alone.
  void check_first_step(const Problem& problem) const;
  // Whether the settings end the run here: end_time, steady, max_steps.
  std::optional<RunEnd> ended() const;
  // It goes no further than `limit`, which is later than now.
  NextStep next(double limit = std::numeric_limits<double>::infinity()) const;
  // Why it cannot be taken, as look() says what is wrong: the clock would stand still.
  std::optional<std::string> refusal(const NextStep& step) const;
  // Where the report is ok, the clock is set.
  StepReport take(const NextStep& step);
  // What is wrong with the fields, as the beginning of a sentence; nothing if they are good.
  std::optional<std::string> look();

  Flow& flow;
  const Settings& settings;
  Schedule schedule;
  StepControl control;
  SteadyState steady;
  Diagnostics diagnostics;  // of the fields that were looked at last
  BlowUpTest blow_up;
  double previous_dt = 0;
  SumOfSteps sum;
};

}  // namespace hodge::sim
