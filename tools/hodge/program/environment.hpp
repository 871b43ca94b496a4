// Variables of the environment that libraries read, where they do worse than to refuse a value.
#pragma once

namespace hodge::tools {

// OMP_NUM_THREADS: OpenMP prints its own lines and goes on with another number, or ends the process
// (LLVM). Refused in one line with exit code 2 before any library is initialised, so nothing of
// libc may be used here.
void check_before_libraries(int argc, char** argv, char** environment);

// OPENBLAS_CORETYPE, BLIS_ARCH_TYPE: the BLAS ends the process (SIGILL, SIGABRT) at its first use
// if the value names a processor that it does not know, or whose instructions this one lacks.
// Errors: ConfigError. Costs nothing where the variables are not set.
void check_blas_environment();

}  // namespace hodge::tools
