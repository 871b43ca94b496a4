// Into how many parts the box of a run is cut along each axis.
//
// By default slabs across the last axis, whose systems and files stay where the fields are; where
// more processes were started than there can be slabs, blocks for as many of them as possible. The
// file may ask for other counts.
#pragma once

#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// At most `started` parts, one for each process that shares the box; for as many as these, the
// counts are the same. One process has the whole box. Errors: KeyError where the settings ask for
// more processes than were started, or than an axis can be cut for.
ProcessCounts process_counts_of(const Settings& settings, const Boundaries& boundaries, int started,
                                bool on_gpus);

// The box that is cut like this.
Decomposition decomposition_of(const GridSettings& grid, const ProcessCounts& counts, bool on_gpus);

}  // namespace hodge::sim
