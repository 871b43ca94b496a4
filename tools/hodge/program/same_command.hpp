// Whether all processes of a launcher were asked for the same.
#pragma once

#include <span>
#include <string>

#include "linalg/processes/communicator.hpp"

namespace hodge::tools {

// Collective. `words`: of the command line, without the program; `configurations`: those of them
// that name one. These are compared by their contents, too, where both processes can read them.
// Errors: ConfigError in all of them, for the first process that differs from process 0.
void require_same_command(linalg::Communicator& all, std::span<const std::string> words,
                          std::span<const std::string> configurations);

}  // namespace hodge::tools
