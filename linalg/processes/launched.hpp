// How this process was started: alone, or by a launcher (mpirun, mpiexec, srun) as one of several.
#pragma once

#include <string>

namespace hodge::linalg {

struct Launch {
  int size = 1, rank = 0;
  std::string launcher{};  // "Open MPI"; empty: none
  int on_machine = 1;      // of these on this machine; all, where the launcher does not say

  bool several() const { return size > 1; }
};

// Read from the variables that launchers set in the environment of each process; nothing is sent.
// Errors: ConfigError for values that cannot be.
Launch launched_processes();

}  // namespace hodge::linalg
