// Words for the claims of reproduction.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tools/hodge/reproduce/reproduction.hpp"

namespace hodge::tools::reproduce {

// "1.5 ms" by a format for the number; empty where there is none.
inline std::string measured_as(const char* format, const std::optional<double>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string();
}

// a / b; none where one is missing or b is zero.
inline std::optional<double> quotient(const std::optional<double>& a,
                                      const std::optional<double>& b) {
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

struct Spread {
  double least = 0, mean = 0, most = 0;
};
// None of no values.
inline std::optional<Spread> spread(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return Spread{*least, sum / static_cast<double>(values.size()), *most};
}

constexpr const char* not_here = "not measured on this machine";

}  // namespace hodge::tools::reproduce
