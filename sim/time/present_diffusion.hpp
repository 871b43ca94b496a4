// What bounds the steps of explicit diffusion where coefficients vary.
#pragma once

namespace hodge::sim {

// Of explicit diffusion by a coefficient of 1 (step_size.hpp).
struct DiffusionRates {
  double velocity = 0, scalars = 0;  // 1/L^2
};

// Of coefficients that vary, at present; 0: they are constants.
struct PresentDiffusion {
  // What explicit diffusion is bounded by. The full stress div(nu (grad u + grad u^T)) of a
  // velocity without divergence takes at most (nu + |nu - c|) |grad u|^2 of its energy, for any
  // constant c: with c in the middle, 3/2 of the largest viscosity less 1/2 of the smallest.
  double viscosity = 0;
  double least_viscosity = 0;
  double diffusivity = 0, least_diffusivity = 0;  // of all scalars
};

}  // namespace hodge::sim
