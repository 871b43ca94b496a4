#include "sim/flow/checks.hpp"

#include <fmt/format.h>

#include <climits>
#include <cmath>

#include "linalg/errors.hpp"
#include "linalg/solve.hpp"
#include "sim/flow/systems.hpp"
#include "sim/operators/convection.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {
namespace {

void check_fluid(const Problem& problem) {
  if (!(problem.density > 0) || !std::isfinite(problem.density))
    throw ConfigError(fmt::format("the density is {}; it must be positive", problem.density));
  if (!(problem.viscosity >= 0) || !std::isfinite(problem.viscosity))
    throw ConfigError(
        fmt::format("the viscosity is {}; it must not be negative", problem.viscosity));
}

void check_axis(const Boundaries& boundaries, const Grid& grid, int axis) {
  const auto& [lower, upper] = boundaries.sides[axis];
  const char* const name = axis_names[axis];
  if (lower.kind != upper.kind)
    throw ConfigError(fmt::format(
        "one side along {} is periodic and the other is not; both or none must be", name));
  const bool periodic = boundaries.periodic(axis);
  const int least = periodic ? 3 : 2;
  if (grid.cells(axis) < least)
    throw ConfigError(fmt::format("the grid has {} cells along {}; {} axis needs at least {}",
                                  grid.cells(axis), name,
                                  periodic ? "a periodic" : "a wall-bounded", least));
  for (const Side& side : boundaries.sides[axis])
    if (!periodic && !side.velocity[axis].is_zero())
      throw ConfigError(
          fmt::format("a wall normal to {} moves along {} with velocity {}; walls "
                      "may only move in their own plane",
                      name, name, side.velocity[axis].text()));
}

void check_size(const SystemSize& system) {
  if (system.rows >= INT_MAX || system.nonzeros >= INT_MAX)
    throw ConfigError(
        fmt::format("the {} system has {} rows and {} non-zeros; fewer than {} of "
                    "each are possible: take fewer cells",
                    system.name, system.rows, system.nonzeros, INT_MAX));
}

}  // namespace

void check(const Settings& settings, const Problem& problem, const Grid& grid) {
  (void)find_time_scheme(settings.time.scheme);
  (void)find_convection_scheme(settings.convection_scheme);
  linalg::check(settings.pressure);
  linalg::check(settings.transport);
  check_fluid(problem);
  for (int axis = 0; axis < grid.dim(); ++axis) check_axis(problem.boundaries, grid, axis);
  for (const SystemSize& system : system_sizes(problem.boundaries, grid)) check_size(system);
}

}  // namespace hodge::sim
