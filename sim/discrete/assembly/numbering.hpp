// Numbers the unknowns that solids leave, in the memory of a space.
#pragma once

#include <memory>
#include <type_traits>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/assembly/shared_unknowns.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/bodies/body_view.hpp"

namespace hodge::sim {

template <class Space>
int last_of(const linalg::Buffer<int, Space>& buffer) {
  int value = 0;
  Space::download(buffer.data() + buffer.size() - 1, &value, sizeof(int));
  return value;
}

// For every point of the box its row or -1: flag the unknowns, scan. Returns the number of rows.
// `others`: so many numbers in front of these and behind them are left for other points.
template <int Dim, class Space>
int number_unknowns(const Unknowns<Dim>& all, const BodyView<Dim>& bodies, int location,
                    linalg::Buffer<int, Space>& numbers, std::size_t others = 0) {
  const auto points = static_cast<std::size_t>(all.box.size());
  linalg::Buffer<int, Space> scanned(points + 1);
  int* const before = scanned.data();
  linalg::for_each<Space>(all.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    before[all.box.position(c)] = bodies.excludes(location, c) ? 0 : 1;
  });
  Space::exclusive_scan(static_cast<int>(points) + 1, before, before);
  numbers = linalg::Buffer<int, Space>(points + 2 * others);
  int* const number = numbers.data() + others;
  linalg::for_each<Space>(static_cast<int>(points), [=] HODGE_LAMBDA(int i) {
    number[i] = before[i + 1] > before[i] ? before[i] : -1;
  });
  return last_of(scanned);
}

// In the layers beyond the ends of the last axis the place of each unknown of another process among
// those of its layer, or -1. `numbers`: of the first point of the box.
template <int Dim>
void number_layers_beyond(const Unknowns<Dim>& own, const BodyView<Dim>& bodies, int location,
                          int* numbers) {
  constexpr int axis = Dim - 1;
  for (int side = 0; side < 2; ++side) {
    Box<Dim> layer = own.box;
    layer.lower[axis] = side == 0 ? own.box.lower[axis] - 1 : own.box.upper[axis];
    layer.upper[axis] = layer.lower[axis] + 1;
    int place = 0;
    for_each_on_host(layer, [&](const Index<Dim>& c) {
      const bool is_unknown = own.shared[axis][side] && !bodies.excludes(location, c);
      numbers[own.box.position(c)] = is_unknown ? place++ : -1;
    });
  }
}

// The unknowns of a location with the memory of their numbers.
template <int Dim, class Space>
class NumberedUnknowns {
 public:
  NumberedUnknowns(int location, const Layout<Dim>& layout, const SideKinds<Dim>& sides,
                   const BodyView<Dim>& bodies)
      : NumberedUnknowns(location, layout, sides, sides, bodies) {}
  // `of_box`: the sides of the whole box, where `layout` is a part of it. Collective.
  NumberedUnknowns(int location, const Layout<Dim>& layout, const SideKinds<Dim>& sides,
                   const SideKinds<Dim>& of_box, const BodyView<Dim>& bodies)
      : unknowns_(unknowns_at(location, layout, sides)) {
    if (bodies.any()) number(location, bodies, is_cut_along_last_axis_alone(layout));
    if (is_cut_along_last_axis_alone(layout))
      among_processes_ = share_unknowns(location, layout, of_box, unknowns_);
    unknowns_.among_processes = among_processes_.get();
  }

  const Unknowns<Dim>& view() const { return unknowns_; }
  int rows() const { return unknowns_.rows; }

 private:
  void number(int location, const BodyView<Dim>& bodies, bool is_shared) {
    const std::ptrdiff_t others = is_shared ? points_of_layer(unknowns_) : 0;
    unknowns_.rows = number_unknowns<Dim, Space>(unknowns_, bodies, location, numbers_,
                                                 static_cast<std::size_t>(others));
    unknowns_.numbers = numbers_.data() + others;
    if constexpr (std::is_same_v<Space, linalg::Host>) {
      if (is_shared)
        return number_layers_beyond(unknowns_, bodies, location, numbers_.data() + others);
      lines_ = std::make_unique<linalg::RowLines>(lines_of(rows_of_layers(unknowns_)));
      unknowns_.lines = lines_.get();
    }
  }

  Unknowns<Dim> unknowns_;
  linalg::Buffer<int, Space> numbers_;
  std::unique_ptr<linalg::RowLines> lines_;  // where there are numbers that no processes share
  std::unique_ptr<SharedUnknowns<Dim>> among_processes_;
};

}  // namespace hodge::sim
