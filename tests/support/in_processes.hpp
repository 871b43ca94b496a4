// Runs a piece of a test in several processes, which share a Communicator.
//
//   run_in_processes(3, [](linalg::Communicator& own) { ...; });
//
// Files of tests/linalg whose names end with _in_processes_test.cpp are compiled twice. In
// hodge_linalg_tests the processes are threads. In hodge_linalg_processes_tests, which mpirun
// starts, they are real ones, and all of them run the test: a part for one process is run by each
// for itself, and a part for another number of processes than there are is left out.
#pragma once

#include <type_traits>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/space/space.hpp"

#ifndef HODGE_TESTS_BY_MPI

#include "tests/support/processes_in_threads.hpp"

namespace hodge::tests {

// The numbers of processes for which run_in_processes() runs anything.
inline std::vector<int> numbers_of_processes() {
  return {1, 2, 3, 4};
}
// Whether what this process has found counts after run_in_processes().
inline bool keeps_results(const linalg::Communicator& own) {
  return own.rank() == 0;
}
// Whether an exception in one process may be caught by the test.
inline constexpr bool processes_are_threads = true;

}  // namespace hodge::tests

#else

#include <cstdio>
#include <exception>
#include <functional>

#include "linalg/processes/all_processes.hpp"

namespace hodge::tests {

inline std::vector<int> numbers_of_processes() {
  const int all = linalg::all_processes().size();
  return all == 1 ? std::vector<int>{1} : std::vector<int>{1, all};
}
inline bool keeps_results(const linalg::Communicator&) {
  return true;
}
inline constexpr bool processes_are_threads = false;

// An exception ends all processes: the others would wait for this one.
inline void run_in_processes(int count, const std::function<void(linalg::Communicator&)>& program) {
  linalg::Communicator& all = linalg::all_processes();
  if (count == 1) return program(linalg::one_process());
  if (count != all.size()) return;
  try {
    program(all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", all.rank(), error.what());
    std::fflush(nullptr);
    dynamic_cast<linalg::AllProcesses&>(all).abort(1);
  }
}

}  // namespace hodge::tests

#endif

namespace hodge::tests {

// Threads that act as processes cannot share a GPU; processes may.
template <class Space>
bool can_run_in_processes(int count) {
  return count == 1 || std::is_same_v<Space, linalg::Host> || !processes_are_threads;
}

}  // namespace hodge::tests
