#include "linalg/direct/axis_wave.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <set>

#include "linalg/direct/eigenbasis.hpp"
#include "tests/support/direct_systems.hpp"

namespace hodge::linalg {
namespace {

using tests::axis_with;
using tests::end_kinds;

constexpr double pi = std::numbers::pi;

std::vector<double> in_slots(const PointOrder& order, const std::vector<double>& x) {
  std::vector<double> v(x.size());
  for (int j = 0; j < order.points; ++j) {
    const int m = order.slot(j);
    v[m] = order.is_negative(m) ? -x[j] : x[j];
  }
  return v;
}

// w_q V(q)
std::complex<double> turned(const AxisWave& wave, const std::vector<double>& v, int q) {
  std::complex<double> sum = 0;
  const int n = wave.order.points;
  for (int m = 0; m < n; ++m) {
    std::complex<double> value = v[m];
    if (!wave.shifts.empty()) value *= std::complex<double>(wave.shifts[m].re, wave.shifts[m].im);
    sum += value * std::polar(1.0, -2 * pi * static_cast<double>(1LL * m * q % n) / n);
  }
  if (wave.turns.empty()) return sum;
  return sum * std::complex<double>(wave.turns[q].re, wave.turns[q].im);
}

// The size of the part of x along the eigenvectors of this value, in the norm of the weights.
double part_along(const SeparableAxis& axis, const Eigenbasis& basis, const std::vector<double>& x,
                  double value) {
  const int n = axis.points();
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    if (basis.values[k] != value) continue;
    double product = 0;
    for (int i = 0; i < n; ++i)
      product += basis.vectors[i + static_cast<std::size_t>(k) * n] * axis.weights[i] * x[i];
    sum += product * product;
  }
  return std::sqrt(sum);
}

// Each amplitude of the transform is that of its eigenvector, but for sign and norm.
TEST(AxisWave, amplitudes_are_those_of_the_eigenvectors) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const int n : {2, 3, 4, 5, 7, 8, 16, 31, 64, 127, 257}) {
      SCOPED_TRACE(::testing::Message() << ends << " " << n);
      const SeparableAxis axis = axis_with(ends, n, false, 0, 1);
      const AxisWave wave = axis_wave(axis);
      const Eigenbasis basis = eigenbasis(axis);
      const std::vector<double> x = tests::random_values(n, 11), v = in_slots(wave.order, x);
      for (int q = 0; q < n; ++q) {
        const std::complex<double> amplitude = turned(wave, v, q);
        const double size = axis.periodic ? std::abs(amplitude) : std::abs(amplitude.real());
        // sum_i of cos^2 is n, or n / 2 where the wave neither is constant nor changes sign at each
        // point; the two waves of a periodic axis have n / 2 each.
        const bool is_full = (q == 0 && wave.mirror() == n) && (ends < 3 || wave.turns.empty());
        const bool alternates = axis.periodic && 2 * q == n;
        const double norm = std::sqrt((is_full || alternates ? 1.0 : 2.0) / (n * axis.weights[0]));
        EXPECT_NEAR(size * norm * axis.weights[0], part_along(axis, basis, x, wave.values[q]),
                    1e-14 * n)
            << q;
      }
    }
}

TEST(AxisWave, every_point_has_a_slot_of_its_own) {
  for (int ends = 0; ends < end_kinds; ++ends)
    for (const int n : {2, 3, 4, 5, 16, 31}) {
      const PointOrder order = axis_wave(axis_with(ends, n, false, 0, 1)).order;
      std::set<int> slots;
      for (int j = 0; j < n; ++j) {
        slots.insert(order.slot(j));
        EXPECT_EQ(order.point(order.slot(j)), j);
      }
      EXPECT_EQ(static_cast<int>(slots.size()), n);
      EXPECT_GE(*slots.begin(), 0);
      EXPECT_LT(*slots.rbegin(), n);
    }
}

// The imaginary amplitude of an entry is the real one of its mirrored entry.
TEST(AxisWave, mirrored_entries_are_conjugate) {
  for (int ends = 1; ends < end_kinds; ++ends)
    for (const int n : {3, 4, 7, 8, 31, 32}) {
      const AxisWave wave = axis_wave(axis_with(ends, n, false, 0, 1));
      const std::vector<double> v = in_slots(wave.order, tests::random_values(n, 2));
      for (int q = 0; q < n; ++q) {
        const int p = (wave.mirror() - q) % n;
        if (p == q) continue;
        EXPECT_NEAR(std::abs(turned(wave, v, q).imag()), std::abs(turned(wave, v, p).real()), 1e-12)
            << ends << " " << n << " " << q;
      }
    }
}

TEST(AxisWave, needs_equal_cells_and_points_enough) {
  EXPECT_TRUE(has_wave(axis_with(0, 2, false, 0, 1)));
  EXPECT_TRUE(has_wave(axis_with(3, 3, false, 0, 1)));
  EXPECT_TRUE(has_wave(axis_with(3, 4, false, 0, 1)));
  EXPECT_FALSE(has_wave(axis_with(3, 2, false, 0, 1)));
  EXPECT_FALSE(has_wave(axis_with(1, 1, false, 0, 1)));
  EXPECT_FALSE(has_wave(axis_with(1, 9, true, 0, 1)));
}

}  // namespace
}  // namespace hodge::linalg
