#include "tests/verification/stability/stability.hpp"

#include <algorithm>
#include <complex>
#include <numbers>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/discrete/operators/convection.hpp"

namespace hodge::stability {
namespace {

using Complex = std::complex<double>;

constexpr double growth_per_cell = 1e-4;  // per cell that the stream crosses
constexpr double smallest_analysed = 0.1, largest = 20;

// The coefficients of s[0] .. s[4] in a value at a side (sim/discrete/operators/side_values.hpp).
struct SideWeights {
  const char* convection;
  double of[5];
};
constexpr SideWeights linear_schemes[] = {
    {"central", {0, 0, 0.5, 0.5, 0}},
    {"upwind", {0, 0, 1, 0, 0}},
    {"quick", {0, -0.125, 0.75, 0.375, 0}},
    {"weno5", {2.0 / 60, -13.0 / 60, 47.0 / 60, 27.0 / 60, -3.0 / 60}},
};

const SideWeights* find_weights(const std::string& convection) {
  for (const SideWeights& scheme : linear_schemes)
    if (convection == scheme.convection) return &scheme;
  return nullptr;
}

Complex symbol(const SideWeights& scheme, double theta) {
  Complex value = 0;
  for (int k = 0; k < 5; ++k) value += scheme.of[k] * std::polar(1.0, (k - 2) * theta);
  return value * (1.0 - std::polar(1.0, -theta));
}

double larger_root(Complex a, Complex b, Complex c) {
  const Complex root = std::sqrt(b * b - 4.0 * a * c);
  return std::max(std::abs((-b + root) / (2.0 * a)), std::abs((-b - root) / (2.0 * a)));
}

double growth(const std::string& time, Complex z, double l) {
  if (time == "bdf2") return larger_root(1.5 - z + l, -2, 0.5);
  if (time == "backward_euler") return 1 / std::abs(1.0 - z + l);
  if (time == "cn_ab2") return larger_root(1 + 0.5 * l, -(1 - 0.5 * l + 1.5 * z), 0.5 * z);
  const Complex w = z - l;
  if (time == "ab2") return larger_root(1, -(1.0 + 1.5 * w), 0.5 * w);
  if (time != "rk3") throw ConfigError("von Neumann analysis does not know " + time);
  return std::abs(1.0 + w + w * w / 2.0 + w * w * w / 6.0);
}

// Dense near 0, where waves grow slowly.
std::vector<double> angles(int count) {
  std::vector<double> all;
  for (int i = 1; i <= count; ++i)
    all.push_back(std::numbers::pi * std::pow(static_cast<double>(i) / count, 1.5));
  return all;
}

// visit(sum f s(theta), sum f (2 - 2 cos theta), sum f s_upwind(theta)) for many waves.
template <class Visit>
void for_each_wave(const WaveStep& step, Visit visit) {
  const SideWeights& scheme = *find_weights(step.convection);
  const SideWeights& upwind = *find_weights("upwind");
  const auto diffusion = [](double theta) { return 2 - 2 * std::cos(theta); };
  if (step.dim == 1) {
    for (const double theta : angles(400))
      visit(symbol(scheme, theta), diffusion(theta), symbol(upwind, theta));
    return;
  }
  for (const double f : {0.5, 0.75, 0.95})
    for (const double a : angles(48))
      for (double b : angles(48))
        for (const double sign : {-1.0, 1.0}) {
          b = std::abs(b) * sign;
          visit(f * symbol(scheme, a) + (1 - f) * symbol(scheme, b),
                f * diffusion(a) + (1 - f) * diffusion(b),
                f * symbol(upwind, a) + (1 - f) * symbol(upwind, b));
        }
}

}  // namespace

bool has_symbol(const std::string& convection) {
  return find_weights(convection) != nullptr;
}

double amplification(const WaveStep& step) {
  double worst = 0;
  for_each_wave(step, [&](Complex s, double l, Complex) {
    worst = std::max(worst, growth(step.time, -step.cfl * s, step.cfl / step.cell_peclet * l));
  });
  return worst;
}

double largest_stable_cfl(WaveStep step) {
  return largest_stable(smallest_analysed, largest, analysed_within, [&](double cfl) {
    step.cfl = cfl;
    return std::log(amplification(step)) <= growth_per_cell * cfl;
  });
}

double contraction(const WaveStep& step) {
  const double a0 = step.time == "bdf2" ? 1.5 : 1.0;
  const bool is_implicit = step.time == "bdf2" || step.time == "backward_euler";
  if (!is_implicit || !has_symbol(step.convection) ||
      !sim::find_convection_scheme(step.convection).is_deferred())
    return std::numeric_limits<double>::quiet_NaN();
  double worst = 0;
  for_each_wave(step, [&](Complex s, double l, Complex upwind) {
    const Complex matrix = a0 + step.cfl * upwind + step.cfl / step.cell_peclet * l;
    worst = std::max(worst, std::abs(step.cfl * (s - upwind) / matrix));
  });
  return worst;
}

}  // namespace hodge::stability
