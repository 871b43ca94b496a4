// The processes other than process 0: each makes its part of a flow, and does what process 0 does
// with the flow (leading_flow.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "linalg/processes/communicator.hpp"
#include "sim/flow/frame_pieces.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct FlowInput {
  Settings settings;
  Problem problem;
  MakePieceWriter make_piece_writer{};  // where frames are written in pieces
};

// Settings and problem of the text that make_leading_flow() sends; `has_state`: with the fields of
// another run that the flow begins with.
using ReadFlowInput = std::function<FlowInput(const std::string& config, bool has_state)>;

// The number of a signal that asks to end a run, if this process received one since the last call;
// 0: none.
using TakeSignal = std::function<int()>;

// The same where the leader pauses: between two calls of follow() a process keeps its parts.
class Follower {
 public:
  Follower(linalg::Communicator& processes, ReadFlowInput read);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Until the leader pauses: true; until its end: false. Errors: those of this process alone.
  bool follow(const TakeSignal& take_signal = [] { return 0; });

 private:
  class Parts;
  linalg::Communicator& processes_;
  const ReadFlowInput read_;
  std::unique_ptr<Parts> parts_;
};

// Returns at the end of the leader, who is told of a signal at the next step. An error that this
// process meets alone is thrown on, and leaves the others waiting.
void follow(
    linalg::Communicator& processes, const ReadFlowInput& read,
    const TakeSignal& take_signal = [] { return 0; });

}  // namespace hodge::sim
