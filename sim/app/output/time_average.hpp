// Averages over time of several values that are known at steps of different size:
//
//   mean = 1/T int q dt,   rms^2 = 1/T int (q - mean)^2 dt,   T = last t - first t
//   covariance of q and r = 1/T int (q - mean of q) (r - mean of r) dt, of chosen pairs
//
// with the trapezoidal rule. Means and squares are updated with weights and stay accurate where the
// fluctuation is small beside the mean (D. H. D. West, Comm. ACM 22, 1979).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

class TimeAverage {
 public:
  using Pairs = std::vector<std::array<std::size_t, 2>>;  // of values

  explicit TimeAverage(std::size_t values, Pairs pairs = {})
      : last_(values),
        mean_(values),
        squares_(values),
        pairs_(std::move(pairs)),
        products_(pairs_.size()) {}

  void add(double t, std::span<const double> values) {  // t ascends
    if (!begun_) from_ = to_ = t;
    begun_ = true;
    const double half = 0.5 * (t - to_);
    if (half > 0) add_weighted(half);
    std::copy(values.begin(), values.end(), last_.begin());
    if (half > 0) add_weighted(half);
    to_ = t;
  }

  double from() const { return from_; }
  double to() const { return to_; }
  // After two additions at different times.
  double mean(std::size_t i) const { return mean_[i]; }
  double rms(std::size_t i) const {  // of the fluctuation
    return std::sqrt(std::max(0.0, squares_[i]) / weight_);
  }

  double covariance(std::size_t pair) const { return products_[pair] / weight_; }

  bool has_begun() const { return begun_; }

  // At a time that is not before the last addition.
  void visit_state(StateVisitor& whole, double now) {
    StateGroup visitor(whole, "average");
    visitor.visit("begun", begun_);
    visitor.visit("from", from_, {0, begun_ ? now : 0});
    visitor.visit("to", to_, {from_, begun_ ? now : 0});
    const double weight = to_ - from_, rounding = 1e-9 * to_;
    visitor.visit("weight", weight_, {std::max(0.0, weight - rounding), weight + rounding});
    visitor.visit_fixed("last", last_);
    visitor.visit_fixed("mean", mean_);
    visitor.visit_fixed("squares", squares_);
    if (!pairs_.empty()) visitor.visit_fixed("products", products_);
    for (std::size_t i = 0; visitor.restores() && i < squares_.size(); ++i)
      if (squares_[i] < -rounding * mean_[i] * mean_[i])
        visitor.refuse("squares", "has a value below 0");
  }

 private:
  void add_weighted(double weight) {  // of last_
    weight_ += weight;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const auto [a, b] = pairs_[k];
      products_[k] +=
          weight * (1 - weight / weight_) * (last_[a] - mean_[a]) * (last_[b] - mean_[b]);
    }
    for (std::size_t i = 0; i < last_.size(); ++i) {
      const double deviation = last_[i] - mean_[i];
      mean_[i] += weight / weight_ * deviation;
      squares_[i] += weight * deviation * (last_[i] - mean_[i]);
    }
  }

  bool begun_ = false;
  double from_ = 0, to_ = 0, weight_ = 0;
  std::vector<double> last_, mean_, squares_;
  Pairs pairs_;
  std::vector<double> products_;
};

}  // namespace hodge::sim
