// What the program `hodge` exits with.
//
//   0 done   2 wrong input   3 numerical failure   4 the machine (disk, memory, device)
//   128 + n ended by signal n
//
// Every error is one line on stderr.
#pragma once

#include <functional>
#include <string>

namespace hodge::tools {

// Prints the message on stderr and returns the code.
int fail(int code, const std::string& message);

// Returns the code, or 4 where standard output could not be written. A closed pipe is no failure.
int after_output(int code);

// Runs the action and returns its exit code; an exception becomes one line on stderr and its code.
int guarded(const std::function<int()>& action);

}  // namespace hodge::tools
