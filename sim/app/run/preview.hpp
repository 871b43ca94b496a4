// What a run begins with, found out before it: `hodge check` and `hodge run --dry-run` say it.
//
// Grids of up to most_computed_cells get their flow: it is made on the CPU as the run makes it, so
// that the numbers are those of the first row and step in history.csv. Of larger ones the formulas
// of the velocity are sampled: no field is allocated, and the numbers are estimates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/discrete/bodies/surface.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

inline constexpr long long most_computed_cells = 1 << 16;

// What may be meant otherwise, with the key of the file that it is about.
struct Doubt {
  std::string key, text;
};

struct CellWidths {
  double smallest = 0, largest = 0;  // L
  double largest_ratio = 1;          // of neighbours along an axis
  int axis = 0;                      // with this ratio
};
CellWidths cell_widths(const Grid& grid);

struct Preview {
  CellWidths widths;
  std::vector<long long> solid_cells;  // of each body
  std::vector<SurfaceOfSolid> surfaces;
  bool is_computed = true;        // otherwise estimated
  double dt = 0, cfl = 0;         // of the first step; dt 0: not known
  bool is_about_to_move = false;  // what sides, forces and buoyancy will do bounds this step
  // max over cells of |u_d| h_d over viscosity or diffusivity; infinite where that is 0.
  std::optional<double> cell_reynolds;  // of a velocity that is solved for
  std::vector<Quantity> cell_peclets;   // of each scalar, by its name
  std::vector<Quantity> flow_rates;     // flow_rate_x_lower, ... as in history.csv
  std::vector<Quantity> formula_rates;  // the same of the formulas, over whole sides
  std::vector<Doubt> doubts;
};

// What a restart goes on with is not looked at. Errors: those that the run has before its first
// step, but for its directory, its device and its memory; of a grid that is only estimated not
// those of computing the initial velocity.
Preview preview(const Settings& settings, const Problem& problem, bool restarts = false);

}  // namespace hodge::sim
