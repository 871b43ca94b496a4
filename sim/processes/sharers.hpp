// Which of all processes have a part of a flow: as many of the first ones as the last axis of its
// grid can be cut for on their devices. The others have nothing to do.
#pragma once

#include <algorithm>
#include <optional>

#include "linalg/space/device.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/settings.hpp"
#include "sim/processes/first_processes.hpp"

namespace hodge::sim {

class Sharers {
 public:
  // Collective. Errors: those of linalg::device_of_process.
  Sharers(linalg::Communicator& all, const Settings& settings) : all_(all) {
    const bool on_gpus = linalg::chosen_gpu(linalg::device_of_process(all, settings.device)) >= 0;
    const int last = settings.grid.dim - 1;
    const int cells = settings.grid.axes[static_cast<std::size_t>(last)].cells;
    const int most = most_parts(last, cells, on_gpus ? unit_on_gpu : 1);
    count_ = std::min(all.size(), std::max(1, most));
    if (count_ < all.size()) first_.emplace(all, count_);
  }

  int count() const { return count_; }
  bool has_part() const { return all_.rank() < count_; }
  // Those with parts, of which this process must be one.
  linalg::Communicator& processes() {
    if (first_) return *first_;
    return all_;
  }

 private:
  linalg::Communicator& all_;
  int count_ = 1;
  std::optional<FirstProcesses> first_;
};

}  // namespace hodge::sim
