#include "sim/app/run/schedule.hpp"

namespace hodge::sim {

namespace {

constexpr double schedule_round_off = 1e-9;  // relative to the interval

}  // namespace

Schedule::Schedule(double end, std::optional<double> every)
    : end_(end), every_(every), next_stop_(stop(1)) {}

double Schedule::stop(long k) const {
  if (!every_) return end_;
  const double time = static_cast<double>(k) * *every_;
  return time < end_ - schedule_round_off * *every_ ? time : end_;
}

void Schedule::continue_from(double time) {
  while (!finished_ && next_stop_ <= time) reached();
}

bool Schedule::was_stop(double time) const {
  return k_ > 1 && stop(k_ - 1) == time;
}

void Schedule::reached() {
  finished_ = next_stop_ == end_;
  next_stop_ = stop(++k_);
}

}  // namespace hodge::sim
