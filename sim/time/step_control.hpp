// What bounds the steps of a run, gathered once: the settings, stability, motion that is about to
// begin.
//
// A problem in which nothing moves at t = 0 may have no bound at all: the Courant number bounds
// steps by the present velocity. Such a run has a longest step, which is time.step.max or, where
// that is not given, a hundredth of time.end.
//
// Where a fluid moves so slowly that implicit diffusion, of velocity or of a scalar, changes
// profiles by more than a tenth in a step by the Courant number (dt > H^2 / (10 pi^2 D), H between
// the closest sides), the longest step is that of rest, too.
//
// Where forces of the flow act (Problem::flow_force), whose later values nobody knows, the first
// step is so short that the acceleration at t = 0 moves nothing by more than the Courant number in
// it.
//
// With implicit diffusion and steps by the Courant number the first step is at most h^2 / nu, of
// the smallest cells, unless the initial state changes little in a step (|du/dt| dt < |u| / 100).
// The steps then grow by half each, so that they resolve the layers that form at walls and the
// pressure that comes with them. A long channel of height H with dt nu / H^2 >> 1 needs that: an
// incremental pressure correction takes some 12 dt nu / H^2 steps to reach the pressure along it
// that balances friction. A fixed step of dt nu / H^2 > 1/2, H the shortest length between sides,
// is therefore divided in the same way up to t = dt.
#pragma once

#include <optional>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/motion_ahead.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {

// The longest step of a run that begins at rest and gives neither time.step.max nor time.step.size;
// none for other runs. At rest: nothing of the file is known to move at t = 0, neither a side nor
// the fluid. Fields of another run (initial.from) are not read for this: they count as at rest.
std::optional<double> longest_step_from_rest(const Settings& settings, const Problem& problem,
                                             const Grid& grid);

// That of the velocity, unless it is prescribed, or of a scalar.
double largest_diffusivity(const Problem& problem);

// A time so short that velocities of sides and flow rates change little in it, for their rates of
// change at t = 0: a thousandth of the first step that motion ahead allows. 0 where none of them
// depends on time.
double short_time_of_sides(const Settings& settings, const Problem& problem, const Grid& grid);

class StepControl {
 public:
  StepControl(const Settings& settings, const Problem& problem, const Grid& grid);

  struct Present {
    double time = 0, next_stop = 0;      // next_stop > time
    double cfl_rate = 0, max_speed = 0;  // as in Diagnostics
    double velocity_rate = 0;            // likewise; matters before the first step
    double previous_dt = 0;              // 0 before the first step
    PresentDiffusion diffusion{};
  };
  // With the limits of stability and of motion ahead.
  StepState state(const Present& now) const;

  double next(const StepState& state) const { return next_step_size(settings_, state); }
  double next(const Present& now) const { return next(state(now)); }

  const StepSettings& settings() const { return settings_; }  // with the longest step from rest
  const StableStep& stable() const { return stable_; }

 private:
  StepSettings settings_;
  // Whether the first step is to resolve the layers at walls.
  bool starts_with_layers(const Present& now, double planned) const;
  // Steps up to the first multiple of time.step.size.
  void divide_first_size(const Present& now, double size, StepState& state) const;

  StableStep stable_;
  MotionAhead ahead_;
  // Of implicit diffusion, h^2 / nu and H^2 / nu; else infinite.
  double layer_time_, crossing_time_;
  double decay_time_, longest_beside_diffusion_;
  double width_under_forces_;  // the finest, where forces of the flow act; else infinite
};

}  // namespace hodge::sim
