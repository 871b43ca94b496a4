#include "linalg/direct/axis_wave.hpp"

#include <cmath>
#include <numbers>

#include "linalg/direct/eigenbasis.hpp"

namespace hodge::linalg {

namespace {

bool is_quarter(AxisEnds ends) {
  return ends == AxisEnds::closed_half || ends == AxisEnds::half_closed;
}

PointOrder point_order(AxisEnds ends, int n) {
  PointOrder order(n);
  order.is_reversed = ends == AxisEnds::half_closed;
  order.is_folded = ends != AxisEnds::periodic;
  order.odd_points_negative = order.is_folded && ends != AxisEnds::closed;
  order.odd_slots_negative = is_quarter(ends) && n % 2 == 1;
  return order;
}

// The eigenvector of entry q, as uniform_eigenvalues() numbers them.
int eigenvector(AxisEnds ends, int n, int q) {
  if (ends == AxisEnds::half) return n - 1 - q;
  return is_quarter(ends) && n % 2 == 1 ? (q + (n - 1) / 2) % n : q;
}

}  // namespace

Complex<double> turn(long long p, long long q) {
  const double angle = std::numbers::pi * static_cast<double>(p % (2 * q)) / static_cast<double>(q);
  return {std::cos(angle), -std::sin(angle)};
}

bool has_wave(const SeparableAxis& axis) {
  const int least = axis.is_uniform() && is_shifted_wave(axis) ? 4 : 2;
  return axis.points() >= least && axis.is_uniform();
}

bool is_shifted_wave(const SeparableAxis& axis) {
  return is_quarter(axis.ends()) && axis.points() % 2 == 0;
}

AxisWave axis_wave(const SeparableAxis& axis) {
  const int n = axis.points();
  const AxisEnds ends = axis.ends();
  const std::vector<double> eigenvalues = uniform_eigenvalues(axis);
  AxisWave wave;
  wave.order = point_order(ends, n);
  wave.is_shifted = is_shifted_wave(axis);
  for (int q = 0; q < n; ++q) {
    const int k = eigenvector(ends, n, q);
    wave.values.push_back(eigenvalues[static_cast<std::size_t>(k)]);
    if (is_quarter(ends))
      wave.turns.push_back(turn(2LL * k + 1, 4LL * n));
    else if (ends != AxisEnds::periodic)
      wave.turns.push_back(turn(q, 2LL * n));
    if (wave.is_shifted) wave.shifts.push_back(turn(q, n));
  }
  return wave;
}

}  // namespace hodge::linalg
