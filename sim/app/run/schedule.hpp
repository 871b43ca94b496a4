// The times that a run has to land on: every multiple of the frames' interval, and the end.
//
//   stop_k = k * every, as one product so that no round-off gathers;   last stop = end
//
// A multiple within round-off of the end is the end.
#pragma once

#include <optional>

namespace hodge::sim {

class Schedule {
 public:
  // Times are positive; without `every` the end is the only stop.
  Schedule(double end, std::optional<double> every);

  double next_stop() const { return next_stop_; }
  bool finished() const { return finished_; }
  void reached();                    // next_stop() has been landed on
  void continue_from(double time);   // the stops up to this time have been
  bool was_stop(double time) const;  // whether it is the last one that has been

 private:
  double stop(long k) const;

  double end_;
  std::optional<double> every_;
  long k_ = 1;
  double next_stop_;
  bool finished_ = false;
};

}  // namespace hodge::sim
