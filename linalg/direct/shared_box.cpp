#include "linalg/direct/shared_box.hpp"

#include <algorithm>
#include <climits>
#include <string>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "linalg/direct/axis_fft.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

using Cuts = std::vector<std::int64_t>;

// The cuts rounded to whole units, of which `end` may be a part.
Cuts rounded(const Cuts& cuts, std::int64_t unit, std::int64_t end) {
  Cuts result;
  for (const std::int64_t cut : cuts)
    result.push_back(std::min(end, (cut + unit / 2) / unit * unit));
  result.back() = end;
  return result;
}

// Whole units for each process, nearly the same number.
Cuts even(std::int64_t end, std::int64_t unit, int processes) {
  const std::int64_t units = (end + unit - 1) / unit;
  Cuts cuts;
  for (int p = 0; p <= processes; ++p) cuts.push_back(std::min(end, units * p / processes * unit));
  return cuts;
}

}  // namespace

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

template <class Space>
SharedBox<Space>::SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                            const SharedPoints& points)
    : processes_(points.processes),
      axes_(system.axes.size()),
      methods_(methods),
      box_(box_spectrum(system, axes_of_box(methods))),
      own_(points.first) {
  for (std::size_t d = 0; d < axes_; ++d) {
    points_[d] = system.axes[d].points();
    orders_[d] = box_.by_fft[d] ? axis_wave(system.axes[d]).order : PointOrder(points_[d]);
  }
  const auto all = static_cast<std::int64_t>(system.rows());
  if (!points.is_shared()) own_ = {0, all};
  if (own_.back() != all)
    throw ShapeError("a separable system of " + std::to_string(all) + " rows, the processes have " +
                     std::to_string(own_.back()));
  layers_ = rounded(own_, std::int64_t{in_layer()} * (axes_ == 1 ? 1 : unit(0)), all);
  for (std::int64_t& cut : layers_) cut /= in_layer();
  layers_.back() = points_[last()];
  lines_ = even(points_[across()], unit(last()), processes_->size());
  if (box_.is_split()) {
    const int halved = box_.entries[static_cast<std::size_t>(box_.halved)];
    halved_ = even(halved, 1, processes_->size());
  }
  if (most_points() > INT_MAX)
    throw ShapeError(std::to_string(most_points()) +
                     " points of a box on one process, more than 32-bit indices can tell apart");
}

// Fewer points take a GPU less time than messages do. And the kernels of a library for small boxes
// depend on how much they transform at once.
constexpr std::int64_t least_on_gpus = 1 << 18;

template <class Space>
bool SharedBox<Space>::is_divided() const {
  if (processes_->size() > 1 && !std::is_same_v<Space, Host> && own_.back() < least_on_gpus)
    return false;
  const auto in_box = std::count(box_.by_fft.begin(), box_.by_fft.end(), true);
  return processes_->size() == 1 || box_.is_split() || !box_.by_fft[last()] || in_box == 1;
}

template <class Space>
int SharedBox<Space>::run(std::size_t axis) const {
  if (axes_ < 3 || axis == 1) return 1;
  return axis == 0 ? points_[1] : points_[0];
}

template <class Space>
int SharedBox<Space>::block(std::size_t axis) const {
  if (!std::is_same_v<Space, Host> || methods_[axis] == AxisMethod::fft_of_box) return 1;
  if (methods_[axis] == AxisMethod::fft_of_lines) return fft_block;
  return product_block(own_.back() / points_[axis]);
}

template <class Space>
IndexRange SharedBox<Space>::own_range(const Cuts& cuts) const {
  const auto p = static_cast<std::size_t>(processes_->rank());
  return {static_cast<int>(cuts[p]), static_cast<int>(cuts[p + 1] - cuts[p])};
}

template <class Space>
int SharedBox<Space>::own_points() const {
  return own_range(own_).count;
}

template <class Space>
std::int64_t SharedBox<Space>::most_points() const {
  const auto p = static_cast<std::size_t>(processes_->rank());
  const std::int64_t in_layers = std::int64_t{own_range(layers_).count} * in_layer(),
                     most = std::max(in_layers, own_[p + 1] - own_[p]);
  if (!has_lines()) return most;
  const std::int64_t lines = std::int64_t{own_range(lines_).count} * below_across();
  return std::max(most, lines * points_[last()]);
}

template <class Space>
AxisShape SharedBox<Space>::shape(std::size_t axis) const {
  AxisShape shape;
  shape.points = points_[axis];
  shape.is_adjacent = axis == 0;
  shape.run = run(axis);
  shape.block = block(axis);
  if (axis == last()) {
    const int lines = own_range(lines_).count * below_across();
    (shape.is_adjacent ? shape.outer : shape.inner) = lines;
    return shape;
  }
  for (std::size_t d = 0; d < last(); ++d)
    if (d != axis) (d < axis ? shape.inner : shape.outer) *= points_[d];
  shape.outer *= own_range(layers_).count;
  return shape;
}

template <class Space>
IndexRange SharedBox<Space>::of_lines(std::size_t axis) const {
  return axis == across() ? own_range(lines_) : IndexRange{0, points_[axis]};
}

#define HODGE_SHARED_BOX(Space) template class SharedBox<Space>;
HODGE_FOR_EACH_SPACE(HODGE_SHARED_BOX)

}  // namespace hodge::linalg
