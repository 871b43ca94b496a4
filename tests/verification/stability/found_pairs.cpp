#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "tests/verification/stability/stability.hpp"

namespace hodge::stability {
namespace {

constexpr double any_step = std::numeric_limits<double>::infinity();
constexpr double least_share = 0.85, bisection = 1.002;
const double limit_with_much_diffusion = std::cbrt(4.0 / 6.0);

// NaN where nothing is known.
double limit_of(const sim::StablePair& pair, const StabilityRules* rules) {
  double limit = std::nan("");
  for (const int dim : {1, 2}) {
    if (!has_symbol(pair.convection)) break;
    limit = std::fmin(limit, largest_stable_cfl({pair.time, pair.convection, 0, any_step, dim}));
    if (limit == 0) return 0;
  }
  if (rules == nullptr) return limit;
  for (const auto& [carried, plane] :
       {std::pair{Carried::scalar, false}, {Carried::scalar, true}, {Carried::velocity, true}})
    limit =
        std::fmin(limit, measured_stable_cfl({pair.time, pair.convection, carried, plane}, *rules));
  return limit;
}

double rounded_down(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::stod(fmt::format("{:.8g}", std::floor(value * bisection / unit) * unit));
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
    double limit = limit_of(pair, rules);
    if (std::isnan(limit)) continue;
    pair.needs_diffusion = limit == 0;
    if (pair.needs_diffusion) limit = limit_with_much_diffusion;
    const double value = pair.largest_cfl;
    if (value == limit || (value >= least_share * limit && value <= bisection * limit)) continue;
    pair.largest_cfl = limit == any_step ? any_step : rounded_down(limit);
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
