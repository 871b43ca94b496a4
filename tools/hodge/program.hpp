// The program `hodge`: its command line, and what it exits with.
//
//   0 done   2 wrong input   3 numerical failure   4 the machine (disk, memory, device)
//   128 + n ended by signal n
//
// Every error is one line on stderr.
#pragma once

#include <functional>

namespace hodge::tools {

int run_program(int argc, char** argv);

// Runs the action and returns its exit code; an exception becomes one line on stderr and its code.
int guarded(const std::function<int()>& action);

}  // namespace hodge::tools
