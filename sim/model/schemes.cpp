#include "sim/model/schemes.hpp"

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr RungeKuttaStage rk3_stages[] = {{8.0 / 15, 0.0, 0.0, 13.0 / 30},
                                          {5.0 / 12, -17.0 / 60, 8.0 / 15, 23.0 / 13},
                                          {3.0 / 4, -5.0 / 12, 2.0 / 3, 30.0 / 23}};

constexpr RungeKuttaStage ab2_stages[] = {{1.0, 0.0, 0.0, 1.0}};  // of the first step

constexpr TimeScheme schemes[] = {
    {.name = "bdf2",
     .description = "implicit, second order, extrapolated convecting velocity",
     .weights = bdf2_weights,
     .implicit = {1.0, 1.0},
     .pressure_at = 1.0,
     .implicit_in_one_step = {0.5, 0.5},
     .force = {.turning = 0.9, .decay = 1.3, .coupling = 0.1, .turning_damping = 1.0}},
    {.name = "backward_euler",
     .description = "implicit, first order, convecting velocity of the old level",
     .weights = backward_euler_weights,
     .implicit = {1.0, 1.0},
     .pressure_at = 1.0,
     .implicit_in_one_step = {1.0, 1.0},
     .force = {.turning = 0.6, .decay = 0.65, .coupling = 0.5, .turning_damping = 0.75}},
    {.name = "cn_ab2",
     .description = "explicit convection (Adams-Bashforth), implicit diffusion (Crank-Nicolson)",
     .weights = cn_ab2_weights,
     .implicit = {0.0, 0.5},
     .pressure_at = 0.5,
     .force = {.turning = 0.9, .decay = 0.95, .coupling = 0.1, .turning_damping = 0.5}},
    {.name = "rk3",
     .description = "explicit Runge-Kutta, third order in the velocity, a projection a stage",
     .weights = backward_euler_weights,
     .implicit = {0.0, 0.0},
     .pressure_at = 5.0 / 6,
     .largest_diffusion = 2.5,
     .stages = rk3_stages,
     .force = {.turning = 1.7, .decay = 2.5, .coupling = 1.7}},
    {.name = "ab2",
     .description = "explicit Adams-Bashforth, second order, one projection per step",
     .weights = cn_ab2_weights,
     .implicit = {0.0, 0.0},
     .pressure_at = 0.5,
     .largest_diffusion = 1.0,
     .stages = ab2_stages,
     .keeps_rates = true,
     .force = {.turning = 0.8, .decay = 0.95, .coupling = 0.1, .turning_damping = 0.6}},
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

RungeKuttaStage stage_of_step(const TimeScheme& scheme, std::size_t number, double r) {
  RungeKuttaStage stage = scheme.stages[number];
  if (!scheme.keeps_rates || number > 0) return stage;
  const TimeWeights weights = scheme.weights(r);
  stage.gamma = weights.e0;
  stage.zeta = weights.e1;
  return stage;
}

std::span<const TimeScheme> time_scheme_table() {
  return schemes;
}

const TimeScheme& find_time_scheme(const std::string& name) {
  return find_by_name(schemes, "time scheme", name);
}

}  // namespace hodge::sim
