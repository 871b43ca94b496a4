#include "sim/discrete/reactions/reaction_failure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/reactions/reaction_chunk.hpp"

namespace hodge::sim {
namespace {

std::string position_text(const FailedCell& cell, int dim) {
  std::string text;
  for (int d = 0; d < dim; ++d)
    text += fmt::format("{}{} = {:.6g}", d == 0 ? "" : ", ", axis_names[d], cell.centre[d]);
  return text;
}

std::string values_text(const FailedCell& cell, std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", names[i], cell.values[i]);
  return text;
}

std::string reason(const FailedCell& cell, const ReactionFormulas& formulas,
                   std::span<const std::string> names, const ReactionSettings& settings) {
  for (int i = 0; i < formulas.unknowns(); ++i) {
    const double rate = formulas.rates[i](cell.centre, cell.t, cell.values);
    if (!std::isfinite(rate))
      return fmt::format("the reaction rate of {} is {}", names[formulas.reacting[i]], rate);
  }
  if (cell.error == 0)
    return fmt::format("more than {} substeps are needed", settings.most_substeps);
  if (cell.error >= reaction_failed)
    return fmt::format("Newton's method fails even for a substep of {:.3g}", cell.substep);
  return fmt::format("the error is {:.3g} times the tolerance even for a substep of {:.3g}",
                     cell.error, cell.substep);
}

void require(bool good, const char* name, double value, const char* expected) {
  if (!good)
    throw ConfigError(fmt::format("reactions: {} is {}, expected {}", name, value, expected));
}

}  // namespace

std::string reaction_failure(const FailedCell& cell, int dim, const ReactionFormulas& formulas,
                             std::span<const std::string> names, const ReactionSettings& settings) {
  return fmt::format("reactions: {}, at t = {:.6g} in the cell at {}, where {}",
                     reason(cell, formulas, names, settings), cell.t, position_text(cell, dim),
                     values_text(cell, names));
}

void check_reaction_settings(const ReactionSettings& settings) {
  require(settings.relative >= 1e-12 && settings.relative < 1, "the relative tolerance",
          settings.relative, "a number from 1e-12 to below 1");
  require(settings.absolute > 0, "the absolute tolerance", settings.absolute, "a number above 0");
  require(settings.least_substep > 0 && settings.least_substep < 1, "the least substep",
          settings.least_substep, "a fraction between 0 and 1");
  require(settings.most_substeps > 0, "the number of substeps", settings.most_substeps,
          "at least 1");
  require(settings.most_iterations > 0, "the number of iterations", settings.most_iterations,
          "at least 1");
  require(settings.cells_at_once > 0, "the number of cells at once", settings.cells_at_once,
          "at least 1");
}

}  // namespace hodge::sim
