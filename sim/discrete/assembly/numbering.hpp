// Numbers the unknowns that solids leave, in the memory of a space.
#pragma once

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
template <int Dim, class Space>
int number_unknowns(const Unknowns<Dim>& all, const BodyView<Dim>& bodies, int location,
                    linalg::Buffer<int, Space>& numbers) {
  const auto points = static_cast<std::size_t>(all.box.size());
  linalg::Buffer<int, Space> scanned(points + 1);
  int* const before = scanned.data();
  linalg::for_each<Space>(all.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    before[all.box.position(c)] = bodies.excludes(location, c) ? 0 : 1;
  });
  Space::exclusive_scan(static_cast<int>(points) + 1, before, before);
  numbers = linalg::Buffer<int, Space>(points);
  int* const number = numbers.data();
  linalg::for_each<Space>(static_cast<int>(points), [=] HODGE_LAMBDA(int i) {
    number[i] = before[i + 1] > before[i] ? before[i] : -1;
  });
  return last_of(scanned);
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
    if (layout.halo != nullptr) {
      if (bodies.any()) throw ConfigError("solids in a box that processes share");
      if (is_cut_along_last_axis_alone(layout))
        among_processes_ = share_unknowns(location, layout, of_box, unknowns_);
      unknowns_.among_processes = among_processes_.get();
    }
    if (!bodies.any()) return;
    unknowns_.rows = number_unknowns<Dim, Space>(unknowns_, bodies, location, numbers_);
    unknowns_.numbers = numbers_.data();
  }

  const Unknowns<Dim>& view() const { return unknowns_; }
  int rows() const { return unknowns_.rows; }

 private:
  Unknowns<Dim> unknowns_;
  linalg::Buffer<int, Space> numbers_;
  std::unique_ptr<SharedUnknowns<Dim>> among_processes_;
};

}  // namespace hodge::sim
