// Which of all processes have a part of a flow: the first ones, as many as the box is cut for
// (discrete/processes/process_counts.hpp). The others have nothing to do.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/settings.hpp"
#include "sim/processes/first_processes.hpp"

namespace hodge::sim {

class Sharers {
 public:
  // Collective. Errors: those of linalg::device_of_process and of process_counts_of.
  Sharers(linalg::Communicator& all, const Settings& settings, const Boundaries& boundaries);

  int count() const { return decomposition_.size(); }
  bool has_part() const { return all_.rank() < count(); }
  // Those with parts, of which this process must be one.
  linalg::Communicator& processes() {
    if (first_) return *first_;
    return all_;
  }
  // The blocks of cells, in which fields are shared.
  const Decomposition& decomposition() const { return decomposition_; }
  // The first layer of cells of each process along the last axis, of what is shared by layers, and
  // one behind the last layer of all. Where the box is cut into blocks, the last processes may have
  // none.
  const std::vector<int>& first_layers() const { return decomposition_.first_layers(); }
  // Of this process, which must have a part: its first layer of cells along the last axis, and one
  // behind its last.
  std::pair<int, int> own_layers() const;

 private:
  linalg::Communicator& all_;
  Decomposition decomposition_;
  std::optional<FirstProcesses> first_;
};

}  // namespace hodge::sim
