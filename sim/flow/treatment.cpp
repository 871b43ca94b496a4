#include "sim/flow/treatment.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/sharp.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/checks.hpp"
#include "sim/time/resisting_regions.hpp"

namespace hodge::sim {
namespace {

// What an error says, without what it asks for.
std::string complaint_of(const std::string& error) {
  std::size_t end = error.size();
  for (const char* const begin :
       {"; ", ", expected", ", and the solids are sharp", ", which porous"})
    end = std::min(end, error.find(begin));
  return error.substr(0, end);
}

// Why the solids, which are sharp, should not be; empty: they may.
std::string reason_for_staircases(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, problem);
  if (problem.resistances.any()) return "there are porous bodies or sponges";
  try {
    check_sharp_solids(settings, problem, grid);
    if (sharp_cells(grid, problem, bodies).cut.empty()) return "surfaces lie on faces of cells";
  } catch (const KeyError& error) {
    return complaint_of(error.what());
  }
  return "";
}

}  // namespace

void choose_treatment(const Settings& settings, Problem& problem) {
  std::vector<Solid>& solids = problem.solids;
  if (std::ranges::none_of(solids, &Solid::treatment_is_open)) return;
  const auto set_open_ones = [&](bool sharp) {
    for (Solid& solid : solids)
      if (solid.treatment_is_open) solid.sharp = sharp;
  };
  const auto named = std::ranges::find(solids, false, &Solid::treatment_is_open);
  if (named != solids.end()) return set_open_ones(named->sharp);
  set_open_ones(true);
  const std::string reason = reason_for_staircases(settings, problem);
  if (!reason.empty()) set_open_ones(false);
  problem.treatment = reason.empty() ? "sharp (auto)" : "staircase (auto: " + reason + ")";
}

}  // namespace hodge::sim
