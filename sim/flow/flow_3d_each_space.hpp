// Flows in 3D in each space (linalg/space/this_space.hpp). Those in 2D and in 3D are compiled by
// themselves, because each takes minutes.
#pragma once

#include "linalg/space/this_space.hpp"
#include "sim/flow/grid_flow.hpp"

namespace hodge::sim {

template std::unique_ptr<Flow> make_grid_flow<3, linalg::ThisSpace>(const FlowParts&);

// For tests of steps (tests/support/flow_in_parts.hpp), which would compile them again.
template struct NavierStokes<3, linalg::ThisSpace>;
template StepReport start(NavierStokes<3, linalg::ThisSpace>&, const InitialValues<3>&);
template StepReport advance(NavierStokes<3, linalg::ThisSpace>&, double);

}  // namespace hodge::sim
