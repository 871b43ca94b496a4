// Wall time in seconds.
#pragma once

#include <chrono>

namespace hodge::sim {

// Since construction or the last restart.
class WallClock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns what the action returns, and adds its time to `seconds`.
template <class Action>
decltype(auto) timed(double& seconds, const Action& action) {
  struct Adder {
    double& seconds;
    WallClock clock;
    ~Adder() { seconds += clock.seconds(); }
  } const adder{seconds, {}};
  return action();
}

}  // namespace hodge::sim
