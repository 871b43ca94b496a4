// Fluids whose viscosity depends on the shear rate g = (2 S:S)^(1/2), as formulas of it: kinematic
// viscosities, so a stress is one over the density.
//
//   power_law          K g_r^(n - 1)
//   herschel_bulkley   tau_0 / g_r + K g_r^(n - 1)
//   carreau            nu_inf + (nu_0 - nu_inf) (1 + (lambda g)^2)^((n - 1) / 2)
//   cross              nu_inf + (nu_0 - nu_inf) / (1 + (lambda g)^n)
//
// g_r = (g^2 + g_0^2)^(1/2) keeps the first two finite where nothing shears: a Herschel-Bulkley
// fluid that does not yield creeps with the viscosity tau_0 / g_0 (M. Bercovier & M. Engelman, J.
// Comput. Phys. 36, 1980). Sources: P. J. Carreau, Trans. Soc. Rheol. 16, 1972; M. M. Cross, J.
// Colloid Sci. 20, 1965.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "linalg/settings/range.hpp"
#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {

struct RheologyParameter {
  const char* name;
  const char* description;
  linalg::Range range;
};
std::span<const RheologyParameter> rheology_parameters();  // of all models

struct RheologyModel {
  const char* name;
  const char* formula;  // of shear_rate and its parameters
  std::vector<std::string> parameters;
};
std::span<const RheologyModel> rheology_table();

struct Rheology {
  std::string model;  // empty: none
  std::map<std::string, double> parameters;
};

// A formula of coefficient_variables(). The model has its parameters.
Expression viscosity_of(const Rheology& fluid);

}  // namespace hodge::sim
