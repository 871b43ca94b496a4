#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/environment.hpp"

namespace {

// Started as `ld.so hodge ...`, the process is that of ld.so: it has no interpreter.
bool is_run_by_loader() {
  return getauxval(AT_BASE) == 0;
}

// A step is thousands of short parallel loops. Threads that spin for milliseconds between them, as
// GNU OpenMP's do, starve each other as soon as another process wants a core: runs on two busy
// cores were up to 40 times slower than on one. Spinning for some microseconds and then sleeping
// costs 10 % at most, on the smallest grids of an idle machine. The OpenMP runtime reads its
// settings when it is loaded, so the program sets GOMP_SPINCOUNT and starts itself anew, once,
// unless the user has said how threads wait or where they run. Returns where that is so or the
// restart is not possible.
void spin_briefly(char** argv) {
  // Where threads are bound to cores, this process is bound already and would hand that on to the
  // new one.
  for (const char* choice :
       {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
    if (std::getenv(choice) != nullptr) return;
  }
  if (is_run_by_loader()) return;
  if (setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv("/proc/self/exe", argv);
}

// The libraries that the program is linked with read variables when they are loaded, before main():
// the functions of .preinit_array come before that.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const first)(int, char**, char**) = hodge::tools::check_before_libraries;

}  // namespace

int main(int argc, char** argv) {
  spin_briefly(argv);
  return hodge::tools::run_program(argc, argv);
}
