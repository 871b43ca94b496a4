// Values at some points of a box that all processes read, from the processes that have the points.
// On the Host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/direct/shared_box.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg {

template <class T>
class PointsRead {
 public:
  PointsRead() = default;
  // read: ascending, the same on all processes.
  PointsRead(const SharedPoints& points, std::vector<int> read)
      : processes_(points.processes), read_(std::move(read)), all_(read_.size()) {
    std::vector<std::size_t> before;  // of read_ before the points of each process
    for (const std::int64_t first : points.first)
      before.push_back(
          static_cast<std::size_t>(std::ranges::lower_bound(read_, first) - read_.begin()));
    for (std::size_t p = 0; p + 1 < before.size(); ++p)
      counts_.push_back(before[p + 1] - before[p]);
    const auto rank = static_cast<std::size_t>(processes_->rank());
    first_ = before[rank];
    own_.resize(counts_[rank]);
  }

  // box: an array of all points, in which the values at own points are right. Afterwards those at
  // the points that are read are, too. Collective.
  void share(T* box) {
    for (std::size_t i = 0; i < own_.size(); ++i) own_[i] = box[read_[first_ + i]];
    gather_known(*processes_, std::span<const T>(own_), std::span<const std::size_t>(counts_),
                 std::span(all_));
    for (std::size_t i = 0; i < all_.size(); ++i) box[read_[i]] = all_[i];
  }

 private:
  Communicator* processes_ = nullptr;
  std::vector<int> read_;
  std::vector<std::size_t> counts_;  // of read_, by process
  std::size_t first_ = 0;            // of the own ones
  std::vector<T> own_, all_;
};

}  // namespace hodge::linalg
