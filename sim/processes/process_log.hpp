// log.rankN.txt: what one of the processes that share a run says of itself, where the settings ask
// for it (parallel.log). Its device, its part of the box, how its messages travel; for each step
// its seconds, the seconds in messages and the bytes sent; its errors.
//
// The file is opened with the first step, when the run directory is there, and lines are added to
// it. Where it cannot be written, the process says so once on its stderr, and the run goes on.
#pragma once

#include <optional>
#include <string>

#include "linalg/files/file_descriptor.hpp"
#include "sim/flow/flow.hpp"
#include "sim/processes/sharers.hpp"

namespace hodge::sim {

class ProcessLog {
 public:
  // Collective among the sharers. The flow is the part of this process.
  ProcessLog(Sharers& sharers, const Settings& settings, const Flow& flow);

  // The step of the flow, with its line.
  StepReport advance(Flow& flow, double dt);
  void error(const std::string& what);

 private:
  void write(const std::string& lines);

  std::string path_, head_;
  std::optional<FileDescriptor> file_;
  bool is_given_up_ = false;
};

}  // namespace hodge::sim
