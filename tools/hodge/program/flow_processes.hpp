// Commands that make flows, in several processes: process 0 runs the command, and the others have
// parts of its flows (sim/processes).
#pragma once

#include <functional>

#include "linalg/processes/communicator.hpp"
#include "sim/processes/leading_flow.hpp"

namespace hodge::tools {

// Collective. Process 0 runs the action and returns its exit code; the others return 0 when it is
// done. Process 0 takes over the signals that end a run in order from the others.
int lead_or_follow(linalg::Communicator& all, const std::function<int()>& action);

// Of a problem that is the case of the settings: shared by all processes, where there are several.
std::unique_ptr<sim::Flow> make_shared_flow(const sim::Settings& settings,
                                            const sim::Problem& problem);

// Who leads the others while process 0 runs the action; null: there is one process.
sim::FlowLeader* flow_leader();

}  // namespace hodge::tools
