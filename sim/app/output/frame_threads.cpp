#include "sim/app/output/frame_threads.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <omp.h>

namespace hodge::sim {
namespace {

constexpr int most_threads = 16;  // more pack faster than one thread hands to the system
constexpr int niceness = 10;

void leave_own_place() {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> processors(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, processors.data());
    for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &all);
  }
  if (CPU_COUNT(&all) > 0) sched_setaffinity(0, sizeof all, &all);
}

}  // namespace

int frame_threads(bool device_is_host) {
  const int cores = omp_get_max_threads();
  return std::clamp(device_is_host ? cores : cores - 1, 1, most_threads);
}

// Linux has priorities and processors of single threads; 0 is the calling one. What the system
// refuses is left as it was.
void run_in_background() {
  leave_own_place();
  const int now = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, 0, now + niceness);
}

}  // namespace hodge::sim
