// Which of all processes have a part of a flow: the first ones, as many as the box is cut for
// (discrete/processes/decomposition.hpp). The others have nothing to do.
#pragma once

#include <optional>

#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/settings.hpp"
#include "sim/processes/first_processes.hpp"

namespace hodge::sim {

class Sharers {
 public:
  // Collective. Errors: those of linalg::device_of_process.
  Sharers(linalg::Communicator& all, const Settings& settings);

  int count() const { return slabs_.size(); }
  bool has_part() const { return all_.rank() < count(); }
  // Those with parts, of which this process must be one.
  linalg::Communicator& processes() {
    if (first_) return *first_;
    return all_;
  }
  const Decomposition& slabs() const { return slabs_; }

 private:
  linalg::Communicator& all_;
  Decomposition slabs_;
  std::optional<FirstProcesses> first_;
};

}  // namespace hodge::sim
