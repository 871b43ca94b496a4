// One flow that several processes share, as process 0 drives it: every call of Flow is sent to the
// others as an order (flow_order.hpp), and all make it together, each with its part of the box. So
// a run, with its files, its decisions and its signals, is the same code for one process and for
// many, and it runs in process 0; the others follow (follow.hpp).
//
// An error that all processes meet alike (a configuration, an initial velocity, a damaged
// checkpoint) leaves them waiting for the next order. After any other one they are lost: they may
// wait for messages that never come, no order is sent any more, and whoever started them has to
// end them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/flow/flow.hpp"
#include "sim/processes/flow_order.hpp"

namespace hodge::sim {

// Process 0 as the one whose orders the others follow, until the end of its life.
class FlowLeader {
 public:
  // `on_signal` gets the number of a signal that another process received (follow.hpp), before the
  // next step.
  explicit FlowLeader(
      linalg::Communicator& processes, std::function<void(int)> on_signal = [](int) {})
      : processes_(processes), on_signal_(std::move(on_signal)) {}
  ~FlowLeader();
  FlowLeader(const FlowLeader&) = delete;
  FlowLeader& operator=(const FlowLeader&) = delete;

  linalg::Communicator& processes() const { return processes_; }
  bool has_lost_others() const { return lost_; }
  std::int64_t next_flow() { return flows_++; }  // the number of a new one
  // The others return from Follower::follow(), and have to call it again before the next order.
  void pause();

  // The result of action(), which is this process's part of the order. Errors: those of the action;
  // DeviceError where the others are lost.
  template <class Action>
  decltype(auto) together(const FlowOrder& order, const Action& action) {
    begin(order);
    lost_ = true;
    try {
      if constexpr (std::is_void_v<decltype(action())>) {
        action();
        lost_ = false;
      } else {
        auto result = action();
        lost_ = false;
        return result;
      }
    } catch (...) {
      lost_ = !is_met_alike(order.call);
      throw;
    }
  }

 private:
  void begin(const FlowOrder& order);

  linalg::Communicator& processes_;
  std::function<void(int)> on_signal_;
  std::int64_t flows_ = 0;
  bool lost_ = false;
};

// `config`: the settings as text (app/config), of which the others make the same settings and
// problem. Where the grid has too few layers for all processes, the first ones have parts of it
// (sharers.hpp). Errors: those of make_flow; ConfigError where another process cannot do so. The
// leader must outlive the flow.
std::unique_ptr<Flow> make_leading_flow(FlowLeader& leader, const Settings& settings,
                                        const Problem& problem, const std::string& config);

}  // namespace hodge::sim
