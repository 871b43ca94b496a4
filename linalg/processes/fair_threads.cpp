#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "linalg/processes/all_processes.hpp"

namespace hodge::linalg {

namespace {

// The cores that a process may use. On one machine the same bits are the same cores, in containers
// too.
struct UsableCores {
  std::array<char, 64> machine{};
  cpu_set_t cores{};
};

// boot_id is the same in all containers of a machine, whose host names differ.
UsableCores usable_cores() {
  UsableCores own;
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  if (id.empty()) {
    gethostname(own.machine.data(), own.machine.size() - 1);
  } else {
    std::copy_n(id.begin(), std::min(id.size(), own.machine.size()), own.machine.begin());
  }
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
  std::vector<UsableCores> all(static_cast<std::size_t>(processes.size()));
  const std::vector<std::size_t> sizes(all.size(), sizeof own);
  processes.gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)),
                   sizes);
  const auto sharing = std::ranges::count_if(
      all, [&](const UsableCores& other) { return share_a_core(own, other); });
  return std::max(1, CPU_COUNT(&own.cores) / std::max(1, static_cast<int>(sharing)));
}

}  // namespace hodge::linalg
