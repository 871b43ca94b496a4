// Ends this process where one that it cannot do without is gone: its launcher, or another process
// of the run on this machine. What was killed says nothing, a message of it is waited for in vain
// (on a GPU by a kernel, which no signal reaches), and a launcher that has ended ends nobody.
//
// A thread sleeps until one of them ends (pidfd_open(2), Linux 5.3; an older kernel watches
// nothing). Then the process has half a second to end by itself, as after an error that ends all,
// and is killed; where the launcher is gone SIGTERM comes first, and three seconds for a
// checkpoint.
#pragma once

#include <sys/types.h>

#include <span>
#include <thread>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::tools {

class WatchOthers {
 public:
  explicit WatchOthers(std::span<const pid_t> others);
  // They may end from now on.
  ~WatchOthers();
  WatchOthers(const WatchOthers&) = delete;
  WatchOthers& operator=(const WatchOthers&) = delete;

 private:
  void watch() const;
  bool is_over(int milliseconds) const;  // the watch; waits so long for its end

  std::vector<int> descriptors_;  // of the end of the watch, of the launcher, of the others
  std::thread thread_;
};

// Those of the other processes on this machine, where their numbers are the same for all.
// Collective.
std::vector<pid_t> others_on_machine(linalg::Communicator& all);

}  // namespace hodge::tools
