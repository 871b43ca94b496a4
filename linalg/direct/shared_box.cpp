#include "linalg/direct/shared_box.hpp"

#include <algorithm>
#include <climits>
#include <string>
#include <type_traits>
#include <utility>

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
    strips.push_back({{(first - own[p]) * values, count * values, 1, count * values}});
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

template <class Space>
SharedBox<Space>::SharedBox(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                            const SharedPoints& points)
    : processes_(points.processes),
      axes_(system.axes.size()),
      methods_(methods),
      box_(box_spectrum(system, axes_of_box(methods))),
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
  if (box_.is_split()) {
    order_of_last_ = axis_wave(system.axes[last()]).order;
    const int halved = box_.entries[static_cast<std::size_t>(box_.halved)];
    halved_ = even(halved, 1, processes_->size());
  }
  if (most_points() > INT_MAX)
    throw ShapeError(std::to_string(most_points()) +
                     " points of a box on one process, more than 32-bit indices can tell apart");
}

template <class Space>
bool SharedBox<Space>::is_divided() const {
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
  const std::int64_t in_layers = std::int64_t{own_range(layers_).count} * in_layer();
  if (!has_lines()) return in_layers;
  const std::int64_t lines = std::int64_t{own_range(lines_).count} * below_across();
  return std::max(in_layers, lines * points_[last()]);
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

template <class Space>
template <class T>
std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_layers() const {
  Cuts points = layers_;
  for (std::int64_t& cut : points) cut *= in_layer();
  if (points == own_) return nullptr;
  const auto p = static_cast<std::size_t>(processes_->rank());
  return std::make_unique<BoxMove<Space, T>>(*processes_, shared_with(own_, p, points, 1),
                                             shared_with(points, p, own_, 1));
}

template <class Space>
template <class T>
std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_lines() const {
  if (!has_lines()) return nullptr;
  return std::make_unique<BoxMove<Space, T>>(*processes_, lines_in_layers(), layers_in_lines());
}

template <class Space>
template <class T>
std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_layers_again() const {
  if (!has_lines() || !has_box_in_layers()) return nullptr;
  return std::make_unique<BoxMove<Space, T>>(*processes_, layers_in_lines(), lines_in_layers());
}

// Lines of each process in the layers of this one.
template <class Space>
StripsOfProcesses SharedBox<Space>::lines_in_layers() const {
  const std::int64_t below = below_across();
  StripsOfProcesses strips;
  for (std::size_t q = 0; q + 1 < lines_.size(); ++q)
    strips.push_back({{lines_[q] * below, (lines_[q + 1] - lines_[q]) * below,
                       own_range(layers_).count, std::int64_t{in_layer()}}});
  return strips;
}

// Layers of each process in the lines of this one.
template <class Space>
StripsOfProcesses SharedBox<Space>::layers_in_lines() const {
  const std::int64_t own = std::int64_t{own_range(lines_).count} * below_across();
  StripsOfProcesses strips;
  for (std::size_t q = 0; q + 1 < layers_.size(); ++q)
    strips.push_back({{layers_[q] * own, own, layers_[q + 1] - layers_[q], own}});
  return strips;
}

template <class Space>
template <class T>
BoxPart<T> SharedBox<Space>::part() const {
  BoxPart<T> part = BoxPart<T>::whole(box_);
  if (processes_->size() == 1) return part;
  if (box_.by_fft[last()] && !box_.is_split()) {
    part.points[across()] = own_range(lines_);
    return part;
  }
  part.points[last()] = own_range(layers_);
  if (!box_.is_split()) return part;
  part.halved = own_range(halved_);
  part.move = to_spectrum<T>();
  return part;
}

// A layer of the array in layers is a layer of each range of the halved axis. In the former layers
// have the order of their slots (axis_wave.hpp), which are up to two runs for each process.
template <class Space>
template <class T>
std::unique_ptr<BoxPass<Complex<T>>> SharedBox<Space>::to_spectrum() const {
  const auto halved = static_cast<std::size_t>(box_.halved);
  std::int64_t below = 1, above = 1;
  for (std::size_t d = 0; d < last(); ++d)
    if (d != halved) (d < halved ? below : above) *= box_.entries[d];
  const std::int64_t all = below * box_.entries[halved], own = below * own_range(halved_).count;
  const auto rank = static_cast<std::size_t>(processes_->rank());
  StripsOfProcesses from, to;
  for (std::size_t q = 0; q + 1 < halved_.size(); ++q) {
    from.emplace_back();
    for (const SlotRun& run : runs_of(rank))
      from.back().push_back({run.in_part * above * all + halved_[q] * below,
                             (halved_[q + 1] - halved_[q]) * below, run.count * above, all});
    to.emplace_back();
    for (const SlotRun& run : runs_of(q))
      to.back().push_back({run.in_all * above * own, own, run.count * above, own});
  }
  return std::make_unique<BoxMove<Space, Complex<T>>>(*processes_, from, to);
}

template <class Space>
auto SharedBox<Space>::runs_of(std::size_t process) const -> std::vector<SlotRun> {
  PointOrder order = order_of_last_;
  const std::int64_t layers = layers_[process + 1] - layers_[process];
  order.take(static_cast<int>(layers_[process]), static_cast<int>(layers));
  std::vector<SlotRun> runs;
  if (order.evens > 0) runs.push_back({0, order.slot_of_all(0), order.evens});
  if (layers > order.evens)
    runs.push_back({order.evens, order.slot_of_all(order.evens), layers - order.evens});
  return runs;
}

#define HODGE_SHARED_BOX(Space) template class SharedBox<Space>;
HODGE_FOR_EACH_SPACE(HODGE_SHARED_BOX)
#define HODGE_SHARED_BOX_OF_VALUES(Space, T)                                         \
  template std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_layers<T>() const;       \
  template std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_lines<T>() const;        \
  template std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_layers_again<T>() const; \
  template BoxPart<T> SharedBox<Space>::part<T>() const;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_SHARED_BOX_OF_VALUES)

}  // namespace hodge::linalg
