// A restart may ask for other output. Files of rows then end, and new ones begin where columns
// would change; averages over time go on, or begin at or after the checkpoint.
#pragma once

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// How the probes and profiles of a run go on after a restart. Without a restart they are in part 1.
// Averages that end or begin anew need another file: averages.csv and profiles.csv have one window.
struct ContinuedProbes {
  bool rows = true;      // points, lines and fields are those of the checkpoint
  bool averages = true;  // and so are averages, which go on
  int part = 1;          // of the files: probes.csv, probes.2.csv, ...
  int earlier_part = 1;  // the last one that the checkpoint knows; 0: none
  int profile_part = 1;  // of profiles.csv, profiles.2.csv, ...
};

// The names of a checkpoint's parts: the parts of the files of probes, and of profiles; 0: none so
// far. Earlier versions have none of the names.
inline constexpr const char *probe_part_name = "run/probe_part",
                            *profile_part_name = "run/profile_part";

inline bool has_profile(const OutputSettings& output) {
  return output.statistics && !output.statistics->profile.empty();
}

ContinuedProbes continued_probes(CheckpointReader& checkpoint, const Settings& settings);

// Errors: KeyError where averages began before the checkpoint, which does not have all their sums,
// and where a point of the probes has moved: columns of one name are of one place.
void require_that_output_goes_on(const CheckpointReader& checkpoint, const Settings& settings);

}  // namespace hodge::sim
