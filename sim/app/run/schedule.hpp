// The times that a run has to meet exactly: every multiple of the frames' interval, and the end.
//
//   stop_n = n * every, not summed, so that round-off does not accumulate;   last stop = end
//
// Between these stops are those of the frames of regions: every multiple of their intervals.
// Stops within rounding of each other are one stop (base/times.hpp).
#pragma once

#include <optional>
#include <vector>

#include "sim/base/times.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

class Schedule {
 public:
  // Times are positive; without `every` the end is the only stop.
  Schedule(double end, std::optional<double> every) : end_(end) {
    if (every) multiples_.emplace(*every);
  }
  explicit Schedule(const Settings& settings)
      : Schedule(settings.time.end, settings.output.frame_every) {
    for (const OutputRegion& region : settings.output.regions) regions_.emplace_back(region.every);
  }

  double next_stop() const {
    if (!multiples_) return end_;
    const double time = multiples_->at(passed_ + 1);
    return is_reached(time, end_) ? end_ : time;
  }
  // The same or, before it, that of a region, at a time before it.
  double next_stop_of_any(double time) const {
    double stop = next_stop();
    for (const Multiples& region : regions_) {
      const double next = region.at(region.passed(time) + 1);
      if (!has_reached(next, stop, region.interval())) stop = next;
    }
    return stop;
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
    return multiples_ && multiples_->passed(time) > 0 && multiples_->has(time);
  }

 private:
  bool is_reached(double time, double goal) const {
    return has_reached(time, goal, multiples_ ? multiples_->interval() : 0.0);
  }

  double end_;
  std::optional<Multiples> multiples_;
  std::vector<Multiples> regions_;
  long passed_ = 0;  // multiples
  bool finished_ = false;
};

}  // namespace hodge::sim
