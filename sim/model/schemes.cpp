#include "sim/model/schemes.hpp"

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

constexpr TimeScheme schemes[] = {
    {"bdf2", "implicit, second order, extrapolated convecting velocity", TimeFamily::implicit,
     bdf2_weights},
    {"backward_euler", "implicit, first order, convecting velocity of the old level",
     TimeFamily::implicit, backward_euler_weights},
    {"cn_ab2", "explicit convection (Adams-Bashforth), implicit diffusion (Crank-Nicolson)",
     TimeFamily::cn_ab2, cn_ab2_weights},
    {"rk3", "explicit Runge-Kutta, third order in the velocity, a projection a stage",
     TimeFamily::rk3, backward_euler_weights, 2.5},
};

}  // namespace

TimeWeights bdf2_weights(double r) {
  return {(1 + 2 * r) / (1 + r), -(1 + r), r * r / (1 + r), 1 + r, -r};
}

TimeWeights backward_euler_weights(double /*ratio*/) {
  return {1, -1, 0, 1, 0};
}

TimeWeights cn_ab2_weights(double r) {
  return {1, -1, 0, 1 + 0.5 * r, -0.5 * r};
}

std::span<const TimeScheme> time_scheme_table() {
  return schemes;
}

const TimeScheme& find_time_scheme(const std::string& name) {
  std::string known;
  for (const TimeScheme& scheme : schemes) {
    if (name == scheme.name) return scheme;
    known += std::string(known.empty() ? "" : ", ") + scheme.name;
  }
  throw ConfigError("unknown time scheme '" + name + "'; known are " + known);
}

}  // namespace hodge::sim
