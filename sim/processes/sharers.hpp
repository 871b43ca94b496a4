// Which of all processes have a part of a flow: as many of the first ones as the last axis of its
// grid can be cut for. The others have nothing to do.
#pragma once

#include <algorithm>
#include <optional>

#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/settings.hpp"
#include "sim/processes/first_processes.hpp"

namespace hodge::sim {

class Sharers {
 public:
  Sharers(linalg::Communicator& all, const GridSettings& grid) : all_(all) {
    const int last = grid.dim - 1;
    const int most = most_parts(last, grid.axes[static_cast<std::size_t>(last)].cells);
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
