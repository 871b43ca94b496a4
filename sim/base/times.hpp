// Times up to rounding.
//
// A time is a sum of steps or a multiple of an interval, and both are rounded: times that are equal
// on paper may differ in their last digits. Whether a time is reached, and how many intervals lead
// to it, is asked here and nowhere else.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace hodge::sim {

// How far apart two times may be that are equal on paper: four units in the last place, and 1e-9 of
// the interval that they are multiples of, for intervals with few digits (0.3333333333).
inline double rounding_of(double time, double interval) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(time) + 1e-9 * interval;
}

inline bool has_reached(double time, double goal, double interval = 0) {
  return time >= goal - rounding_of(goal, interval);
}

// How many steps of at most this size lead from `time` to `end`: at least one, and none that only
// rounding would ask for.
inline double steps_to(double end, double step, double time = 0) {
  return std::max(1.0, std::ceil((end - time - rounding_of(end, step)) / step));
}

// The sum of steps. Rounding does not add up: what a sum loses is added to the next step
// (W. Kahan, Comm. ACM 8, 1965).
class SumOfSteps {
 public:
  // The time after a step.
  double after(double time, double step) {
    const double whole_step = step + lost_;
    const double sum = time + whole_step;
    lost_ = whole_step - (sum - time);
    return sum;
  }
  void restart() { lost_ = 0; }  // at a time that is no sum
  double& lost() { return lost_; }

 private:
  double lost_ = 0;
};

// Multiples of an interval. An interval with few digits means a decimal number: the third multiple
// of 0.1 is 0.3, the double nearest to the decimal product, and so equals an end that is written as
// 0.3. Of other intervals a multiple is the product of doubles.
class Multiples {
 public:
  explicit Multiples(double interval) : interval_(interval) { read_digits(); }

  double interval() const { return interval_; }

  double at(long n) const {
    const double count = static_cast<double>(n), product = count * digits_;
    return product > 0 && product <= largest_exact ? product / scale_ : count * interval_;
  }

  // Whether this time, which is not negative, is one of them, 0 included.
  bool has(double time) const { return has_reached(at(passed(time)), time, interval_); }

  // The number of the last multiple that is reached at this time, which is not negative.
  long passed(double time) const {
    constexpr double most = 9e18;  // fits into a long
    const double multiple = (time + rounding_of(time, interval_)) / interval_;
    return static_cast<long>(std::min(multiple, most));
  }

 private:
  static constexpr double largest_exact = 9007199254740992;  // 2^53
  static constexpr int most_decimals = 22;                   // 10^22 is exact

  // interval = digits / scale, both exact, where it has decimals and few digits.
  void read_digits() {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, interval_, std::chars_format::fixed);
    if (end.ec != std::errc()) return;
    std::string digits(text, end.ptr);
    const std::size_t point = digits.find('.');
    if (point == std::string::npos) return;
    const int decimals = static_cast<int>(digits.size() - point) - 1;
    digits.erase(point, 1);
    std::int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc() || decimals > most_decimals) return;
    digits_ = static_cast<double>(number);
    for (int i = 0; i < decimals; ++i) scale_ *= 10;
  }

  double interval_;
  double digits_ = 0, scale_ = 1;  // digits 0: a product of doubles
};

}  // namespace hodge::sim
