// How processes share the points of a box while a separable system on it is solved.
//
//   own     consecutive points, axis 0 fastest, as processes hold the rows of the system
//   blocks  consecutive blocks of layers across the last axis (line_tree.hpp): the own points,
//           rounded to them. On one process layers may lie across axis 1
//
// On the Host whole blocks of lines are transformed at once (space/line_blocks.hpp), so that the
// bits are those of one process: where they have lines of several layers, layers are shared in such
// groups. A process may have no points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/direct/axis_choice.hpp"
#include "linalg/direct/line_elimination.hpp"
#include "linalg/direct/point_move.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "linalg/space/axis_product.hpp"

namespace hodge::linalg {

// The points that each process has: process p those from first[p] to first[p + 1] - 1.
struct SharedPoints {
  Communicator* processes = &one_process();
  std::vector<std::int64_t> first{};  // empty: one process has all points

  bool is_shared() const { return processes->size() > 1; }
  bool operator==(const SharedPoints&) const = default;
};

// Of a box whose points are the rows of a system.
SharedPoints points_of(Communicator& processes, const RowBlocks& blocks);
// Process after process has so many.
SharedPoints shared_points(Communicator& processes, std::int64_t own);

// False: each process has to solve the whole system (whole_points.hpp).
template <class Space>
bool is_solved_in_parts(const SharedPoints& points);

template <class Space>
class SharedBox {
 public:
  // Errors: ShapeError for points that are not those of the system, or for too many on one process.
  SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
            const SharedPoints& points);

  int own_points() const;
  // Of the larger part: own points, or own blocks.
  std::int64_t most_points() const;
  int own_layers() const;  // across the last axis
  // Of an axis that is transformed, in the own layers.
  AxisShape shape(std::size_t axis) const;
  const SharedBlocks& blocks() const { return blocks_; }
  // From own points to own blocks; null where all processes have theirs.
  template <class T>
  std::unique_ptr<BoxPass<T>> to_blocks() const {
    if (points_of_blocks_ == own_) return nullptr;
    return std::make_unique<PointMove<Space, T>>(*processes_, own_, points_of_blocks_);
  }

 private:
  using Cuts = std::vector<std::int64_t>;  // processes + 1 numbers

  std::size_t last() const { return axes_ - 1; }
  std::int64_t in_layer() const;
  // Lines along an axis that are side by side in a layer, and that are transformed at once.
  int run(std::size_t axis) const { return axis == 0 && axes_ == 3 ? points_[1] : 1; }
  int block(std::size_t axis) const;
  std::int64_t own_count(const Cuts& cuts) const;

  Communicator* processes_;
  std::size_t axes_;
  std::vector<AxisMethod> methods_;
  std::array<int, 3> points_{1, 1, 1};
  Cuts own_, points_of_blocks_;
  SharedBlocks blocks_;
};

}  // namespace hodge::linalg
