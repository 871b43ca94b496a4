// How solids that leave it open (`treatment: auto`) meet the grid.
#pragma once

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// All solids of a run have one treatment: of those that leave it open that of the others. Whether
// there are others, or no solids.
bool take_named_treatment(std::vector<Solid>& solids);

// The same, and where all leave it open it is sharp,
// but where the surfaces lie on faces of cells, which a staircase has exactly, and where something
// in the run does not go with sharp solids; problem.treatment says so. It depends on nothing that a
// restart may change. Reads the solids. Errors: those of cell_bodies (model/solid.hpp).
void choose_treatment(const Settings& settings, Problem& problem);

}  // namespace hodge::sim
