// The command line of `hodge`: finds the command and runs it.
#pragma once

namespace hodge::tools {

// Returns the exit code (program.hpp).
int run_program(int argc, char** argv);

}  // namespace hodge::tools
