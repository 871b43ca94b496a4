// Limits of the shell (ulimit) below which libraries crash, or wait for ever, in place of an error.
#pragma once

namespace hodge::tools {

// The stack: raised to 1 MB where that is allowed, else refused. The address space: refused where
// OpenBLAS, which asks for the buffers of its threads until it gets them, would not get them. In
// one line with exit code 2, before any library is initialised: nothing of libc may be used here.
// `cores`: those that the process may use; 0: not known.
void check_limits(char** environment, int cores);

}  // namespace hodge::tools
