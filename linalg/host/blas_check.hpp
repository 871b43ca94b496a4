// Which BLAS this build has, and whether it can be used: some end the process at their first call
// if a variable of the environment names another processor (OpenBLAS: OPENBLAS_CORETYPE, BLIS:
// BLIS_ARCH_TYPE).
#pragma once

#include <string>

namespace hodge::linalg::host {

// "OpenBLAS 0.3.21 for Haswell"; "BLIS" or "BLAS" for one without a version; empty without a BLAS.
std::string blas_name();

// A better value of OPENBLAS_CORETYPE where OpenBLAS has taken the kernels of "Prescott", of 2004.
// It does so for every processor that is newer than itself: version 0.3.21 for Xeons of 2023. Null
// where its own choice should stand.
const char* better_blas_kernels();

// Makes a small product in a child process, whose messages are dropped; before any thread is
// started. True without a BLAS.
bool blas_starts();

}  // namespace hodge::linalg::host
