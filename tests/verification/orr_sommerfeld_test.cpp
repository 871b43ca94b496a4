// The growth of a Tollmien-Schlichting wave in a plane channel, Re = 7500, alpha = 1.
//
//   u = 1 - y^2 + e Re(phi'(y) exp(i alpha x)),  v = e Re(-i alpha phi(y) exp(i alpha x)),  |y| <=
//   1
//
// grows as exp(0.00223498 t) and moves with the angular frequency 0.24989154: M. R. Malik,
// T. A. Zang & M. Y. Hussaini, J. Comput. Phys. 61, 1985, table I. phi is even; its Chebyshev
// coefficients are those of the Orr-Sommerfeld equation by collocation at 101 points, which gives
// the published eigenvalue to 2e-8.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

using Complex = std::complex<double>;

constexpr double reynolds = 7500, amplitude = 1e-4;
constexpr double published_growth = 0.00223498, published_frequency = 0.24989154;

// Of T_0, T_2, T_4, ...; phi(0) = 1
const Complex phi_coefficients[] = {
    {5.0069575e-01, -4.6122772e-03},  {-5.2373498e-01, -5.4128446e-03},
    {-1.5906080e-02, 7.1835634e-04},  {1.7517018e-02, 4.3109219e-03},
    {1.3815114e-02, 5.1276543e-03},   {6.1380621e-03, 3.1103715e-03},
    {1.2389499e-03, 1.9598107e-04},   {-1.2786122e-04, -1.5140358e-03},
    {1.4867761e-04, -1.4607917e-03},  {3.5222078e-04, -5.7671823e-04},
    {1.1938083e-04, 4.6379920e-05},   {-1.2949604e-04, 1.2219843e-04},
    {-1.3490511e-04, -1.1361258e-05}, {-2.2833353e-05, -5.5430143e-05},
    {2.9404175e-05, -1.0533664e-05},  {1.1450770e-05, 1.8421366e-05},
    {-7.7485043e-06, 8.8141350e-06},  {-4.8603858e-06, -3.4734700e-06},
    {1.7099770e-06, -2.8799632e-06},  {1.6174903e-06, 7.0908566e-07},
    {-3.0970002e-07, 8.2792347e-07},  {-4.2118117e-07, -1.4721050e-07}};

// phi, and with the derivative: phi'
Complex phi_at(double y, bool derivative) {
  const double angle = std::acos(std::clamp(y, -1.0, 1.0)), sine = std::sin(angle);
  Complex sum = 0;
  int degree = 0;
  for (const Complex& coefficient : phi_coefficients) {
    const double shape = derivative ? degree * std::sin(degree * angle) / std::max(sine, 1e-12)
                                    : std::cos(degree * angle);
    sum += coefficient * shape;
    degree += 2;
  }
  return sum;
}

struct WaveAt {
  double time;
  Complex amplitude;
};

// Of v: its projection on that of the start. v at cells is the mean of two faces.
WaveAt measure_wave(const sim::Flow& flow, int nx, int ny) {
  const std::vector<double> u = flow.cell_arrays({"velocity"})[0].values;
  const std::size_t components = u.size() / static_cast<std::size_t>(nx * ny);
  const sim::Axis& across = flow.grid().axis(1);
  WaveAt wave{flow.time(), 0};
  double weight = 0;
  for (int j = 0; j < ny; ++j) {
    const Complex shape = Complex(0, -1) * phi_at(across.centre(j), false);
    weight += std::norm(shape) * across.widths[static_cast<std::size_t>(j)];
    Complex of_row = 0;
    for (int i = 0; i < nx; ++i)
      of_row += 2.0 / nx * u[static_cast<std::size_t>(j * nx + i) * components + 1] *
                std::exp(Complex(0, -2 * std::numbers::pi * (i + 0.5) / nx));
    wave.amplitude +=
        of_row * std::conj(shape) * across.widths[static_cast<std::size_t>(j)] / amplitude;
  }
  wave.amplitude /= weight;
  return wave;
}

struct WaveErrors {
  double growth, frequency;  // over the published ones, less 1
};

// From a quarter of a period, when what the grid changes of the start has gone, for one period.
WaveErrors wave_errors(const std::string& scheme, int nx, int ny, double dt) {
  sim::Settings settings = test::flow_settings(2, 1);
  settings.grid.axes[0] = {.cells = nx, .lower = 0, .upper = 2 * std::numbers::pi};
  settings.grid.axes[1] = {
      .cells = ny, .lower = -1, .upper = 1, .stretching = "tanh", .strength = 2};
  settings.time.scheme = scheme;
  settings.transport.tolerance = 1e-7;  // of the change in a step
  settings.pressure = {};
  settings.pressure.method = "direct";
  sim::Problem problem;
  problem.viscosity = 1 / reynolds;
  problem.force[0] = 2 / reynolds;
  problem.boundaries.set(0, sim::SideKind::periodic);
  problem.initial_velocity = [](sim::Point x) {
    const Complex wave = amplitude * std::exp(Complex(0, x[0]));
    return std::array{1 - x[1] * x[1] + (phi_at(x[1], true) * wave).real(),
                      (Complex(0, -1) * phi_at(x[1], false) * wave).real(), 0.0};
  };
  const auto flow = sim::make_flow(settings, problem);
  const double period = 2 * std::numbers::pi / published_frequency;
  const int steps = static_cast<int>(std::lround(period / dt));
  WaveAt first{};
  for (int step = 0; step < steps + steps / 4; ++step) {
    if (step == steps / 4) first = measure_wave(*flow, nx, ny);
    const sim::StepReport report = flow->advance(period / steps);
    EXPECT_TRUE(report.ok) << report.failure;
    if (!report.ok) return {NAN, NAN};
  }
  const WaveAt last = measure_wave(*flow, nx, ny);
  const double time = last.time - first.time;
  const Complex ratio = last.amplitude / first.amplitude;
  const double turned = 2 * std::numbers::pi - std::arg(ratio);  // exp(-i omega t)
  return {std::log(std::abs(ratio)) / time / published_growth - 1,
          turned / time / published_frequency - 1};
}

// The eigenvalue of the discrete equations on the fine grid is -11.7 % and -0.95 % off; its steps
// of 0.1 add 6 % of growth.
TEST(OrrSommerfeld, wave_grows_as_published_with_errors_of_second_order) {
  const WaveErrors coarse = wave_errors("bdf2", 16, 48, 0.2),
                   fine = wave_errors("bdf2", 32, 96, 0.1);
  EXPECT_LT(std::abs(fine.growth), 0.1);
  EXPECT_LT(std::abs(fine.frequency), 0.011);
  EXPECT_GT(std::log2(coarse.growth / fine.growth), 1.7);
  EXPECT_GT(std::log2(coarse.frequency / fine.frequency), 1.7);
}

}  // namespace
}  // namespace hodge
