// Seconds of the work queued in a space, part by part.
//
//   seconds = timer.lap();                               waits until the work is done
//   timer.count([&](double s) { report.seconds += s; }); does not; told when settle() is called
//
// One timer does one or the other.
#pragma once

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "linalg/space/marks.hpp"

namespace hodge::sim {

template <class Space>
class LapTimer {
 public:
  using Tell = std::function<void(double)>;

  // Since the start or the last lap.
  double lap() {
    Space::synchronize();
    const auto now = Clock::now();
    const std::chrono::duration<double> seconds = now - start_;
    start_ = now;
    return seconds.count();
  }
  void count(Tell tell) {
    const int now = linalg::Marks<Space>::set();
    pending().push_back({mark_, now, std::move(tell)});
    mark_ = now;
  }

  // Waits for all work and tells what was counted. Ends all timers that count.
  static void settle() {
    Space::synchronize();
    for (const Counted& counted : std::exchange(pending(), {}))
      counted.tell(linalg::Marks<Space>::seconds(counted.first, counted.second));
    linalg::Marks<Space>::forget();
  }
  // What was counted is told to nobody.
  static void forget() {
    pending().clear();
    linalg::Marks<Space>::forget();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Counted {
    int first, second;
    Tell tell;
  };
  static std::vector<Counted>& pending() {
    static thread_local std::vector<Counted> all;
    return all;
  }

  Clock::time_point start_ = Clock::now();
  int mark_ = linalg::Marks<Space>::set();
};

}  // namespace hodge::sim
