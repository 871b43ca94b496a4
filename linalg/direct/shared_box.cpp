#include "linalg/direct/shared_box.hpp"

#include <algorithm>
#include <climits>
#include <string>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "linalg/direct/axis_fft.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/line_blocks.hpp"

namespace hodge::linalg {

SharedPoints points_of(Communicator& processes, const RowBlocks& blocks) {
  SharedPoints points{&processes, {}};
  for (int p = 0; p <= processes.size(); ++p) points.first.push_back(blocks.first(p));
  return points;
}

SharedPoints shared_points(Communicator& processes, std::int64_t own) {
  SharedPoints points{&processes, {0}};
  for (const std::int64_t count : gather_one(processes, own))
    points.first.push_back(points.first.back() + count);
  return points;
}

// Fewer points take a GPU less time than messages do.
constexpr std::int64_t least_on_gpus = 1 << 18;

template <class Space>
bool is_solved_in_parts(const SharedPoints& points) {
  return std::is_same_v<Space, Host> || points.first.back() >= least_on_gpus;
}

template <class Space>
SharedBox<Space>::SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                            const SharedPoints& points)
    : processes_(points.processes),
      axes_(system.axes.size()),
      methods_(methods),
      own_(points.first),
      blocks_{points.processes, {}} {
  for (std::size_t d = 0; d < axes_; ++d) points_[d] = system.axes[d].points();
  const auto all = static_cast<std::int64_t>(system.rows());
  if (!points.is_shared()) own_ = {0, all};
  if (own_.back() != all)
    throw ShapeError("a separable system of " + std::to_string(all) + " rows, the processes have " +
                     std::to_string(own_.back()));
  const LayerBlocks blocks{points_[last()], layers_of_block<Space>};
  const std::int64_t of_lines = axes_ == 1 ? 1 : runs_of_block(run(0), block(0)),
                     layers = std::max<std::int64_t>(of_lines, blocks.most),
                     unit = layers * in_layer();
  for (const std::int64_t cut : own_) {
    const std::int64_t layer = (cut + unit / 2) / unit * layers;
    blocks_.first.push_back(
        static_cast<int>(std::min<std::int64_t>(blocks.count(), layer / blocks.most)));
  }
  blocks_.first.back() = blocks.count();
  for (const int block : blocks_.first)
    points_of_blocks_.push_back(blocks.first(block) * in_layer());
  if (const std::size_t across = eliminated_axis(methods); across != last())
    blocks_.first = {0, LayerBlocks{points_[across], layers_of_block<Space>}.count()};
  if (most_points() > INT_MAX)
    throw ShapeError(std::to_string(most_points()) +
                     " points of a box on one process, more than 32-bit indices can tell apart");
}

template <class Space>
int SharedBox<Space>::block(std::size_t axis) const {
  if (!std::is_same_v<Space, Host> || methods_[axis] == AxisMethod::fft_of_box) return 1;
  if (methods_[axis] == AxisMethod::fft_of_lines) return fft_block;
  return product_block(own_.back() / points_[axis]);
}

template <class Space>
std::int64_t SharedBox<Space>::in_layer() const {
  std::int64_t points = 1;
  for (std::size_t d = 0; d < last(); ++d) points *= points_[d];
  return points;
}

template <class Space>
std::int64_t SharedBox<Space>::own_count(const Cuts& cuts) const {
  const auto p = static_cast<std::size_t>(processes_->rank());
  return cuts[p + 1] - cuts[p];
}

template <class Space>
int SharedBox<Space>::own_points() const {
  return static_cast<int>(own_count(own_));
}

template <class Space>
std::int64_t SharedBox<Space>::most_points() const {
  return std::max(own_count(own_), own_count(points_of_blocks_));
}

template <class Space>
int SharedBox<Space>::own_layers() const {
  return static_cast<int>(own_count(points_of_blocks_) / in_layer());
}

template <class Space>
AxisShape SharedBox<Space>::shape(std::size_t axis) const {
  AxisShape shape;
  shape.points = points_[axis];
  shape.is_adjacent = axis == 0;
  shape.run = run(axis);
  shape.block = block(axis);
  for (std::size_t d = 0; d < axes_; ++d)
    if (d != axis)
      (d < axis ? shape.inner : shape.outer) *= d == last() ? own_layers() : points_[d];
  return shape;
}

#define HODGE_SHARED_BOX(Space)                                 \
  template bool is_solved_in_parts<Space>(const SharedPoints&); \
  template class SharedBox<Space>;
HODGE_FOR_EACH_SPACE(HODGE_SHARED_BOX)

}  // namespace hodge::linalg
