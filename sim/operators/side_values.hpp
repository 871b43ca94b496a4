// placeholder: replaced by the real file at merge
#pragma once
#include "linalg/macros.hpp"
namespace hodge::sim {
enum class Convection : int { central, upwind, quick, van_leer, weno5 };
HODGE_HD inline double side_value(Convection scheme, const double* s) {
  return scheme == Convection::central ? 0.5 * (s[2] + s[3]) : s[2];
}
}  // namespace hodge::sim
