#include <sched.h>

#include <algorithm>
#include <vector>

#include "linalg/processes/all_processes.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"

namespace hodge::linalg {

namespace {

// The cores that a process may use. On one machine the same bits are the same cores, in containers
// too.
struct UsableCores {
  MachineName machine = machine_name();
  cpu_set_t cores{};
};

UsableCores usable_cores() {
  UsableCores own;
  // Fails on more than 1024 cores: the mask stays empty, and the process gets one thread.
  (void)sched_getaffinity(0, sizeof own.cores, &own.cores);
  return own;
}

bool share_a_core(const UsableCores& a, const UsableCores& b) {
  cpu_set_t both;
  CPU_AND(&both, &a.cores, &b.cores);
  return a.machine == b.machine && CPU_COUNT(&both) > 0;
}

}  // namespace

int fair_threads(Communicator& processes) {
  const UsableCores own = usable_cores();
  const std::vector<UsableCores> all = gather_one(processes, own);
  const auto sharing = std::ranges::count_if(
      all, [&](const UsableCores& other) { return share_a_core(own, other); });
  return std::max(1, CPU_COUNT(&own.cores) / std::max(1, static_cast<int>(sharing)));
}

}  // namespace hodge::linalg
