// Which of the processes run on the same machine.
#pragma once

#include <array>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

// The same for all processes of a machine, also in containers, whose host names differ.
using MachineName = std::array<char, 64>;
MachineName machine_name();

// How many processes of lower rank run on the machine of this one. Collective.
int number_on_machine(Communicator& processes);

}  // namespace hodge::linalg
