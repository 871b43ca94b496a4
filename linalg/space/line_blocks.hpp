// The blocks of lines along an axis that the Host transforms at once.
//
//   stretch   lines side by side: all lines of axis 0, those within a layer of another axis
//   run       the lines of a stretch that one process has at least, where processes share the box
//
//   block     the most lines of one run that are transformed at once; where runs are shorter, as
//             many whole runs as fit in, rounded to a power of 2
//
// Blocks begin anew behind a run that is longer. Where a process has whole blocks and whole runs of
// a stretch, these blocks are those of one process, and so are the bits of the values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "linalg/space/axis_product.hpp"

namespace hodge::linalg {

// Runs of a block, a power of 2, or 1 where a run has several blocks.
inline int runs_of_block(int run, int block) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1, block / run))));
}

class LineBlocks {
 public:
  explicit LineBlocks(const AxisShape& shape)
      : shape_(shape),
        stretch_(shape.is_adjacent ? shape.outer : shape.inner),
        stretches_(shape.is_adjacent ? 1 : shape.outer),
        group_(shape.run * runs_of_block(shape.run, shape.block)),
        most_(std::min(shape.block, group_)),
        of_group_((group_ + most_ - 1) / most_),
        of_stretch_((stretch_ + group_ - 1) / group_ * of_group_) {}

  long long count() const { return 1LL * of_stretch_ * stretches_; }
  int lines_of(long long block) const {
    const int group = static_cast<int>(block % of_stretch_) / of_group_;
    const int end = std::min((group + 1) * group_, stretch_);
    return std::min(most_, end - first_line(block));
  }
  // The position of the first point of the first line.
  std::ptrdiff_t begin_of(long long block) const {
    if (shape_.is_adjacent) return std::ptrdiff_t{first_line(block)} * shape_.points;
    const std::ptrdiff_t layer = std::ptrdiff_t{shape_.inner} * shape_.points;
    return block / of_stretch_ * layer + first_line(block);
  }
  // The lines of the longest block, and those of shorter ones; 0: there are none.
  std::array<int, 2> lengths() const {
    if (stretch_ < group_) return {stretch_, 0};
    return {most_, of_group_ > 1 ? group_ % most_ : stretch_ % group_};
  }

 private:
  // Of a block, in its stretch.
  int first_line(long long block) const {
    const auto in_stretch = static_cast<int>(block % of_stretch_);
    return in_stretch / of_group_ * group_ + in_stretch % of_group_ * most_;
  }

  AxisShape shape_;
  int stretch_, stretches_;
  int group_;                  // lines after which blocks begin anew
  int most_;                   // lines of a block
  int of_group_, of_stretch_;  // blocks
};

}  // namespace hodge::linalg
