// What bounds steps beside convection, and changes: explicit diffusion where coefficients vary, and
// forces that depend on the velocity.
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
  // max over faces of |df_d/du_d| and of sum_e |df_d/du_e|, e != d; 1/T
  double force_decay = 0, force_coupling = 0;
};

}  // namespace hodge::sim
