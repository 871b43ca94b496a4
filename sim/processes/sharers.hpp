// Which of all processes have a part of a flow: the first ones, as many as the settings ask for, or
// as the last axis of its grid can be cut for on their devices. The others have nothing to do.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sim/model/settings.hpp"
#include "sim/processes/first_processes.hpp"

namespace hodge::sim {

// The first layer of cells of each part along the last axis, and one behind the last layer of all,
// where so many processes were started. Errors: KeyError as those of Sharers.
std::vector<int> first_layers_of_parts(const Settings& settings, int started, bool on_gpus);

class Sharers {
 public:
  // Collective. Errors: those of linalg::device_of_process; KeyError where the settings ask for
  // more processes than there are, or than the axis can be cut for.
  Sharers(linalg::Communicator& all, const Settings& settings);

  int count() const { return count_; }
  bool has_part() const { return all_.rank() < count_; }
  // Those with parts, of which this process must be one.
  linalg::Communicator& processes() {
    if (first_) return *first_;
    return all_;
  }
  // The first layer of cells of each part along the last axis, and one behind the last layer of
  // all.
  const std::vector<int>& first_layers() const { return first_layers_; }
  // Of this process, which must have a part: its first layer of cells along the last axis, and one
  // behind its last.
  std::pair<int, int> own_layers() const;

 private:
  linalg::Communicator& all_;
  int count_ = 1;
  std::vector<int> first_layers_;
  std::optional<FirstProcesses> first_;
};

}  // namespace hodge::sim
