// The times that a run has to meet exactly: every multiple of the frames' interval, and the end.
//
//   stop_n = n * every, not summed, so that round-off does not accumulate;   last stop = end
//
// A multiple within rounding of the end is the end (base/times.hpp).
#pragma once

#include <optional>

#include "sim/base/times.hpp"

namespace hodge::sim {

class Schedule {
 public:
  // Times are positive; without `every` the end is the only stop.
  Schedule(double end, std::optional<double> every) : end_(end) {
    if (every) multiples_.emplace(*every);
  }

  double next_stop() const {
    if (!multiples_) return end_;
    const double time = multiples_->at(passed_ + 1);
    return is_reached(time, end_) ? end_ : time;
  }
  bool finished() const { return finished_; }
  // The run is at next_stop().
  void reached() {
    finished_ = next_stop() == end_;
    ++passed_;
  }
  // Passes the stops up to this time, however many there are.
  void continue_from(double time) {
    finished_ = is_reached(time, end_);
    passed_ = multiples_ ? multiples_->passed(time) : 0;
  }
  bool is_stop(double time) const {
    if (is_reached(time, end_)) return is_reached(end_, time);
    const long n = multiples_ ? multiples_->passed(time) : 0;
    return n > 0 && is_reached(multiples_->at(n), time);
  }

 private:
  bool is_reached(double time, double goal) const {
    return has_reached(time, goal, multiples_ ? multiples_->interval() : 0.0);
  }

  double end_;
  std::optional<Multiples> multiples_;
  long passed_ = 0;  // multiples
  bool finished_ = false;
};

}  // namespace hodge::sim
