// Whether the BLAS can be used: some end the process at their first call if a variable of the
// environment has a value that they do not know (BLIS: BLIS_ARCH_TYPE).
#pragma once

namespace hodge::linalg::host {

// Makes a small product in a child process, whose messages are dropped; before any thread is
// started. True without a BLAS.
bool blas_starts();

}  // namespace hodge::linalg::host
