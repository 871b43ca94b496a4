// How the values and the spectrum of a box move between the processes that share it
// (shared_box.hpp).
#include <algorithm>
#include <utility>

#include "linalg/direct/box_move.hpp"
#include "linalg/direct/shared_box.hpp"
#include "linalg/direct/slot_pass.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

using Cuts = std::vector<std::int64_t>;

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

template <class Space>
template <class T>
std::unique_ptr<MovePass<T>> SharedBox<Space>::to_layers() const {
  Cuts points = layers_;
  for (std::int64_t& cut : points) cut *= in_layer();
  if (points == own_) return nullptr;
  const auto p = static_cast<std::size_t>(processes_->rank());
  return std::make_unique<BoxMove<Space, T>>(
      *processes_, MovedStrips{shared_with(own_, p, points, 1), shared_with(points, p, own_, 1)});
}

template <class Space>
template <class T>
std::unique_ptr<MovePass<T>> SharedBox<Space>::to_lines() const {
  if (!has_lines()) return nullptr;
  return std::make_unique<BoxMove<Space, T>>(
      *processes_, MovedStrips{lines_in_layers(layers_), layers_in_lines(layers_)});
}

template <class Space>
template <class T>
std::unique_ptr<MovePass<T>> SharedBox<Space>::to_layers_again() const {
  if (!has_lines() || !has_box_in_layers()) return nullptr;
  return std::make_unique<BoxMove<Space, T>>(
      *processes_, MovedStrips{layers_in_lines(layers_), lines_in_layers(layers_)});
}

// Lines of each process in the layers of this one.
template <class Space>
StripsOfProcesses SharedBox<Space>::lines_in_layers(const Cuts& layers) const {
  const std::int64_t below = below_across();
  StripsOfProcesses strips;
  for (std::size_t q = 0; q + 1 < lines_.size(); ++q)
    strips.push_back({{lines_[q] * below, (lines_[q + 1] - lines_[q]) * below,
                       own_range(layers).count, std::int64_t{in_layer()}}});
  return strips;
}

// Layers of each process in the lines of this one.
template <class Space>
StripsOfProcesses SharedBox<Space>::layers_in_lines(const Cuts& layers) const {
  const std::int64_t own = std::int64_t{own_range(lines_).count} * below_across();
  StripsOfProcesses strips;
  for (std::size_t q = 0; q + 1 < layers.size(); ++q)
    strips.push_back({{layers[q] * own, own, layers[q + 1] - layers[q], own}});
  return strips;
}

template <class Space>
template <class T>
BoxPart<T> SharedBox<Space>::part(int pieces) const {
  BoxPart<T> part = BoxPart<T>::whole(box_);
  if (processes_->size() == 1) return part;
  const bool in_lines = has_lines() && box_.by_fft[last()];
  if (in_lines)
    part.points[across()] = own_range(lines_);
  else
    part.points[last()] = own_range(layers_);
  if (!box_.is_split()) return part;
  part.halved = own_range(halved_);
  if (in_lines) {
    for (std::size_t d = 0; d < last(); ++d) part.are_in_slots[d] = true;
    part.move = std::make_unique<BoxMove<Space, Complex<T>>>(
        *processes_, MovedStrips{layers_in_lines(halved_), lines_in_layers(halved_)});
    return part;
  }
  std::vector<MovedStrips> moved;
  for (int piece = 0; piece < pieces; ++piece) moved.push_back(layers_to_spectrum(piece, pieces));
  part.pieces = pieces;
  part.move =
      std::make_unique<BoxMove<Space, Complex<T>>>(*processes_, layers_to_spectrum(0, 1), moved);
  return part;
}

// What pays on GPUs: bytes of a piece of a process, and of a strip, because copy engines are slow
// with short ones.
constexpr double least_bytes_of_piece = 32e6, least_bytes_of_strip = 512, most_pieces = 4;

template <class Space>
template <class T>
int SharedBox<Space>::pieces() const {
  if (std::is_same_v<Space, Host> || !box_.is_split() || box_.begins_with_last()) return 1;
  const double all = static_cast<double>(box_.size() * sizeof(Complex<T>)),
               of_process = all / processes_->size();
  double strip = of_process / box_.entries[last()];
  for (std::size_t d = static_cast<std::size_t>(box_.halved) + 1; d < last(); ++d)
    strip /= box_.entries[d];
  if (strip < least_bytes_of_strip) return 1;
  return static_cast<int>(std::clamp(of_process / least_bytes_of_piece, 1.0, most_pieces));
}

template <class Space>
template <class T>
std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_slots() const {
  if (processes_->size() == 1 || !box_.begins_with_last()) return nullptr;
  std::array<PointOrder, 3> orders = orders_;
  orders[last()] = PointOrder(own_range(layers_).count);
  const bool change = std::any_of(orders.begin(), orders.end(),
                                  [](const PointOrder& order) { return order.is_folded; });
  return change ? std::make_unique<SlotPass<Space, T>>(orders) : nullptr;
}

// A layer of the array in layers is a layer of each range of the halved axis. In the former layers
// have the order of their slots (axis_wave.hpp), which are up to two runs for each process.
template <class Space>
MovedStrips SharedBox<Space>::layers_to_spectrum(int piece, int pieces) const {
  const auto halved = static_cast<std::size_t>(box_.halved);
  std::int64_t below = 1, above = 1;
  for (std::size_t d = 0; d < last(); ++d)
    if (d != halved) (d < halved ? below : above) *= box_.entries[d];
  const std::int64_t all = below * box_.entries[halved], own = below * own_range(halved_).count;
  const auto rank = static_cast<std::size_t>(processes_->rank());
  MovedStrips strips;
  for (std::size_t q = 0; q + 1 < halved_.size(); ++q) {
    strips.from.emplace_back();
    for (const SlotRun& run : runs_of(rank, piece, pieces))
      strips.from.back().push_back({run.in_part * above * all + halved_[q] * below,
                                    (halved_[q + 1] - halved_[q]) * below, run.count * above, all});
    strips.to.emplace_back();
    for (const SlotRun& run : runs_of(q, piece, pieces))
      strips.to.back().push_back({run.in_all * above * own, own, run.count * above, own});
  }
  return strips;
}

template <class Space>
auto SharedBox<Space>::runs_of(std::size_t process, int piece, int pieces) const
    -> std::vector<SlotRun> {
  PointOrder order = orders_[last()];
  const auto layers = static_cast<int>(layers_[process + 1] - layers_[process]);
  order.take(static_cast<int>(layers_[process]), layers);
  const IndexRange taken = layers_of_piece(layers, piece, pieces);
  std::vector<SlotRun> runs;
  const auto add = [&](int begin, int end) {
    begin = std::max(begin, taken.first);
    end = std::min(end, taken.first + taken.count);
    if (begin < end) runs.push_back({begin, order.slot_of_all(begin), end - begin});
  };
  add(0, static_cast<int>(order.evens));
  add(static_cast<int>(order.evens), layers);
  return runs;
}

#define HODGE_SHARED_BOX_OF_VALUES(Space, T)                                          \
  template std::unique_ptr<MovePass<T>> SharedBox<Space>::to_layers<T>() const;       \
  template std::unique_ptr<BoxPass<T>> SharedBox<Space>::to_slots<T>() const;         \
  template std::unique_ptr<MovePass<T>> SharedBox<Space>::to_lines<T>() const;        \
  template std::unique_ptr<MovePass<T>> SharedBox<Space>::to_layers_again<T>() const; \
  template BoxPart<T> SharedBox<Space>::part<T>(int) const;                           \
  template int SharedBox<Space>::pieces<T>() const;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_SHARED_BOX_OF_VALUES)

}  // namespace hodge::linalg
