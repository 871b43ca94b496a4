// Makes a flow of a dimension in a space.
#pragma once

#include <memory>

#include "sim/flow/flow.hpp"
#include "sim/time/fluid_domain.hpp"

namespace hodge::sim {

// What it is made of.
struct FlowParts {
  const Settings& settings;
  const Problem& problem;
  const Grid& grid;
  const FluidDomain& domain;
  linalg::Communicator& processes;
};

// Compiled once for each dimension and space (flow_2d_each_space.hpp, flow_3d_each_space.hpp).
template <int Dim, class Space>
std::unique_ptr<Flow> make_grid_flow(const FlowParts& parts);

}  // namespace hodge::sim
