// The largest CFL number at which runs are stable, found by bisection.
//
// A run starts from noise (a fixed pattern of all wavelengths, periodic) in a uniform stream. It is
// unstable where a step fails, or where the root mean square of the noise comes to more than twice
// that of the start within `steps` steps: 400 steps show a growth of 0.2 % per step or more.
#pragma once

#include <limits>
#include <string>

namespace hodge::tools {

enum class Carried { scalar, velocity };

struct StabilityCase {
  std::string time, convection;
  Carried carried = Carried::scalar;  // a scalar in a prescribed stream, or the stream's own noise
  bool plane = false;  // a scalar along a line, or noise of both axes in an oblique stream
  double cell_peclet = std::numeric_limits<double>::infinity();  // a h^2 / D, a the CFL rate
};

struct StabilityRules {
  int cells = 32;   // along an axis
  int steps = 400;  // of a run
  double largest = 10;
};

// 0 where even a tenth is unstable, infinite where `largest` is stable.
double measured_stable_cfl(const StabilityCase& what, const StabilityRules& rules);

// How much the noise has grown after the steps at one CFL number; infinite where a step failed.
double noise_growth(const StabilityCase& what, double cfl, const StabilityRules& rules);

}  // namespace hodge::tools
