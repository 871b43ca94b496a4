#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

std::span<const Validation> validation_table() {
  static constexpr Validation table[] = {
      {"taylor_green",
       "errors against the exact solution, the orders in space and of each time scheme",
       validate_taylor_green},
      {"poiseuille",
       "channel flow by a force and by inflow and outflow, against the exact solution",
       validate_poiseuille},
      {"outflow", "sides with a given pressure: a T junction, a channel and a U-tube",
       validate_outflow},
      {"duct", "rectangular ducts in 3D against the exact series and its friction factor",
       validate_duct},
      {"oscillating_flow", "Womersley's solution in a plane channel: errors, amplitude and lag",
       validate_oscillating_flow},
      {"kovasznay", "steady flow behind a grid of bars against the exact solution",
       validate_kovasznay},
      {"ethier_steinman", "decaying Beltrami flow in 3D against the exact solution",
       validate_ethier_steinman},
      {"taylor_green_3d", "dissipation of the vortex at Re 1600 against a spectral solution",
       validate_taylor_green_3d},
      {"lid_driven_cavity",
       "steady profiles, extrema and vortices, and their order, against published solutions",
       validate_lid_driven_cavity},
      {"lid_driven_cavity_high_re", "the same at Re 3200 and 5000; with --quick at 1000",
       validate_lid_driven_cavity_high_re},
      {"lid_driven_cavity_3d", "centrelines of the cube at Re 1000 against a Chebyshev solution",
       validate_lid_driven_cavity_3d},
      {"backward_facing_step", "reattachment lengths and profiles at Re 800 against Gartling",
       validate_backward_facing_step, false},
      {"circular_cylinder", "a cylinder's drag, wake and vortex street against published values",
       validate_circular_cylinder},
      {"square_cylinder", "a square cylinder's vortex street against published values",
       validate_square_cylinder},
      {"manufactured_scalar", "errors and orders with every kind of side, a source and a velocity",
       validate_manufactured_scalar},
      {"rotating_cone", "order and bounds of the convection schemes in solid rotation",
       validate_rotating_cone},
      {"smith_hutton", "a steep front at the outlet of a bend, with every scheme",
       validate_smith_hutton},
      {"heated_cavity", "Nusselt number and largest velocities of natural convection in a square",
       validate_heated_cavity},
      {"rayleigh_benard", "onset of convection, and the heat that steady rolls carry",
       validate_rayleigh_benard},
      {"brusselator", "reactions with diffusion: order of the splitting, reference integrations",
       validate_brusselator},
      {"robertson", "stiff reactions against a reference integration and published values",
       validate_robertson},
  };
  return table;
}

const Validation* find_validation(std::string_view name) {
  for (const Validation& entry : validation_table()) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace hodge::tools
