#include "tools/hodge/validate/profile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hodge::tools {
namespace {

// The polynomial through points first ... first + count - 1 at x (Lagrange's form).
double lagrange(const Profile& profile, std::size_t first, std::size_t count, double x) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    double weight = 1;
    for (std::size_t k = first; k < first + count; ++k) {
      if (k == i) continue;
      weight *= (x - profile.positions[k]) / (profile.positions[i] - profile.positions[k]);
    }
    sum += weight * profile.values[i];
  }
  return sum;
}

// The first index of a window of `count` points, `before` of them below index i; shifted where it
// would leave the profile.
std::size_t window(const Profile& profile, std::size_t i, std::size_t before, std::size_t count) {
  const std::size_t first = i > before ? i - before : 0;
  return std::min(first, profile.positions.size() - count);
}

}  // namespace

Profile between(const Profile& curve, double from, double to) {
  Profile part;
  for (std::size_t i = 0; i < curve.positions.size(); ++i)
    if (curve.positions[i] >= from && curve.positions[i] <= to)
      part.add(curve.positions[i], curve.values[i]);
  return part;
}

std::optional<double> value_at(const Profile& profile, double position) {
  const auto found = std::ranges::find(profile.positions, position);
  if (found == profile.positions.end()) return std::nullopt;
  return profile.values[static_cast<std::size_t>(found - profile.positions.begin())];
}

double interpolate(const Profile& profile, double position) {
  const auto above = std::upper_bound(profile.positions.begin(), profile.positions.end(), position);
  const auto index = static_cast<std::size_t>(above - profile.positions.begin());
  return lagrange(profile, window(profile, index, 2, 4), 4, position);
}

// The quartic has one extremum between the neighbours of the best point; golden section finds it.
Extremum extremum(const Profile& profile, int sign) {
  const auto less = [sign](double a, double b) { return sign * a < sign * b; };
  const auto best = std::max_element(profile.values.begin() + 1, profile.values.end() - 1, less);
  const auto index = static_cast<std::size_t>(best - profile.values.begin());
  const std::size_t first = window(profile, index, 2, 5);
  const auto at = [&](double x) { return sign * lagrange(profile, first, 5, x); };
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double lower = profile.positions[index - 1], upper = profile.positions[index + 1];
  while (upper - lower > 1e-9) {
    const double a = upper - golden * (upper - lower), b = lower + golden * (upper - lower);
    (at(a) > at(b) ? upper : lower) = at(a) > at(b) ? b : a;
  }
  const double position = 0.5 * (lower + upper);
  return {position, sign * at(position)};
}

// Bisection keeps the sign change between two neighbouring points.
std::vector<double> zeros(const Profile& profile) {
  std::vector<double> found;
  for (std::size_t i = 1; i < profile.values.size(); ++i) {
    if ((profile.values[i - 1] < 0) == (profile.values[i] < 0)) continue;
    double lower = profile.positions[i - 1], upper = profile.positions[i];
    const bool rises = profile.values[i - 1] < 0;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (lower + upper);
      ((interpolate(profile, middle) < 0) == rises ? lower : upper) = middle;
    }
    found.push_back(0.5 * (lower + upper));
  }
  return found;
}

double frequency(const Profile& signal) {
  const double mean = std::accumulate(signal.values.begin(), signal.values.end(), 0.0) /
                      static_cast<double>(signal.values.size());
  std::vector<double> rises;
  for (std::size_t i = 1; i < signal.values.size(); ++i) {
    const double before = signal.values[i - 1] - mean, after = signal.values[i] - mean;
    if (before >= 0 || after < 0) continue;
    rises.push_back(
        std::lerp(signal.positions[i - 1], signal.positions[i], before / (before - after)));
  }
  if (rises.size() < 2) return 0;
  return static_cast<double>(rises.size() - 1) / (rises.back() - rises.front());
}

}  // namespace hodge::tools
