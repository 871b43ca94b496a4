// All processes that a launcher has started, from MPI's start to their common end.
//
// MPI comes from libhodge_mpi.so (linalg/processes/mpi), which is loaded only where several
// processes were started: programs need no MPI library otherwise. All calls come from the thread
// that called start_all_processes().
#pragma once

#include <optional>
#include <string>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/launched.hpp"

namespace hodge::linalg {

struct CommonEnd {
  int exit_code = 0;      // the largest of all processes
  int first_failed = -1;  // the first process whose own exit code is not 0; -1: none
};

class AllProcesses : public Communicator {
 public:
  // Says that this process has done its work and with which exit code (>= 0), and waits until all
  // processes have said so; at most `patience` seconds. None: some process has not, because it
  // waits for a message of another one that will never come.
  virtual std::optional<CommonEnd> end_together(int exit_code, double patience) = 0;
  // Collective, after end_together(). Nothing may be sent afterwards.
  virtual void finish() = 0;
  // Ends all processes at once, also those that wait for messages. What has to be read should have
  // been printed and flushed.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

// The interface of the module. Raise the number with every change of the classes Communicator and
// AllProcesses: a module of another number is refused.
inline constexpr int mpi_module_version = 2;
// The functions `hodge_start_mpi` and `hodge_mpi_library` of the module: the first starts MPI, the
// second only says which library MPI is. Both return null where the module has another version.
using StartMpi = AllProcesses*(int version);
using NameMpi = const char*(int version);

// Collective. The module is the file named by HODGE_MPI_MODULE; without it libhodge_mpi.so in
// ../lib/hodge beside the folder of the program, or where the loader finds it.
// Errors: ConfigError where it cannot be used or MPI does not connect as many processes as there
// are; DeviceError of MPI.
AllProcesses& start_all_processes(const Launch& launch);

// The MPI library that start_all_processes() would take, without starting it.
struct MpiLibrary {
  std::string name;    // "Open MPI 4.1.4"; empty: there is none
  std::string reason;  // why there is none
};
MpiLibrary mpi_library();

// The processes that were started; one_process() before start_all_processes().
Communicator& all_processes();

// Collective. How many threads this process should have: its cores, divided by the number of
// processes on this machine that may use one of them too; at least 1.
int fair_threads(Communicator& processes);

}  // namespace hodge::linalg
