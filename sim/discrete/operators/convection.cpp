#include "sim/discrete/operators/convection.hpp"

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

constexpr ConvectionScheme schemes[] = {
    {"central", "second order, conserves kinetic energy", Convection::central},
    {"upwind", "first order, dissipative, bounded where the steps are small enough (below)",
     Convection::upwind},
    {"quick", "upwind-biased parabola, second order, hardly dissipative", Convection::quick},
    {"van_leer",
     "second order where smooth, bounded (TVD) where the steps are small enough (below)",
     Convection::van_leer},
    {"weno5", "fifth-order values, second-order fluxes, hardly oscillating", Convection::weno5},
};

}  // namespace

std::span<const ConvectionScheme> convection_table() {
  return schemes;
}

const ConvectionScheme& find_convection_scheme(const std::string& name) {
  std::string known;
  for (const ConvectionScheme& scheme : schemes) {
    if (name == scheme.name) return scheme;
    known += std::string(known.empty() ? "" : ", ") + scheme.name;
  }
  throw ConfigError("unknown convection scheme '" + name + "'; known are " + known);
}

}  // namespace hodge::sim
