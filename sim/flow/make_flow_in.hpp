// The Flow of a space; compiled for Host by the host compiler and for Cuda by nvcc.
#pragma once

#include <memory>

#include "sim/flow/flow.hpp"

namespace hodge::sim {

template <class Space>
std::unique_ptr<Flow> make_flow_in(const Settings& settings, const Problem& problem,
                                   const Grid& grid);

}  // namespace hodge::sim
