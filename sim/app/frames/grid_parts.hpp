// What the parts of a frame have to be together: all cells of its grid, each of them once, and
// points that increase.
//
// Errors: ConfigError at the element of the grid in `header`, which must outlive the object, as
// must `whole`.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/app/frames/frame_file.hpp"

namespace hodge::sim {

class Cover {
 public:
  // With `may_overlap` cells may be there several times.
  Cover(const FrameHeader& header, const Extent& whole, bool may_overlap);

  // Of all parts first: their sum bounds the memory of what follows.
  void count(const Extent& part);
  void check_count() const;

  void take(const Extent& part);
  void check_all() const;

 private:
  [[noreturn]] void refuse() const;

  const FrameHeader& header_;
  const Extent& whole_;
  bool may_overlap_;
  std::uint64_t wanted_, left_, counted_ = 0;  // cells; left: not taken yet
  std::vector<bool> taken_{};
};

// The points along the axes of a grid, put together of its parts, or of uniform cells.
class Edges {
 public:
  Edges(const FrameHeader& header, const Extent& whole) : header_(header), whole_(whole) {}

  void take(FrameFile::Part& part);
  void take(const UniformGrid& uniform);
  std::array<std::vector<double>, 3> finish();

 private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  [[noreturn]] void refuse(int e, const char* why) const;

  const FrameHeader& header_;
  const Extent& whole_;
  std::array<std::vector<double>, 3> edges_;
};

}  // namespace hodge::sim
