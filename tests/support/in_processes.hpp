// Runs a piece of a test in several processes, which share a Communicator.
//
//   run_in_processes(3, [](linalg::Communicator& own) { ...; });
//
// Files of tests/linalg whose names end with _in_processes_test.cpp are compiled twice. In
// hodge_linalg_tests the processes are threads. In hodge_linalg_processes_tests, which mpirun
// starts, they are real ones; there a test whose number of processes is another one does nothing.
#pragma once

#ifndef HODGE_TESTS_BY_MPI
#include "tests/support/processes_in_threads.hpp"
#else

#include <cstdio>
#include <exception>
#include <functional>

#include "linalg/processes/all_processes.hpp"

namespace hodge::tests {

// An exception ends all processes: the others would wait for this one.
inline void run_in_processes(int count, const std::function<void(linalg::Communicator&)>& program) {
  linalg::Communicator& all = linalg::all_processes();
  if (count != all.size()) return;
  try {
    program(all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", all.rank(), error.what());
    std::fflush(nullptr);
    auto* const started = dynamic_cast<linalg::AllProcesses*>(&all);
    if (started == nullptr) throw;
    started->abort(1);
  }
}

}  // namespace hodge::tests

#endif
