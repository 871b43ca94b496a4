// All points of a box on each of the processes that share them: the way out where a separable
// system is not solved in parts. Every process gathers the right side, solves the whole system as
// one process does, and keeps its own points. The bits are those of one process; neither work nor
// memory is divided.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/direct/shared_box.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

template <class Space, class T>
class WholePoints {
 public:
  explicit WholePoints(const SharedPoints& points)
      : processes_(points.processes),
        right_side_(static_cast<int>(points.first.back())),
        solution_(right_side_.size()) {
    for (std::size_t p = 0; p + 1 < points.first.size(); ++p)
      bytes_.push_back(static_cast<std::size_t>(points.first[p + 1] - points.first[p]) * sizeof(T));
    first_ = points.first[static_cast<std::size_t>(processes_->rank())];
  }

  // The right side of all points, from the own ones. Collective.
  const Vector<Space, T>& gather(const Vector<Space, T>& own) {
    if (own.size() > 0) Space::copy(own.data(), right_side_.data() + first_, bytes_of(own));
    Space::gather_parts(*processes_, reinterpret_cast<std::byte*>(right_side_.data()), bytes_);
    return right_side_;
  }
  // Of all points.
  Vector<Space, T>& solution() { return solution_; }
  void take(Vector<Space, T>& own) const {
    if (own.size() > 0) Space::copy(solution_.data() + first_, own.data(), bytes_of(own));
  }

 private:
  static std::size_t bytes_of(const Vector<Space, T>& own) {
    return static_cast<std::size_t>(own.size()) * sizeof(T);
  }

  Communicator* processes_;
  Vector<Space, T> right_side_, solution_;
  std::vector<std::size_t> bytes_;  // by process
  std::int64_t first_ = 0;          // of the own points
};

}  // namespace hodge::linalg
