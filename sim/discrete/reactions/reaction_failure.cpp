#include "sim/discrete/reactions/reaction_failure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/reactions/reaction_chunk.hpp"

namespace hodge::sim {
namespace {

// "x = 0.5, y = 0.25"
template <typename Names, typename Values>
std::string values_text(const Names& names, const Values& values, std::size_t count) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back(fmt::format("{} = {:.6g}", names[i], values[i]));
  return join(parts);
}

ReactionFailure reason(const FailedCell& cell, const ReactionFormulas& formulas,
                       std::span<const std::string> names, const ReactionSettings& settings) {
  for (int i = 0; i < formulas.unknowns(); ++i) {
    // Newton's method fails where the rate is lost within the substep.
    double rate = formulas.rates[i](cell.centre, cell.t, cell.values);
    if (std::isfinite(rate))
      rate = formulas.rates[i](cell.centre, cell.t + cell.substep, cell.values);
    const std::string& name = names[formulas.reacting[i]];
    if (!std::isfinite(rate))
      return {fmt::format("the reaction rate of {} is {}", name, rate),
              fmt::format("scalars.{}.reaction", name)};
  }
  if (cell.error == 0)
    return {fmt::format("more than {} substeps are needed", settings.most_substeps)};
  if (cell.error >= reaction_failed)
    return {fmt::format("Newton's method fails even for a substep of {:.3g}", cell.substep)};
  return {fmt::format("the error is {:.3g} times the tolerance even for a substep of {:.3g}",
                      cell.error, cell.substep)};
}

}  // namespace

ReactionFailure reaction_failure(const FailedCell& cell, int dim, const ReactionFormulas& formulas,
                                 std::span<const std::string> names,
                                 const ReactionSettings& settings) {
  ReactionFailure failure = reason(cell, formulas, names, settings);
  failure.text =
      fmt::format("reactions: {}, at t = {:.6g} in the cell at {}, where {}", failure.text, cell.t,
                  values_text(axis_names, cell.centre, static_cast<std::size_t>(dim)),
                  values_text(names, cell.values, names.size()));
  return failure;
}

void check_reaction_settings(const ReactionSettings& settings) {
  const auto require = [](bool good, const char* name, double value, const char* expected) {
    if (!good)
      throw ConfigError(fmt::format("reactions: {} is {}, expected {}", name, value, expected));
  };
  require(settings.relative >= 1e-12 && settings.relative < 1, "the relative tolerance",
          settings.relative, "a number from 1e-12 to below 1");
  require(settings.absolute > 0, "the absolute tolerance", settings.absolute, "a number above 0");
  require(settings.least_substep > 0 && settings.least_substep < 1, "the least substep",
          settings.least_substep, "a fraction between 0 and 1");
  const std::pair<const char*, int> counts[] = {
      {"the number of substeps", settings.most_substeps},
      {"the number of iterations", settings.most_iterations},
      {"the number of cells at once", settings.cells_at_once}};
  for (const auto& [name, count] : counts) require(count > 0, name, count, "at least 1");
}

}  // namespace hodge::sim
