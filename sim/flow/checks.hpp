// Whether settings and problem fit together; everything is checked before anything is allocated.
#pragma once

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/present_diffusion.hpp"

namespace hodge::sim {

// Errors: ConfigError naming the side, the axis, the system or the value, and what was expected.
void check(const Settings& settings, const Problem& problem, const Grid& grid);

// What sharp bodies (discrete/bodies/sharp.hpp) do not go with. Errors: KeyError.
void check_sharp_solids(const Settings& settings, const Problem& problem, const Grid& grid);

// Whether processes can share the systems that the chosen methods solve. Errors: KeyError saying
// what to take instead.
void check_sharing(const Settings& settings, const Problem& problem, const Grid& grid);

// Whether the inflow of every region of fluid without an open side balances at t = 0; make_flow
// does it on its way. Reads the solids, where there are inflow sides. Errors: those of
// fluid_domain.
void check_inflow(const Problem& problem, const Grid& grid);

// Whether the fixed step, if there is one, is stable with what moves at the start: cfl_rate and
// max_speed as in Diagnostics. Errors: ConfigError saying up to which step.
void check_fixed_step(const Settings& settings, const Problem& problem, const Grid& grid,
                      double cfl_rate, double max_speed, const PresentDiffusion& now = {});

}  // namespace hodge::sim
