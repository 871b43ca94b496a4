// A restart may ask for other output. Files of rows then end, and new ones begin where columns
// would change; averages over time go on, or begin at or after the checkpoint.
#pragma once

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// How the probes of a run go on after a restart. Without a restart they are in part 1.
struct ContinuedProbes {
  bool rows = true;      // points, lines and fields are those of the checkpoint
  bool averages = true;  // and so are averages, which go on
  int part = 1;          // of the files: probes.csv, probes.2.csv, ...
  int earlier_part = 1;  // the last one that the checkpoint knows; 0: none
};

// The name of a checkpoint's part: the part of the files of probes. Earlier versions have none.
inline constexpr const char* probe_part_name = "run/probe_part";

ContinuedProbes continued_probes(CheckpointReader& checkpoint, const Settings& settings);

// Errors: KeyError where averages began before the checkpoint, which does not have all their sums,
// and where a point of the probes has moved: columns of one name are of one place.
void require_that_output_goes_on(const CheckpointReader& checkpoint, const Settings& settings);

}  // namespace hodge::sim
