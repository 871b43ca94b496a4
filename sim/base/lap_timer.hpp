// Wall-clock seconds of the work queued in a space: reading it waits until that work is done.
#pragma once

#include <chrono>

namespace hodge::sim {

template <class Space>
class LapTimer {
 public:
  // Since the start or the last lap.
  double lap() {
    Space::synchronize();
    const auto now = Clock::now();
    const std::chrono::duration<double> seconds = now - start_;
    start_ = now;
    return seconds.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace hodge::sim
