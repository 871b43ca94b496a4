#include "sim/app/run/failure_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/flow/formula_check.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

using Cause = std::optional<std::string>;

std::string point_text(const Point& x, int dim) {
  std::vector<std::string> parts;
  for (int d = 0; d < dim; ++d) parts.push_back(fmt::format("{:.4g}", x[d]));
  return fmt::format("({})", fmt::join(parts, ", "));
}

Point centre_of(const Grid& grid, std::size_t cell) {
  Point x{};
  for (int d = 0; d < grid.dim(); ++d) {
    const auto n = static_cast<std::size_t>(grid.cells(d));
    x[d] = grid.axis(d).centre(static_cast<int>(cell % n));
    cell /= n;
  }
  return x;
}

// The sum of squares of the components of an array in one cell.
double square(const CellArray& array, std::size_t cell) {
  const auto components = static_cast<std::size_t>(array.components);
  double sum = 0;
  for (std::size_t i = components * cell; i < components * (cell + 1); ++i)
    sum += array.values[i] * array.values[i];
  return sum;
}

Cause lost_cells(const CellArray& array, const Grid& grid) {
  const std::size_t cells = array.values.size() / static_cast<std::size_t>(array.components);
  std::size_t lost = 0, first = 0;
  for (std::size_t cell = cells; cell-- > 0;) {
    if (std::isfinite(square(array, cell))) continue;
    ++lost;
    first = cell;
  }
  if (lost == 0) return std::nullopt;
  return fmt::format("{} is no number in {} of {} cells, the first at {}", array.name, lost, cells,
                     point_text(centre_of(grid, first), grid.dim()));
}

std::string fastest_cell(const CellArray& velocity, const Grid& grid) {
  std::size_t fastest = 0;
  for (std::size_t cell = 0; 3 * cell < velocity.values.size(); ++cell)
    if (square(velocity, cell) > square(velocity, fastest)) fastest = cell;
  return fmt::format("|u| is largest, {:.3g}, at {}", std::sqrt(square(velocity, fastest)),
                     point_text(centre_of(grid, fastest), grid.dim()));
}

std::string with_place(const std::string& place, const std::string& message) {
  return place.empty() ? message : place + ": " + message;
}

// Looks for a formula that is no number at the present time and up to one step later: the present
// fields may be those before the failed step or after it.
Cause bad_formula(const Flow& flow, const Problem& problem, double dt, const PlaceOfKey& place_of) {
  const double t = flow.time();
  const auto fault = fault_at(problem, flow.grid(), {t, t + 0.5 * dt, t + dt});
  return fault ? Cause(with_place(place_of(fault->key), fault->message)) : std::nullopt;
}

// A reaction: its rate depends on scalars, so the step knows where it failed.
Cause bad_reaction(const Problem& problem, const LastStep& step, const PlaceOfKey& place_of) {
  if (step.bad_key.empty()) return std::nullopt;
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalar.reaction && step.bad_key == "scalars." + scalar.name + ".reaction")
      return with_place(place_of(step.bad_key),
                        fmt::format("{}: the formula {} is no finite number there", step.bad_key,
                                    quote(scalar.reaction->text())));
  return std::nullopt;
}

Cause unstable_step(const Settings& settings, const Problem& problem, const LastStep& step) {
  for (const StablePair* pair : stable_pairs(settings, carried_in(problem)))
    if (step.cfl > pair->largest_cfl)
      return fmt::format(
          "the CFL number of the step was {:.3g} and {} with {} convection is stable up to {}: "
          "take smaller steps (time.step.cfl, time.step.size)",
          step.cfl, pair->time, pair->convection, pair->largest_cfl);
  return std::nullopt;
}

Cause long_step(const Settings& settings, const LastStep& step) {
  constexpr double accurate = 2;
  if (!(step.cfl > accurate)) return std::nullopt;
  return fmt::format(
      "the CFL number of the step was {:.3g}, and {} extrapolates the convecting "
      "velocity: bound it by time.step.cfl",
      step.cfl, settings.time.scheme);
}

Cause coarse_cells(const Flow& flow, const Settings& settings, const Problem& problem,
                   const LastStep& step) {
  constexpr double resolved = 100;
  const bool central = find_convection_scheme(settings.convection_scheme).upwind_fraction() == 0;
  if (!central || problem.viscosity == 0) return std::nullopt;
  double widest = 0;
  for (int d = 0; d < flow.grid().dim(); ++d)
    for (const double width : flow.grid().axis(d).widths) widest = std::max(widest, width);
  const double reynolds = step.max_speed * widest / problem.viscosity;
  if (!(reynolds > resolved)) return std::nullopt;
  return fmt::format(
      "cells too coarse for {} convection (|u| h / nu is {:.3g}): take more cells, or "
      "van_leer or weno5",
      settings.convection_scheme, reynolds);
}

}  // namespace

std::string worst_place(const Flow& flow, const Problem& problem) {
  std::vector<std::string> names{"velocity", "pressure"};
  for (const ScalarProblem& scalar : problem.scalars) names.push_back(scalar.name);
  const std::vector<CellArray> arrays = flow.cell_arrays(names);
  for (const CellArray& array : arrays)
    if (const Cause lost = lost_cells(array, flow.grid())) return *lost;
  return fastest_cell(arrays.front(), flow.grid());
}

std::string likely_cause(const Flow& flow, const Settings& settings, const Problem& problem,
                         const LastStep& step, const PlaceOfKey& place_of) {
  const std::vector<std::function<Cause()>> causes{
      [&] { return bad_formula(flow, problem, step.dt, place_of); },
      [&] { return bad_reaction(problem, step, place_of); },
      [&] { return step.cause.empty() ? Cause() : step.cause; },
      [&] { return unstable_step(settings, problem, step); },
      [&] {
        return step.solver_failed ? Cause(
                                        "a linear solver that failed: take another method, "
                                        "preconditioner or fallback, or more iterations")
                                  : Cause();
      },
      [&] { return long_step(settings, step); },
      [&] { return coarse_cells(flow, settings, problem, step); }};
  for (const auto& cause : causes)
    if (const Cause found = cause()) return "likely cause: " + *found;
  return "no likely cause was found: smaller steps (time.step.cfl) show whether the step is";
}

}  // namespace hodge::sim
