#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "tests/verification/stability/stability.hpp"

namespace hodge::stability {
namespace {

constexpr double any_step = std::numeric_limits<double>::infinity();
constexpr double least_share = 0.85;
const double limit_with_much_diffusion = std::cbrt(4.0 / 6.0);

// The limit lies between both; NaN where nothing is known.
struct Limit {
  double least = std::nan(""), most = least;

  void take(double found, double within) {
    least = std::fmin(least, found);
    most = std::fmin(most, found * within);
  }
};

Limit limit_of(const sim::StablePair& pair, const StabilityRules* rules) {
  Limit limit;
  for (const int dim : {1, 2}) {
    if (!has_symbol(pair.convection)) break;
    limit.take(largest_stable_cfl({pair.time, pair.convection, 0, any_step, dim}), analysed_within);
    if (limit.most == 0) return limit;
  }
  if (rules == nullptr) return limit;
  for (const auto& [carried, plane] :
       {std::pair{Carried::scalar, false}, {Carried::scalar, true}, {Carried::velocity, true}})
    limit.take(measured_stable_cfl({pair.time, pair.convection, carried, plane}, *rules),
               measured_within);
  return limit;
}

double rounded_down(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::stod(fmt::format("{:.8g}", std::floor(value / unit) * unit));
}

std::string row_of(const sim::StablePair& pair) {
  const auto number = [](double cfl) {
    return cfl == any_step ? std::string("any_step") : fmt::format("{:#g}", cfl);
  };
  const auto shortened = [&](double cfl) {
    std::string text = number(cfl);
    while (text.ends_with("0") && !text.ends_with(".0")) text.pop_back();
    return text;
  };
  std::string row = fmt::format("    {{\"{}\", \"{}\", {}", pair.time, pair.convection,
                                shortened(pair.default_cfl));
  const bool is_bounded = pair.bounded_cfl > 0;
  if (pair.largest_cfl != any_step || is_bounded) row += ", " + shortened(pair.largest_cfl);
  if (pair.needs_diffusion || is_bounded) row += fmt::format(", {}", pair.needs_diffusion);
  if (is_bounded) row += ", " + shortened(pair.bounded_cfl);
  return row + "},\n";
}

}  // namespace

std::vector<sim::StablePair> found_pairs(std::span<const sim::StablePair> pairs,
                                         const StabilityRules* rules) {
  std::vector<sim::StablePair> found(pairs.begin(), pairs.end());
  for (sim::StablePair& pair : found) {
    Limit limit = limit_of(pair, rules);
    if (std::isnan(limit.most)) continue;
    pair.needs_diffusion = limit.most == 0;
    if (pair.needs_diffusion) limit.least = limit.most = limit_with_much_diffusion;
    const double value = pair.largest_cfl;
    if (value >= least_share * limit.least && value <= limit.most) continue;
    pair.largest_cfl = limit.least == any_step ? any_step : rounded_down(limit.least);
    pair.default_cfl = std::min(pair.default_cfl, pair.largest_cfl);
  }
  return found;
}

std::string with_pairs(const std::string& source, std::span<const sim::StablePair> pairs) {
  const std::string opening = "constexpr StablePair pairs[] = {\n";
  const std::size_t begin = source.find(opening), end = source.find("};\n", begin);
  if (begin == std::string::npos || end == std::string::npos)
    throw ConfigError("no table: expected '" + opening.substr(0, opening.size() - 1) + "'");
  std::string rows;
  for (const sim::StablePair& pair : pairs) rows += row_of(pair);
  return source.substr(0, begin) + opening + rows + source.substr(end);
}

}  // namespace hodge::stability
