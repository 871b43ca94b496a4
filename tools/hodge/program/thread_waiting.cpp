#include "tools/hodge/program/thread_waiting.hpp"

#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

namespace hodge::tools {

void spin_briefly(char** argv) {
  // Where threads are bound to cores, this process is bound already and would hand that on to the
  // new one.
  for (const char* choice :
       {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
    if (std::getenv(choice) != nullptr) return;
  }
  if (setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv("/proc/self/exe", argv);
}

}  // namespace hodge::tools
