#include "tools/hodge/validate/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/text_lines.hpp"
#include "tools/hodge/program/shared_folder.hpp"

namespace hodge::tools {
namespace {

std::vector<std::string> split_at_commas(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

double parse_number(const std::string& text, const std::string& file) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw ConfigError(fmt::format("{}: '{}' is no number", file, text));
  return value;
}

// "Re400" in the column `suspect` marks u_Re400.
bool is_suspect(const std::vector<std::string>& names, const std::vector<std::string>& cells,
                const std::string& column) {
  const bool marked = names.back() == "suspect" && cells.size() == names.size();
  return marked && column.ends_with("_" + cells.back());
}

// The polynomial through the points at x (Lagrange's form).
double lagrange(std::span<const ProfilePoint> points, double x) {
  double sum = 0;
  for (const ProfilePoint& own : points) {
    double weight = 1;
    for (const ProfilePoint& other : points)
      if (&other != &own) weight *= (x - other.position) / (own.position - other.position);
    sum += weight * own.value;
  }
  return sum;
}

// `count` points, `before` of them below index i; shifted where they would leave the profile.
std::span<const ProfilePoint> window(const Profile& profile, std::size_t i, std::size_t before,
                                     std::size_t count) {
  const std::size_t first = i > before ? i - before : 0;
  return std::span(profile).subspan(std::min(first, profile.size() - count), count);
}

}  // namespace

std::filesystem::path reference_directory() {
  return shared_folder("reference");
}

Profile read_reference(const std::string& file, const std::string& column) {
  const std::filesystem::path path = reference_directory() / file;
  TextLines lines(path);
  std::vector<std::string> names;
  Profile points;
  while (lines.next_with_content('#')) {
    const std::vector<std::string> cells = split_at_commas(std::string(lines.line()));
    if (names.empty()) {
      names = cells;
      continue;
    }
    const auto wanted = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
    if (wanted == names.size())
      throw ConfigError(fmt::format("{}: no column {}, known: {}", path.string(), column,
                                    fmt::join(names, ", ")));
    if (is_suspect(names, cells, column) || cells.size() <= wanted || cells[wanted].empty())
      continue;
    points.push_back({parse_number(cells[0], file), parse_number(cells[wanted], file)});
  }
  return points;
}

double reference_value(const std::string& file, const std::string& column, double key) {
  const std::optional<double> value = value_at(read_reference(file, column), key);
  if (!value) throw ConfigError(fmt::format("{}: column {} has no value at {}", file, column, key));
  return *value;
}

Profile between(const Profile& curve, double from, double to) {
  Profile part = curve;
  std::erase_if(part,
                [&](const ProfilePoint& p) { return !(p.position >= from && p.position <= to); });
  return part;
}

Profile scaled(Profile profile, double factor) {
  for (ProfilePoint& point : profile) point.value *= factor;
  return profile;
}

std::optional<double> value_at(const Profile& profile, double position) {
  const auto found = std::ranges::find(profile, position, &ProfilePoint::position);
  return found == profile.end() ? std::nullopt : std::optional(found->value);
}

double mean(const Profile& profile) {
  double sum = 0;
  for (const ProfilePoint& point : profile) sum += point.value;
  return sum / static_cast<double>(profile.size());
}

double interpolate(const Profile& profile, double position) {
  const auto above = std::ranges::upper_bound(profile, position, {}, &ProfilePoint::position);
  return lagrange(window(profile, static_cast<std::size_t>(above - profile.begin()), 2, 4),
                  position);
}

// The quartic has one extremum between the neighbours of the best point; golden section finds it.
ProfilePoint extremum(const Profile& profile, int sign) {
  const auto best = std::ranges::max_element(profile.begin() + 1, profile.end() - 1, {},
                                             [=](const ProfilePoint& p) { return sign * p.value; });
  const auto points = window(profile, static_cast<std::size_t>(best - profile.begin()), 2, 5);
  const auto at = [&](double x) { return sign * lagrange(points, x); };
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double lower = best[-1].position, upper = best[1].position;
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
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const bool rises = profile[i - 1].value < 0;
    if (rises == (profile[i].value < 0)) continue;
    double lower = profile[i - 1].position, upper = profile[i].position;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (lower + upper);
      ((interpolate(profile, middle) < 0) == rises ? lower : upper) = middle;
    }
    found.push_back(0.5 * (lower + upper));
  }
  return found;
}

double frequency(const Profile& signal) {
  const double middle = mean(signal);
  std::vector<double> rises;
  for (std::size_t i = 1; i < signal.size(); ++i) {
    const double before = signal[i - 1].value - middle, after = signal[i].value - middle;
    if (before >= 0 || after < 0) continue;
    rises.push_back(
        std::lerp(signal[i - 1].position, signal[i].position, before / (before - after)));
  }
  if (rises.size() < 2) return 0;
  return static_cast<double>(rises.size() - 1) / (rises.back() - rises.front());
}

}  // namespace hodge::tools
