#include "linalg/direct/shared_box.hpp"

#include <algorithm>
#include <climits>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/direct/axis_fft.hpp"
#include "linalg/direct/box_move.hpp"
#include "linalg/processes/lists.hpp"

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

struct Overlap {
  std::int64_t first, count;
};
Overlap overlap(const Cuts& a, std::size_t p, const Cuts& b, std::size_t q) {
  const std::int64_t first = std::max(a[p], b[q]), end = std::min(a[p + 1], b[q + 1]);
  return {first, std::max<std::int64_t>(0, end - first)};
}

// What all processes have of `cuts`, in the array of the process that has part p of `own`.
StripsOfProcesses shared_with(const Cuts& own, std::size_t p, const Cuts& cuts,
                              std::int64_t values) {
  StripsOfProcesses strips;
  for (std::size_t q = 0; q + 1 < cuts.size(); ++q) {
    const auto [first, count] = overlap(own, p, cuts, q);
    strips.push_back({(first - own[p]) * values, count * values, 1, count * values});
  }
  return strips;
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

SharedBox::SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                     const SharedPoints& points)
    : processes_(points.processes),
      axes_(system.axes.size()),
      methods_(methods),
      own_(points.first) {
  for (std::size_t d = 0; d < axes_; ++d) points_[d] = system.axes[d].points();
  const auto all = static_cast<std::int64_t>(system.rows());
  if (!points.is_shared()) own_ = {0, all};
  if (own_.back() != all)
    throw ShapeError("a separable system of " + std::to_string(all) + " rows, the processes have " +
                     std::to_string(own_.back()));
  layers_ = rounded(own_, std::int64_t{in_layer()} * (axes_ == 1 ? 1 : unit(0)), all);
  for (std::int64_t& cut : layers_) cut /= in_layer();
  layers_.back() = points_[last()];
  lines_ = even(points_[across()], unit(last()), processes_->size());
  if (most_points() > INT_MAX)
    throw ShapeError(std::to_string(most_points()) +
                     " points of a box on one process, more than 32-bit indices can tell apart");
}

int SharedBox::run(std::size_t axis) const {
  if (axes_ < 3 || axis == 1) return 1;
  return axis == 0 ? points_[1] : points_[0];
}

int SharedBox::block(std::size_t axis) const {
  if (methods_[axis] == AxisMethod::fft_of_lines) return fft_block;
  return product_block(own_.back() / points_[axis]);
}

SharedBox::Range SharedBox::own_range(const Cuts& cuts) const {
  const auto p = static_cast<std::size_t>(processes_->rank());
  return {static_cast<int>(cuts[p]), static_cast<int>(cuts[p + 1] - cuts[p])};
}

int SharedBox::own_points() const {
  return own_range(own_).count;
}

std::int64_t SharedBox::most_points() const {
  const std::int64_t lines = std::int64_t{own_range(lines_).count} * below_across();
  return std::max(std::int64_t{own_range(layers_).count} * in_layer(), lines * points_[last()]);
}

AxisShape SharedBox::shape(std::size_t axis) const {
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

SharedBox::Range SharedBox::of_lines(std::size_t axis) const {
  return axis == across() ? own_range(lines_) : Range{0, points_[axis]};
}

template <class T>
std::unique_ptr<BoxPass<T>> SharedBox::to_layers() const {
  Cuts points = layers_;
  for (std::int64_t& cut : points) cut *= in_layer();
  if (points == own_) return nullptr;
  const auto p = static_cast<std::size_t>(processes_->rank());
  return std::make_unique<BoxMove<T>>(*processes_, shared_with(own_, p, points, 1),
                                      shared_with(points, p, own_, 1));
}

template <class T>
std::unique_ptr<BoxPass<T>> SharedBox::to_lines() const {
  if (processes_->size() == 1) return nullptr;
  const auto p = static_cast<std::size_t>(processes_->rank());
  StripsOfProcesses from, to;
  for (std::size_t q = 0; q + 1 < own_.size(); ++q) {
    // Lines of process q in the layers of this one.
    const std::int64_t below = below_across(), lines = lines_[q + 1] - lines_[q];
    from.push_back(
        {lines_[q] * below, lines * below, layers_[p + 1] - layers_[p], std::int64_t{in_layer()}});
    // Layers of process q in the lines of this one.
    const std::int64_t own = own_range(lines_).count * below;
    to.push_back({layers_[q] * own, own, layers_[q + 1] - layers_[q], own});
  }
  return std::make_unique<BoxMove<T>>(*processes_, std::move(from), std::move(to));
}

template std::unique_ptr<BoxPass<float>> SharedBox::to_layers() const;
template std::unique_ptr<BoxPass<double>> SharedBox::to_layers() const;
template std::unique_ptr<BoxPass<float>> SharedBox::to_lines() const;
template std::unique_ptr<BoxPass<double>> SharedBox::to_lines() const;

}  // namespace hodge::linalg
