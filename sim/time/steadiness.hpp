// Whether what a run measures step by step still grows, and how fast it falls.
//
// A series is a rate of change of a field, of which the largest value counts, or a number that the
// flow determines, such as the force on a body, of which the variation (largest - smallest) counts.
// The second shows what the first hides: an instability that grows from rounding changes the lift
// of a body while the fields still change far more by something else that fades.
//
// The time since the start is divided into blocks, at most 32, of which each is a whole number of
// steps; where there are more, neighbours are joined. Of the logarithms of a series in the blocks
// of the last half and of the last quarter of that time straight lines are fitted; slopes count
// that exceed their standard error several times (Draper & Smith, Applied Regression Analysis,
// 1998, Sec. 1.4), so that noise does not grow and a slow exponential growth does. No unit of
// length, speed or time matters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

class Steadiness {
 public:
  static constexpr std::size_t fewest_blocks = 8;  // for an answer

  Steadiness(std::size_t rates, std::size_t numbers) : rates_(rates), numbers_(numbers) {}

  struct Rate {
    double value = 0;  // of change of a field, 1/T of the field's unit
    double floor = 0;  // what rounding leaves of it; less is as good as that
    double size = 0;   // of the field: its largest value
  };
  // A step of size dt.
  void add(double dt, std::span<const Rate> rates, std::span<const double> numbers);

  bool knows() const { return whole_blocks() >= fewest_blocks; }
  double observed() const { return time_; }  // the time of all steps

  // The series that grows, or did within the last fifth of the time, rates before numbers: one that
  // swings does not show it at every step.
  std::optional<std::size_t> growing() const;
  // The rate of the exponential decay of a series over the last half or the last quarter of the
  // time, the slower one, 1/T; 0 where it does not fall clearly. Requires knows().
  double decay(std::size_t series) const;
  // The largest size of a field over the last half of the time. Requires knows().
  double size(std::size_t rate) const;

  void visit_state(StateVisitor& visitor, double now);  // at this time of the flow

 private:
  struct Block {
    double duration = 0;
    std::vector<double> least, most;  // of each series
    std::vector<double> sizes;        // the largest of each field
    void join(const Block& next);
    bool is_possible() const;
  };
  struct Slope {
    double value = 0, error = 0;  // of ln(series), 1/T
    bool exceeds(double factor, double sign) const { return sign * value > factor * error; }
  };

  std::size_t count() const { return rates_ + numbers_; }
  bool restore(std::span<const double> list, std::size_t head, std::size_t size, double now);
  std::size_t whole_blocks() const;
  std::optional<std::size_t> find_growth() const;
  std::size_t half() const;
  std::size_t quarter() const;
  void join_up_to(double duration);
  double floor_of(std::size_t series) const;
  std::optional<Slope> slope(std::size_t series, std::size_t last_blocks) const;
  bool grows(std::size_t series, std::size_t last_blocks, double errors) const;

  std::size_t rates_, numbers_;
  double length_ = 0;          // of a block at least, T
  double time_ = 0;            // of all steps
  double time_of_growth_ = 0;  // when a series was last seen to grow
  double growth_ = -1;         // which one; -1: none so far
  std::vector<Block> blocks_;  // the last one may still be shorter
  std::vector<double> last_;   // numbers
};

}  // namespace hodge::sim
