// Numbers the unknowns that solids leave, in the memory of a space.
#pragma once

#include <memory>

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

// For every point of the box its place among the unknowns of the box, or -1: flag the unknowns,
// scan. Returns the number of unknowns. `any`: whether there are unknowns at all.
template <int Dim, class Space>
int number_points(const Box<Dim>& box, bool any, const BodyView<Dim>& bodies, int location,
                  int* number) {
  const auto points = static_cast<std::size_t>(box.size());
  linalg::Buffer<int, Space> scanned(points + 1);
  int* const before = scanned.data();
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    before[box.position(c)] = any && !bodies.excludes(location, c) ? 1 : 0;
  });
  Space::exclusive_scan(static_cast<int>(points) + 1, before, before);
  linalg::for_each<Space>(static_cast<int>(points), [=] HODGE_LAMBDA(int i) {
    number[i] = before[i + 1] > before[i] ? before[i] : -1;
  });
  return last_of(scanned);
}

// For every point of the box its row or -1. Returns the number of rows. `others`: so many numbers
// in front of these and behind them are left for other points.
template <int Dim, class Space>
int number_unknowns(const Unknowns<Dim>& all, const BodyView<Dim>& bodies, int location,
                    linalg::Buffer<int, Space>& numbers, std::size_t others = 0) {
  numbers = linalg::Buffer<int, Space>(static_cast<std::size_t>(all.box.size()) + 2 * others);
  return number_points<Dim, Space>(all.box, true, bodies, location, numbers.data() + others);
}

// In the layers beyond the ends of the last axis the place of each unknown of another process among
// those of its layer, or -1. `numbers`: of the first point of the box.
template <int Dim, class Space>
void number_layers_beyond(const Unknowns<Dim>& own, const BodyView<Dim>& bodies, int location,
                          int* numbers) {
  constexpr int axis = Dim - 1;
  for (int side = 0; side < 2; ++side) {
    Box<Dim> layer = own.box;
    layer.lower[axis] = side == 0 ? own.box.lower[axis] - 1 : own.box.upper[axis];
    layer.upper[axis] = layer.lower[axis] + 1;
    number_points<Dim, Space>(layer, own.shared[axis][side], bodies, location,
                              numbers + (side == 0 ? -layer.size() : own.box.size()));
  }
}

// The unknowns of a location in the cells of one process, with the memory of their numbers.
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
    const bool is_shared = layout.halo != nullptr;
    if (bodies.any()) number(location, bodies, is_shared);
    const UnknownsOnHost<Dim, Space> on_host(unknowns_);
    if (is_shared)
      among_processes_ = share_unknowns<Dim, Space>(location, layout, of_box, on_host.view());
    else if (bodies.any() || layers_of_line<Space> > 1)
      lines_ = std::make_unique<linalg::RowLines>(lines_of(
          rows_of_layers(on_host.view()), unknowns_.box.lower[Dim - 1], layers_of_line<Space>));
    unknowns_.lines = lines_.get();
    unknowns_.among_processes = among_processes_.get();
  }

  const Unknowns<Dim>& view() const { return unknowns_; }
  int rows() const { return unknowns_.rows; }

 private:
  void number(int location, const BodyView<Dim>& bodies, bool is_shared) {
    const std::ptrdiff_t others = is_shared ? points_of_layer(unknowns_) : 0;
    unknowns_.rows = number_unknowns<Dim, Space>(unknowns_, bodies, location, numbers_,
                                                 static_cast<std::size_t>(others));
    unknowns_.numbers = numbers_.data();
    if (!is_shared) return;
    --unknowns_.numbered.lower[Dim - 1];
    ++unknowns_.numbered.upper[Dim - 1];
    number_layers_beyond<Dim, Space>(unknowns_, bodies, location, numbers_.data() + others);
  }

  Unknowns<Dim> unknowns_;
  linalg::Buffer<int, Space> numbers_;
  std::unique_ptr<linalg::RowLines> lines_;  // of rows that no processes share
  std::unique_ptr<SharedUnknowns<Dim>> among_processes_;
};

}  // namespace hodge::sim
