// Von Neumann analysis of a time scheme with a convection scheme: the amplification of a wave by a
// step.
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
//
// For the implicit schemes the deferred correction is taken as converged. van_leer is not linear
// and has no symbol.
#pragma once

#include <limits>
#include <string>

namespace hodge::tools {

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

}  // namespace hodge::tools
