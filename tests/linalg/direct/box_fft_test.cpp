#include "linalg/direct/box_fft.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "linalg/direct/direct_solver.hpp"
#include "tests/support/separable.hpp"

namespace hodge::linalg {
namespace {

using tests::periodic_box;

std::array<int, 3> points_of(const SeparableSystem& system) {
  std::array<int, 3> n{1, 1, 1};
  for (std::size_t d = 0; d < system.axes.size(); ++d) n[d] = system.axes[d].points();
  return n;
}

// f(point, entry of the spectrum, its frequency along axis 0, exp(-2 pi i frequency point / n)).
template <class F>
void for_each_pair(const std::array<int, 3>& n, F f) {
  std::size_t entry = 0;
  for (int m = 0; m < n[2]; ++m)
    for (int l = 0; l < n[1]; ++l)
      for (int k = 0; k <= n[0] / 2; ++k, ++entry)
        for (int p = 0; p < n[0] * n[1] * n[2]; ++p) {
          const double turns = static_cast<double>(k * (p % n[0])) / n[0] +
                               static_cast<double>(l * (p / n[0] % n[1])) / n[1] +
                               static_cast<double>(m * (p / n[0] / n[1])) / n[2];
          f(p, entry, k, std::polar(1.0, -2 * std::numbers::pi * turns));
        }
}

// As cuFFT defines its real transforms.
std::vector<Complex<double>> transformed(const SeparableSystem& system,
                                         const std::vector<double>& in) {
  std::vector<Complex<double>> out(spectrum_size(system));
  for_each_pair(points_of(system), [&](int p, std::size_t entry, int, std::complex<double> wave) {
    out[entry].re += in[p] * wave.real();
    out[entry].im += in[p] * wave.imag();
  });
  return out;
}

std::vector<double> transformed_back(const SeparableSystem& system,
                                     const std::vector<Complex<double>>& in) {
  const std::array<int, 3> n = points_of(system);
  std::vector<double> out(static_cast<std::size_t>(system.rows()), 0.0);
  for_each_pair(n, [&](int p, std::size_t entry, int k, std::complex<double> wave) {
    const double times = k == 0 || 2 * k == n[0] ? 1 : 2;  // with the frequency n0 - k
    out[p] += times * (in[entry].re * wave.real() + in[entry].im * wave.imag());
  });
  return out;
}

TEST(BoxFft, spectrum_divided_by_its_eigenvalues_is_the_solution) {
  for (const std::vector<int>& points : std::vector<std::vector<int>>{
           {7}, {8}, {4, 3}, {5, 2}, {2, 5}, {3, 4, 5}, {4, 5, 3}, {5, 3, 4}, {8, 2, 7}}) {
    SCOPED_TRACE(::testing::PrintToString(points));
    const SeparableSystem system = periodic_box(points);
    ASSERT_TRUE(has_box_fft(system));
    Eigenvalues<Host> eigenvalues;
    const auto values = spectrum_eigenvalues(system);
    for (std::size_t d = 0; d < 3; ++d)
      eigenvalues[d] = Buffer<double, Host>(std::span<const double>(values[d]));
    const std::vector<double> b = tests::random_values(static_cast<int>(system.rows()), 7);
    std::vector<Complex<double>> spectrum = transformed(system, b);
    divide_by_eigenvalues(eigenvalues, spectrum_scale(system), {}, spectrum.data());
    const std::vector<double> x = transformed_back(system, spectrum);
    const Vector<Host> right_side{std::span<const double>(b)};
    Vector<Host> expected(right_side.size());
    DirectSolver<Host>(system).solve(right_side, expected);
    for (std::size_t p = 0; p < x.size(); ++p) EXPECT_NEAR(x[p], expected.to_host()[p], 1e-12) << p;
  }
}

TEST(BoxFft, needs_periodic_axes_of_equal_cells) {
  EXPECT_TRUE(has_box_fft(periodic_box({4, 6, 8})));
  EXPECT_FALSE(has_box_fft(periodic_box({4, 1, 8})));
  SeparableSystem system = periodic_box({4, 6});
  system.axes[1] = tests::uniform_axis(6, 0.1, false);
  EXPECT_FALSE(has_box_fft(system));
  system.axes[1] = tests::axis_of(tests::stretched_edges(6, 0, 1, 1.4), true);
  EXPECT_FALSE(has_box_fft(system));
}

}  // namespace
}  // namespace hodge::linalg
