// The largest stable CFL number of a time scheme with a convection scheme, by von Neumann analysis,
// the amplification of a wave by a step, and by measurement (below).
//
// On equal cells a wave exp(i sum_d theta_d j_d) in a uniform stream changes by
//
//   dq/dt dt = z q - l q,   z = -CFL sum_d f_d s(theta_d),   l = d sum_d f_d (2 - 2 cos theta_d)
//
// with s the symbol of the convection scheme (weno5 by its linear weights), f_d the axes' shares of
// the CFL number (and of diffusion), d = D dt / h^2 summed over axes. A step multiplies it by the
// larger root g of
//
//   bdf2            (3/2 - z + l) g^2 - 2 g + 1/2 = 0
//   backward_euler  (1 - z + l) g - 1 = 0
//   cn_ab2          (1 + l/2) g^2 - (1 - l/2 + 3/2 z) g + z/2 = 0
//   rk3             g = 1 + w + w^2 / 2 + w^3 / 6,  w = z - l
//   ab2             g^2 - (1 + 3/2 w) g + w/2 = 0
//
// For the implicit schemes the deferred correction is taken as converged. van_leer is not linear
// and has no symbol.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/time/stability.hpp"

namespace hodge::stability {

// The largest CFL number for which is_stable(cfl) holds, by bisection to the relative accuracy: 0
// where even `smallest` is unstable, infinite where `largest` is stable.
template <class Test>
double largest_stable(double smallest, double largest, double accuracy, const Test& is_stable) {
  if (is_stable(largest)) return std::numeric_limits<double>::infinity();
  if (!is_stable(smallest)) return 0;
  while (largest > accuracy * smallest) {
    const double middle = std::sqrt(smallest * largest);
    (is_stable(middle) ? smallest : largest) = middle;
  }
  return smallest;
}

// How exact the limits of the analysis and of measurements are: the true ones are at most so many
// times larger.
constexpr double analysed_within = 1.002, measured_within = 1.02;

struct WaveStep {
  std::string time, convection;
  double cfl = 0;
  double cell_peclet = std::numeric_limits<double>::infinity();  // CFL / d
  int dim = 1;  // 2: the largest over several directions of the stream too
};

bool has_symbol(const std::string& convection);

// max |g| over waves.
double amplification(const WaveStep& step);

// The largest CFL number at which no wave grows by more than 1e-4 per cell that the stream crosses;
// 0 where that is below 0.1, infinite where it is above 20.
double largest_stable_cfl(WaveStep step);

// The largest factor by which one iteration of deferred correction multiplies its error; NaN where
// nothing is deferred.
double contraction(const WaveStep& step);

// The largest CFL number at which runs are stable, found by bisection.
//
// A run starts from noise (a fixed pattern of all wavelengths, periodic) in a uniform stream. It is
// unstable where a step fails, or where the root mean square of the noise comes to more than twice
// that of the start within `steps` steps: 400 steps show a growth of 0.2 % per step or more.
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

// `largest_cfl` and `needs_diffusion` of pairs as they are found, a fixed function of both limits.
//
//   limit   the least of the analysis and, with rules, of the measurements without diffusion
//   0       needs_diffusion; the limit is then that of much diffusion, (4/6)^(1/3) (stability.hpp)
//
// A value that stands is kept where it is between 0.85 limit and the limit, as far as that is
// known; otherwise it becomes the limit, rounded down to two digits. rules: null for the analysis
// alone, which leaves pairs as they are that have no symbol.
std::vector<sim::StablePair> found_pairs(std::span<const sim::StablePair> pairs,
                                         const StabilityRules* rules);

// sim/time/stability.cpp with the rows of these pairs. Errors: ConfigError where it has no table.
std::string with_pairs(const std::string& source, std::span<const sim::StablePair> pairs);

}  // namespace hodge::stability
