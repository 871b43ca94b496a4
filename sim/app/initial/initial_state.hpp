// The state that `initial: {from: ...}` names: the fields of a run, of a checkpoint, of a frame or
// of points.
//
//   output/before            the newest checkpoint of the run, or else its last frame
//   ..._00001200.h5          a checkpoint: velocities at faces
//   ..._00001200.vti, .vtr   a frame: velocities at cell centres; fields that it lacks are not
//                            known. In pieces: .pvti, .pvtr
//   before.pvd, .vtkhdf      its last frame
//   fields.csv               values at the points of a product grid (stored_points.hpp)
//
// The box must lie in that of the state. A plane state may begin a flow in space: it is the same at
// every z, and w is 0.
//
// Errors: ConfigError where there is nothing of that name, the state does not suit the problem, a
// frame is damaged, or the velocity or a scalar without an initial value is not in it; IoError for
// a damaged checkpoint, a damaged .vtkhdf and a file that cannot be read.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct DescribedRun {
  Settings settings;
  Problem problem;
};

// What a resolved configuration describes: a checkpoint says with one which grid, bodies and
// scalars it has.
using DescribeRun = std::function<DescribedRun(const std::string& config)>;

// Of settings with initial_from. The digest of its file is taken before it is read.
std::shared_ptr<const StoredState> read_initial_state(const DescribedRun& run,
                                                      const DescribeRun& describe);

// The digest of the file that `from` stands for, which is read for it once (about 1 s per GB); of a
// checkpoint the one in its seal. Errors: as above.
std::string digest_of_state(const std::string& from);

}  // namespace hodge::sim
