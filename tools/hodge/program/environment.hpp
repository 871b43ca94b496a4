// Variables of the environment that libraries read, where they do worse than to refuse a value.
#pragma once

#include <string>
#include <vector>

namespace hodge::tools {

// OMP_NUM_THREADS: OpenMP prints its own lines and goes on with another number, or ends the process
// (LLVM). Refused in one line with exit code 2 before any library is initialised, so nothing of
// libc may be used here. Notes which cores the process may use and how many arguments it has, for
// a restart.
void check_before_libraries(int argc, char** argv, char** environment);

// Variables that libraries read when they are loaded, and whose defaults are bad here: sets those
// that the user has not set, and starts the program anew with them. Returns where there are none,
// or a restart is not possible.
//
//   GOMP_SPINCOUNT     A step is thousands of short parallel loops. Threads that spin for
//                      milliseconds between them, as GNU OpenMP's do, starve each other as soon as
//                      another process wants a core: runs on two busy cores were up to 40 times
//                      slower than on one. Spinning for some microseconds and then sleeping costs
//                      10 % at most, on the smallest grids of an idle machine. Left alone where
//                      the user has said how threads wait or where they run.
//   OPENBLAS_CORETYPE  where OpenBLAS does not know the processor (linalg/host/blas_check.hpp):
//                      a direct solve by products on 96^3 cells took 148 in place of 41 ms.
void restart_with_better_variables(char** argv);

// The words before the arguments with which /proc/self/exe runs this program again, in place of
// `name` (linalg/base/own_program.hpp).
std::vector<std::string> words_to_start_again(const std::string& name);

// OPENBLAS_CORETYPE, BLIS_ARCH_TYPE: the BLAS ends the process (SIGILL, SIGABRT) at its first use
// if the value names a processor that it does not know, or whose instructions this one lacks.
// Errors: ConfigError. Costs nothing where the variables are not set.
void check_blas_environment();

}  // namespace hodge::tools
