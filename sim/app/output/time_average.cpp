#include "sim/app/output/time_average.hpp"

#include <algorithm>
#include <cmath>

namespace hodge::sim {

void TimeAverage::add(double t, std::span<const double> values) {
  if (!begun_) {
    from_ = to_ = t;
    begun_ = true;
  }
  const double half = 0.5 * (t - to_);
  if (half > 0) add_weighted(half);
  std::copy(values.begin(), values.end(), last_.begin());
  if (half > 0) add_weighted(half);
  to_ = t;
}

void TimeAverage::visit_state(StateVisitor& visitor) {
  visitor.visit("average/begun", begun_);
  visitor.visit("average/from", from_);
  visitor.visit("average/to", to_);
  visitor.visit("average/weight", weight_);
  visitor.visit_fixed("average/last", last_);
  visitor.visit_fixed("average/mean", mean_);
  visitor.visit_fixed("average/squares", squares_);
}

void TimeAverage::add_weighted(double weight) {
  weight_ += weight;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const double deviation = last_[i] - mean_[i];
    mean_[i] += weight / weight_ * deviation;
    squares_[i] += weight * deviation * (last_[i] - mean_[i]);
  }
}

double TimeAverage::rms(std::size_t i) const {
  return std::sqrt(std::max(0.0, squares_[i]) / weight_);
}

}  // namespace hodge::sim
