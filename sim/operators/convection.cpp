#include "sim/operators/convection.hpp"

#include "linalg/errors.hpp"

namespace hodge::sim {
namespace {

constexpr ConvectionScheme schemes[] = {
    {"central", "second order, conserves kinetic energy", 0.0},
    {"upwind", "first order, bounded, dissipative", 1.0},
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
