#include "linalg/processes/machines.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "linalg/base/system_file.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg {

// The kernel makes a new boot_id at each start.
MachineName machine_name() {
  MachineName name{};
  const std::string id = text_of_system_file("/proc/sys/kernel/random/boot_id");
  if (id.empty())
    gethostname(name.data(), name.size() - 1);
  else
    std::copy_n(id.begin(), std::min(id.size(), name.size()), name.begin());
  return name;
}

int number_on_machine(Communicator& processes) {
  const MachineName own = machine_name();
  const std::vector<MachineName> all = gather_one(processes, own);
  return static_cast<int>(std::count(all.begin(), all.begin() + processes.rank(), own));
}

}  // namespace hodge::linalg
