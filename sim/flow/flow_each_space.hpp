// Flow in each space (linalg/space/this_space.hpp).
#pragma once

#include "linalg/space/this_space.hpp"
#include "sim/flow/grid_flow.hpp"

namespace hodge::sim {

template std::unique_ptr<Flow> make_flow_in<linalg::ThisSpace>(const Settings&, const Problem&,
                                                               const Grid&, linalg::Communicator&);

}  // namespace hodge::sim
