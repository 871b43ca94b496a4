// profiles.csv: statistics over time along one axis, averaged over the other axes as well.
//
// With <> the average over time and < >_p the average over a layer of cells across the axis,
// weighted by their area, fluctuations are those about the average over both:
//
//   Q = <q>_p,    covariance of q and r = < <q'r'> + (<q> - Q)(<r> - R) >_p
//
// where q' = q - <q> is the fluctuation about the mean of the cell (flow/moments.hpp). Solid cells
// do not count.
#pragma once

#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// Those of the output fields that profiles are made of, and the numbers of bodies.
std::vector<std::string> fields_of_profiles(const std::vector<std::string>& output_fields,
                                            bool has_solids);

// The text of the file: a row per cell of the axis, with the columns of averages.csv. `arrays`:
// those of the fields above; each statistic has the means of its fields among them.
std::string profiles_text(const Grid& grid, int axis, const std::vector<CellArray>& arrays);

}  // namespace hodge::sim
