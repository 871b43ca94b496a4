// Where a time scheme with a convection scheme is stable, and with what CFL number it starts: the
// only place that says so. tests/verification/stability/ measures the limits of its table, beside
// von Neumann analysis, and fills them in.
//
//   CFL = dt max over cells sum_d |u_d| / h_d                   Diagnostics::cfl_rate * dt
//
// Implicit convection (bdf2, backward_euler) is stable for any step. The explicit ones are bounded
// by `largest_cfl`, in one dimension and in several, and by diffusion:
//
//   rk3                 dt (a / largest_cfl + d / 2.5) <= 1,   a = CFL / dt, d = sum_d 4 D / h_d^2
//   ab2                 the same with d / 1
//   cn_ab2 + central    dt^3 a^2 (|u|^2 / D + 6 a) <= 4,       |u| the largest speed
//   ab2 + central       both
//
// Steps of rk3 that are not given by their size also keep the bounds of upwind and van_leer, with
// d = max of scalars: dt (a / bounded_cfl + 3/4 d) <= 1 (limited_scalars.hpp), 3/4 beside a side
// whose value is given, 1/2 elsewhere.
//
// Rotation and forces that depend on the velocity take their share with all schemes, d and a beside
// them: dt (a / largest_cfl + d / L + sum of rates / ForceLimits) <= 1 (model/schemes.hpp).
//
// The third row: Adams-Bashforth multiplies a wave that central differences move by y without
// damping by 1 + y^4 / 4, y <= CFL; Crank-Nicolson damps it. y^2 <= CFL^2 and, by Cauchy's
// inequality, y^2 <= |u|^2 dt^2 sum_d sin^2(k_d h_d) / h_d^2, and diffusion takes at least D dt of
// that same sum, so that dt^3 a^2 |u|^2 <= 4 D is enough to leading order, on stretched grids too.
// With 6 a it is enough for any cell Reynolds number: on uniform grids the left side may reach 5.4
// before a wave grows, and 6.3 with ab2 where its other bound allows that. Without diffusion there
// is no stable step. Adams-Bashforth is stable on the real axis down to -1: hence d / 1, and 0.5
// with upwind, whose bound then adds up with that of diffusion exactly (W. Hundsdorfer & J. Verwer,
// 2003, Sec. IV.1; J. H. Ferziger & M. Peric, Computational Methods for Fluid Dynamics, 2002,
// Sec. 6.2).
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/schemes.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/present_diffusion.hpp"

namespace hodge::sim {

struct StablePair {
  const char* time;
  const char* convection;
  double default_cfl;
  double largest_cfl = std::numeric_limits<double>::infinity();
  bool needs_diffusion = false;
  double bounded_cfl = 0;  // up to which a scalar stays between its neighbours' values; 0: never
};

// A row for each time scheme with each convection scheme.
std::span<const StablePair> stability_table();

// Errors: ConfigError for a name that no table knows.
const StablePair& stability_of(const std::string& time, const std::string& convection);

// The time scheme of the scalars: beside sharp solids, whose cut cells would ask explicit transport
// for small steps, that of bdf2 where the velocity's is not implicit itself.
const TimeScheme& scheme_of_scalars(const Settings& settings, const Problem& problem);

// What is carried, each with its own convection scheme.
struct Carried {
  bool velocity = true, scalars = false;
  bool beside_sharp_solids = false;  // the scalars
};
Carried carried_in(const Problem& problem);

// The rows of what is carried, the velocity's first.
std::vector<const StablePair*> stable_pairs(const Settings& settings, const Carried& carried);

// Whether steps iterate a deferred part of convection of anything that is carried, or of diffusion.
bool has_deferred(const Settings& settings, const Problem& problem);

// The CFL number of a file that gives none: the least default of the pairs.
double default_cfl(const std::vector<const StablePair*>& pairs);

// "stable up to a CFL number of 0.5", "stable at any step", ...
std::string stability_text(const StablePair& pair);

// The largest step that the schemes of a run are stable with, by what the flow does at present:
// the least of those of all that is carried.
class StableStep {
 public:
  StableStep(const Settings& settings, const Problem& problem, const Grid& grid);

  // cfl_rate, 1/T, and max_speed, L/T, as in Diagnostics. Infinite where nothing bounds the step.
  double largest(double cfl_rate, double max_speed, const PresentDiffusion& now = {}) const;

  // What rotation and forces that depend on the velocity alone would allow, where they are more
  // than half of what bounds the step: "; by rotation alone rk3 is stable up to 0.1". Else empty.
  std::string text_of_forces(double limit, const PresentDiffusion& now) const;

  // The schemes that bound the step.
  const StablePair& binding(double cfl_rate, double max_speed,
                            const PresentDiffusion& now = {}) const;

 private:
  struct Part {
    const StablePair* pair;
    double least_diffusivity;
    double bounded_rate = 0;  // 3/4 d of scalars that rk3 bounds
    bool is_velocity = true;
  };
  double largest_of(const Part& part, double cfl_rate, double max_speed,
                    const PresentDiffusion& now) const;
  double diffusive_limit(const PresentDiffusion& now) const;
  double force_rate(const PresentDiffusion& now) const;

  std::vector<Part> parts_;
  double diffusive_limit_;  // of explicit diffusion alone; infinite where it is implicit
  DiffusionRates rates_;
  double velocity_rate_, scalar_rate_;  // of the problem, 1/T
  double largest_diffusion_;            // of the scheme
  const TimeScheme* scheme_;
  double turning_rate_;  // |2 Omega|
};

// Whether scalars keep their bounds: the scheme has them, and the CFL number, where it is set, is
// not beyond that up to which they hold.
bool keeps_bounds(const Settings& settings, const Problem& problem);

// Whether their steps are limited for that (limited_scalars.hpp).
bool limits_scalars(const Settings& settings, const Problem& problem);

// What has no diffusion and needs it with its schemes, "the velocity", "c", and these; null:
// nothing does.
struct Undamped {
  std::string what;
  const StablePair* pair = nullptr;
};
Undamped undamped(const Settings& settings, const Problem& problem);

}  // namespace hodge::sim
