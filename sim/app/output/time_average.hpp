// Averages over time of several values that are known at steps of different size:
//
//   mean = 1/T int q dt,   rms^2 = 1/T int (q - mean)^2 dt,   T = last t - first t
//
// with the trapezoidal rule. Means and squares are updated with weights and stay accurate where the
// fluctuation is small beside the mean (D. H. D. West, Comm. ACM 22, 1979).
#pragma once

#include <span>
#include <vector>

#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

class TimeAverage {
 public:
  explicit TimeAverage(std::size_t values) : last_(values), mean_(values), squares_(values) {}

  void add(double t, std::span<const double> values);  // t ascends

  double from() const { return from_; }
  double to() const { return to_; }
  // After two additions at different times.
  double mean(std::size_t i) const { return mean_[i]; }
  double rms(std::size_t i) const;  // of the fluctuation

  void visit_state(StateVisitor& visitor);

 private:
  void add_weighted(double weight);  // of last_

  bool begun_ = false;
  double from_ = 0, to_ = 0, weight_ = 0;
  std::vector<double> last_, mean_, squares_;
};

}  // namespace hodge::sim
