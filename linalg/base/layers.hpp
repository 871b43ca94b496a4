// Layers of a grid: the cells with the same index along the last axis.
#pragma once

namespace hodge::linalg {

// The layers begin .. end - 1.
struct Layers {
  int begin = 0, end = 0;

  int count() const { return end > begin ? end - begin : 0; }
  bool empty() const { return count() == 0; }
  bool has(int layer) const { return layer >= begin && layer < end; }
  bool has(const Layers& other) const { return begin <= other.begin && other.end <= end; }
  bool operator==(const Layers&) const = default;
};

}  // namespace hodge::linalg
