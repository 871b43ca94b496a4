#include "sim/flow/treatment.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/sharp.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/checks.hpp"

namespace hodge::sim {
namespace {

void set_open_ones(std::vector<Solid>& solids, bool sharp) {
  for (Solid& solid : solids)
    if (solid.treatment_is_open) solid.sharp = sharp;
}

// What an error says, without what it asks for.
std::string complaint_of(const std::string& error) {
  std::size_t end = error.size();
  for (const char* const begin : {"; ", ", expected", ", and the solids are sharp"})
    end = std::min(end, error.find(begin));
  return error.substr(0, end);
}

// Not by the rounding of a surface on its faces.
bool is_cut(const CutCell& cell) {
  return std::min(cell.solid, 1 - cell.solid) > 1e-6;
}

// Why the solids, which are sharp, should not be; empty: they may.
std::string reason_for_staircases(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, problem);
  try {
    check_sharp_solids(settings, problem, grid);
    const SharpCells cells = sharp_cells(grid, problem, bodies);
    if (std::ranges::none_of(cells.cut, is_cut)) return "surfaces lie on faces of cells";
  } catch (const KeyError& error) {
    return complaint_of(error.what());
  }
  return "";
}

}  // namespace

bool take_named_treatment(std::vector<Solid>& solids) {
  const auto named = std::ranges::find(solids, false, &Solid::treatment_is_open);
  if (named != solids.end()) set_open_ones(solids, named->sharp);
  return named != solids.end() || solids.empty();
}

void choose_treatment(const Settings& settings, Problem& problem) {
  if (take_named_treatment(problem.solids)) return;
  set_open_ones(problem.solids, true);
  const std::string reason = reason_for_staircases(settings, problem);
  set_open_ones(problem.solids, reason.empty());
  problem.treatment = reason.empty() ? "sharp (auto)" : "staircase (auto: " + reason + ")";
}

}  // namespace hodge::sim
