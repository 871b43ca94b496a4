#include "sim/base/durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hodge::sim {
namespace {

constexpr long minute = 60;
constexpr long hour = 3600;
constexpr double longest = 1e9;  // about 30 years: longer estimates mean nothing

long whole_seconds(double seconds) {
  return std::lround(std::clamp(seconds, 0.0, longest));
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", std::max(seconds, 0.0));
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const long whole = whole_seconds(seconds);
  if (whole < hour) return fmt::format("{} min {:02} s", whole / minute, whole % minute);
  return fmt::format("{} h {:02} min", whole / hour, whole % hour / minute);
}

std::string short_duration_text(double seconds) {
  const long whole = whole_seconds(seconds);
  if (whole < hour) return fmt::format("{}:{:02}", whole / minute, whole % minute);
  return fmt::format("{}:{:02}:{:02}", whole / hour, whole % hour / minute, whole % minute);
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string count_text(long long count) {
  std::string text = fmt::format("{}", count);
  for (int position = static_cast<int>(text.size()) - 3; position > (count < 0 ? 1 : 0);
       position -= 3)
    text.insert(static_cast<std::size_t>(position), 1, ' ');
  return text;
}

}  // namespace hodge::sim
