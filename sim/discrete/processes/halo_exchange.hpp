// Ghost values from the processes that have the cells beyond a cut.
//
// Along each cut axis the three layers of cells beside a cut are sent to the neighbour, all fields
// of a call in one message, over the whole padded extent of the other axes: after the last axis the
// corners are right too, as with the ghosts that sides fill (boundaries/ghosts.hpp). Face n of a
// component, which lies in the upper ghosts, is the neighbour's face 0. Messages are in host
// memory: for Host alone.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

template <int Dim>
class HaloExchange {
 public:
  using Views = std::span<const FieldView<Dim>>;

  // `periodic`: the axes of the whole box that go round. `layout`: of this process's cells.
  HaloExchange(linalg::Communicator& processes, const Decomposition& decomposition,
               const Layout<Dim>& layout, const std::array<bool, 3>& periodic)
      : processes_(&processes), layout_(layout) {
    for (const auto [axis, side] : sides_of_box(Dim))
      neighbour_[axis][side] =
          decomposition.is_cut(axis)
              ? decomposition.neighbour(processes.rank(), axis, side, periodic[axis])
              : -1;
  }

  linalg::Communicator& processes() const { return *processes_; }
  // Whether the ghosts beyond this side are another process's cells.
  bool has_neighbour(int axis, int side) const { return neighbour_[axis][side] >= 0; }

  // Fills the ghosts of the fields beyond the cuts of one axis. Collective.
  void fill(int axis, Views fields) { fill(axis, fields, {ghost_width, ghost_width}); }
  // Fills face n of component `axis` beyond a cut. Collective.
  void fill_upper_faces(int axis, const FieldView<Dim>& component) {
    fill(axis, Views(&component, 1), {1, 0});
  }

 private:
  enum class Copy { pack, unpack };
  using Values = std::vector<double>;
  // How many layers beside the lower and the upper side of a part are sent beyond it.
  using LayersSent = std::array<int, 2>;

  void fill(int axis, Views fields, const LayersSent& sent) {
    const auto& to = neighbour_[axis];
    if (to[0] < 0 && to[1] < 0) return;
    for (int side = 0; side < 2; ++side) {
      const bool shared = to[side] >= 0;
      outgoing_[side].resize(shared ? values_in(axis, sent[side], fields) : 0);
      incoming_[side].resize(shared ? values_in(axis, sent[1 - side], fields) : 0);
      if (shared) copy(axis, side, fields, sent[side], Copy::pack, outgoing_[side]);
    }
    exchange(axis);
    for (int side = 0; side < 2; ++side)
      if (to[side] >= 0) copy(axis, side, fields, sent[1 - side], Copy::unpack, incoming_[side]);
  }

  std::size_t values_in(int axis, int layers, Views fields) const {
    return static_cast<std::size_t>(layers * layer(layout_, axis).size()) * fields.size();
  }

  // Between the fields and a message: layer k beside the side, k = 1, 2, ..., one after the other.
  void copy(int axis, int side, Views fields, int layers, Copy direction, Values& message) const {
    const Box<Dim> box = layer(layout_, axis);
    const SideIndices at{layout_.cells[axis], side};
    double* next = message.data();
    for (const FieldView<Dim>& q : fields)
      for (int k = 1; k <= layers; ++k, next += box.size()) {
        const int within = at.inner(k), beyond = at.ghost(k);
        double* const values = next;
        linalg::for_each<linalg::Host>(box, [=](const Index<Dim>& c) {
          double& value = values[box.position(c)];
          if (direction == Copy::pack)
            value = q(with(c, axis, within));
          else
            q(with(c, axis, beyond)) = value;
        });
      }
  }

  // What leaves by a lower side arrives at an upper one. A process that is the neighbour on both
  // sides gets both in one message.
  void exchange(int axis) {
    const auto& to = neighbour_[axis];
    const auto bytes = [](Values& values) { return std::as_writable_bytes(std::span(values)); };
    std::vector<linalg::OutgoingMessage> outgoing;
    std::vector<linalg::IncomingMessage> incoming;
    if (to[0] == to[1]) {
      both_out_ = outgoing_[0];
      both_out_.insert(both_out_.end(), outgoing_[1].begin(), outgoing_[1].end());
      both_in_.resize(incoming_[0].size() + incoming_[1].size());
      outgoing.push_back({to[0], bytes(both_out_)});
      incoming.push_back({to[0], bytes(both_in_)});
    } else {
      for (int side = 0; side < 2; ++side) {
        if (!outgoing_[side].empty()) outgoing.push_back({to[side], bytes(outgoing_[side])});
        if (!incoming_[side].empty()) incoming.push_back({to[side], bytes(incoming_[side])});
      }
    }
    processes_->start_exchange(outgoing, incoming);
    processes_->finish_exchange();
    if (to[0] != to[1]) return;
    const auto middle = both_in_.begin() + static_cast<std::ptrdiff_t>(incoming_[1].size());
    std::copy(both_in_.begin(), middle, incoming_[1].begin());
    std::copy(middle, both_in_.end(), incoming_[0].begin());
  }

  linalg::Communicator* processes_;
  Layout<Dim> layout_;
  int neighbour_[Dim][2] = {};  // -1: a side of the box, or the same process
  Values outgoing_[2], incoming_[2], both_out_, both_in_;
};

// The sides of a part: those of the box, and cuts.
template <int Dim>
Boundaries sides_of_part(Boundaries box, const Layout<Dim>& part) {
  for (const auto [axis, side] : sides_of_box(Dim))
    if (part.halo != nullptr && part.halo->has_neighbour(axis, side))
      box.sides[axis][side] = {.kind = SideKind::shared};
  return box;
}

// Fills the ghosts beyond the cuts of an axis, of fields of one layout; without cuts nothing.
template <class Space, int Dim>
void fill_ghosts_beyond_cuts(const Layout<Dim>& layout, int axis,
                             std::span<const FieldView<Dim>> fields) {
  if constexpr (std::is_same_v<Space, linalg::Host>)
    if (layout.halo != nullptr) layout.halo->fill(axis, fields);
}

}  // namespace hodge::sim
