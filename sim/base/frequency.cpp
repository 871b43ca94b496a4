#include "sim/base/frequency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <vector>

namespace hodge::sim {
namespace {

constexpr double least_periods = 4, largest_trend = 0.2, least_share = 0.5, largest_scatter = 0.1;
constexpr std::size_t least_rows = 6;  // of a period
constexpr int unknowns = 5;            // mean, cos, sin, and those of the second harmonic

struct Record {
  std::vector<double> t, q, weight;  // weight: of the trapezoidal rule
  double length() const { return t.back() - t.front(); }
};

// Of mean 0 and rms 1.
Record normalised(std::span<const double> t, std::span<const double> q, double& rms) {
  Record record{{t.begin(), t.end()}, {q.begin(), q.end()}, std::vector<double>(t.size())};
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    record.weight[i] += 0.5 * (t[i + 1] - t[i]);
    record.weight[i + 1] += 0.5 * (t[i + 1] - t[i]);
  }
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < t.size(); ++i) mean += record.weight[i] * q[i];
  mean /= record.length();
  for (std::size_t i = 0; i < t.size(); ++i)
    squares += record.weight[i] * (q[i] - mean) * (q[i] - mean);
  rms = std::sqrt(squares / record.length());
  for (double& value : record.q) value = (value - mean) / rms;
  return record;
}

// From the first to the last crossing upwards; none with less than two.
std::optional<double> by_crossings(const Record& record) {
  constexpr double hysteresis = 0.5;  // of the rms
  double first = 0, last = 0, begins = 0;
  int crossings = 0;
  bool below = false;
  for (std::size_t i = 1; i < record.t.size(); ++i) {
    const double before = record.q[i - 1], now = record.q[i];
    if (before < 0 && now >= 0)
      begins = record.t[i - 1] + (record.t[i] - record.t[i - 1]) * before / (before - now);
    if (now < -hysteresis) below = true;
    if (!below || now <= hysteresis) continue;
    below = false;
    last = begins;
    if (crossings++ == 0) first = begins;
  }
  if (crossings < 2 || !(last > first)) return std::nullopt;
  return (crossings - 1) / (last - first);
}

using Row = std::array<double, unknowns>;

Row waves(double f, double t) {
  const double a = 2 * std::numbers::pi * f * t;
  return {1, std::cos(a), std::sin(a), std::cos(2 * a), std::sin(2 * a)};
}

// Gauss-Jordan with pivots on the diagonal: the matrix is symmetric and not negative.
Row solve(std::array<Row, unknowns> m, Row b) {
  for (int k = 0; k < unknowns; ++k) {
    if (!(m[k][k] > 0)) continue;
    for (int i = 0; i < unknowns; ++i) {
      if (i == k) continue;
      const double share = m[i][k] / m[k][k];
      for (int j = 0; j < unknowns; ++j) m[i][j] -= share * m[k][j];
      b[i] -= share * b[k];
    }
  }
  for (int k = 0; k < unknowns; ++k) b[k] = m[k][k] > 0 ? b[k] / m[k][k] : 0;
  return b;
}

// Least squares over rows first .. last - 1; `left`: the weighted sum of squares.
Row fit(const Record& record, double f, std::size_t first, std::size_t last, double& left) {
  std::array<Row, unknowns> m{};
  Row b{};
  for (std::size_t i = first; i < last; ++i) {
    const Row row = waves(f, record.t[i]);
    for (int k = 0; k < unknowns; ++k) {
      b[k] += record.weight[i] * row[k] * record.q[i];
      for (int j = 0; j < unknowns; ++j) m[k][j] += record.weight[i] * row[k] * row[j];
    }
  }
  const Row found = solve(m, b);
  left = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Row row = waves(f, record.t[i]);
    double rest = record.q[i];
    for (int k = 0; k < unknowns; ++k) rest -= found[k] * row[k];
    left += record.weight[i] * rest * rest;
  }
  return found;
}

struct Periods {
  std::vector<double> middle, amplitude, phase;
};

// Whole ones, counted from the end of the record.
Periods periods_of(const Record& record, double f) {
  const auto count = static_cast<int>(record.length() * f + 1e-9);
  Periods found;
  for (int k = count; k > 0; --k) {
    const double lower = record.t.back() - k / f, upper = record.t.back() - (k - 1) / f;
    const auto begin = std::ranges::lower_bound(record.t, lower);
    const auto end = std::ranges::upper_bound(record.t, upper);
    if (static_cast<std::size_t>(end - begin) < least_rows) continue;
    double left = 0;
    const Row of = fit(record, f, static_cast<std::size_t>(begin - record.t.begin()),
                       static_cast<std::size_t>(end - record.t.begin()), left);
    double phase = std::atan2(-of[2], of[1]);
    if (!found.phase.empty()) {
      constexpr double turn = 2 * std::numbers::pi;
      phase += turn * std::round((found.phase.back() - phase) / turn);
    }
    found.middle.push_back(0.5 * (lower + upper));
    found.amplitude.push_back(std::hypot(of[1], of[2]));
    found.phase.push_back(phase);
  }
  return found;
}

struct Slope {
  double value, error;  // error: 95 %
};

Slope slope(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double value = xy / xx, freedom = std::max(n - 2, 1.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double left = y[i] - mean_y - value * (x[i] - mean_x);
    rest += left * left;
  }
  const double student = 2 + 4 / freedom;  // within 10 %
  return {value, student * std::sqrt(rest / freedom / xx)};
}

double uncertainty_of(const Periods& periods) {
  const std::size_t half = periods.middle.size() / 2;
  const std::span<const double> x(periods.middle), y(periods.phase);
  const double first = slope(x.first(half), y.first(half)).value;
  const double second = slope(x.last(half), y.last(half)).value;
  return std::max(slope(x, y).error, std::abs(first - second) / 2) / (2 * std::numbers::pi);
}

Frequency none(const std::string& why) {
  return {.why_none = why};
}

std::string trend_text(const Periods& periods, double length) {
  std::vector<double> logarithms;
  for (const double a : periods.amplitude) logarithms.push_back(std::log(a));
  const Slope rate = slope(periods.middle, logarithms);
  const double least = std::expm1((std::abs(rate.value) - rate.error) * length);
  if (!(least > largest_trend)) return "";
  return fmt::format("it {} by {:.0f} % in the record", rate.value > 0 ? "grows" : "decays",
                     100 * std::expm1(std::abs(rate.value) * length));
}

}  // namespace

Frequency frequency_of(std::span<const double> t, std::span<const double> q) {
  constexpr double rounding = 1e-12;
  if (t.size() < 16) return none(fmt::format("{} rows are too few", t.size()));
  double rms = 0, largest = 0;
  for (const double value : q) largest = std::max(largest, std::abs(value));
  const Record record = normalised(t, q, rms);
  if (!(rms > rounding * largest)) return none("it does not vary");
  const auto guess = by_crossings(record);
  if (!guess) return none("it does not oscillate");
  double f = *guess;
  Periods periods;
  for (int round = 0; round < 4; ++round) {
    if (!(f > 0) || record.length() * f < least_periods)
      return none(fmt::format("the record has {:.1f} periods, expected {} or more",
                              std::max(0.0, record.length() * f), least_periods));
    periods = periods_of(record, f);
    if (static_cast<double>(periods.middle.size()) < least_periods)
      return none("it has fewer than six rows per period");
    f += slope(periods.middle, periods.phase).value / (2 * std::numbers::pi);
  }
  if (const std::string trend = trend_text(periods, record.length()); !trend.empty())
    return none(trend);
  double left = 0;
  (void)fit(record, f, 0, record.t.size(), left);
  const double share = 1 - left / record.length();
  if (!(share >= least_share))
    return none(fmt::format("the best wave, of frequency {:.4g}, explains {:.0f} % of its variance",
                            f, 100 * std::max(share, 0.0)));
  Frequency found{f, uncertainty_of(periods), record.length() * f, 0, ""};
  for (const double a : periods.amplitude)
    found.amplitude += rms * a / static_cast<double>(periods.amplitude.size());
  if (!(found.uncertainty <= largest_scatter * f))
    return none(fmt::format("its periods differ: {:.4g} +- {:.2g}", f, found.uncertainty));
  return found;
}

}  // namespace hodge::sim
