// The times that a run has to meet exactly: every multiple of the frames' interval, and the end.
//
//   stop_k = k * every, one product, so that round-off does not accumulate;   last stop = end
//
// A multiple within round-off of the end is the end.
#pragma once

#include <algorithm>
#include <optional>

namespace hodge::sim {

class Schedule {
 public:
  // Times are positive; without `every` the end is the only stop.
  Schedule(double end, std::optional<double> every)
      : end_(end), every_(every), next_stop_(stop(1)) {}

  double next_stop() const { return next_stop_; }
  bool finished() const { return finished_; }
  // The run is at next_stop().
  void reached() {
    finished_ = next_stop_ == end_;
    next_stop_ = stop(++k_);
  }
  // Passes the stops up to this time, however many there are.
  void continue_from(double time) {
    if (every_) k_ = std::max(k_, before(time));
    next_stop_ = stop(k_);
    while (!finished_ && next_stop_ <= time) reached();
  }
  // Whether it is the last stop that was passed.
  bool was_stop(double time) const { return k_ > 1 && stop(k_ - 1) == time; }

 private:
  static constexpr double round_off = 1e-9;  // relative to the interval

  // A stop that is surely not after this time, and of which few are before it.
  long before(double time) const {
    const double multiple = std::min(time, end_) / *every_;
    return static_cast<long>(std::clamp(multiple * (1 - 1e-15) - 2, 1.0, 9e18));
  }

  double stop(long k) const {
    if (!every_) return end_;
    const double time = static_cast<double>(k) * *every_;
    return time < end_ - round_off * *every_ ? time : end_;
  }

  double end_;
  std::optional<double> every_;
  long k_ = 1;
  double next_stop_;
  bool finished_ = false;
};

}  // namespace hodge::sim
