// The next step's size.
//
//   bound = min(size, limit, motion)                             where the step is fixed
//   bound = min(cfl / cfl_rate, max, limit, motion, 1.5 dt_old)  otherwise, of those that are known
//   dt    = R / ceil(R / bound),                  R = next stop - time, up to rounding
//
// so that the steps to the next stop (an output time or the end) are equal where the bound stays,
// never tiny, and the last one lands on it.
#pragma once

#include <limits>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/present_diffusion.hpp"

namespace hodge::sim {

inline constexpr double largest_growth = 1.5;  // of bdf2: stable for r < 1 + sqrt(2)

struct StepState {
  double time = 0;
  double next_stop = 0;    // > time
  double cfl_rate = 0;     // Diagnostics::cfl_rate, 1/T; 0 where nothing moves
  double previous_dt = 0;  // 0 before the first step
  double limit = std::numeric_limits<double>::infinity();   // of stability (stability.hpp)
  double motion = std::numeric_limits<double>::infinity();  // that begins (motion_ahead.hpp)
};

// The largest step that explicit diffusion is stable with:  L / max (sum_d lambda_d D / h_d^2), L
// of the scheme (schemes.hpp), the maximum over viscosity and diffusivities, h the smallest widths.
// lambda is 4, but about 4.62 for a velocity along walls and inflows. Infinite for implicit
// diffusion.
double diffusive_step_limit(const Settings& settings, const Problem& problem, const Grid& grid);

// sum_d lambda_d / h_d^2 of the velocity and of scalars, 1/L^2; 0 where their diffusion is
// implicit.
DiffusionRates explicit_diffusion_rates(const Settings& settings, const Problem& problem,
                                        const Grid& grid);

// max over scalars of sum_d 4 D / h_d^2, 1/T.
double scalar_diffusion_rate(const Problem& problem, const Grid& grid);

// The bound, and no more than what remains to the next stop. Errors: ConfigError where nothing
// bounds the step, saying what to set; ShapeError where next_stop <= time.
double largest_step(const StepSettings& settings, const StepState& state);

// Errors: those of largest_step.
double next_step_size(const StepSettings& settings, const StepState& state);

// What the settings ask for where the limit of stability is below it; 0 where it is not.
double size_before_limit(const StepSettings& settings, const StepState& state);

}  // namespace hodge::sim
