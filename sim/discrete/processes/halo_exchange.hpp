// Ghost values from the processes that have the cells beyond a cut.
//
// Along each cut axis the three layers of cells beside a cut are sent to the neighbour, all fields
// of a call in one message, over the whole padded extent of the other axes: after the last axis the
// corners are right too, as with the ghosts that sides fill (boundaries/ghosts.hpp). Face n of a
// component, which lies in the upper ghosts, is the neighbour's face 0. Messages are in host
// memory: for Host alone.
#pragma once

#include <span>
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

  // Whether the ghosts beyond this side are another process's cells.
  bool has_neighbour(int axis, int side) const { return neighbour_[axis][side] >= 0; }

  // Fills the ghosts of the fields beyond the cuts of one axis. Collective.
  void fill(int axis, Views fields) {
    const auto& to = neighbour_[axis];
    if (to[0] < 0 && to[1] < 0) return;
    const std::size_t part = fields.size() * values_per_side(axis);
    for (int side = 0; side < 2; ++side) {
      outgoing_[side].resize(to[side] < 0 ? 0 : part);
      incoming_[side].resize(to[side] < 0 ? 0 : part);
      if (to[side] >= 0) copy(axis, side, fields, Copy::pack, outgoing_[side]);
    }
    exchange(axis);
    for (int side = 0; side < 2; ++side)
      if (to[side] >= 0) copy(axis, side, fields, Copy::unpack, incoming_[side]);
  }

 private:
  enum class Copy { pack, unpack };
  using Values = std::vector<double>;

  std::size_t values_per_side(int axis) const {
    return static_cast<std::size_t>(ghost_width * layer(layout_, axis).size());
  }

  // Between the fields and a message: layer k beside the side, k = 1, 2, 3, one after the other.
  void copy(int axis, int side, Views fields, Copy direction, Values& message) const {
    const Box<Dim> box = layer(layout_, axis);
    const SideIndices at{layout_.cells[axis], side};
    double* next = message.data();
    for (const FieldView<Dim>& q : fields)
      for (int k = 1; k <= ghost_width; ++k, next += box.size()) {
        const int within = at.inner(k), beyond = at.ghost(k);
        double* const values = next;
        linalg::for_each<linalg::Host>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
          double& value = values[box.position(c)];
          if (direction == Copy::pack)
            value = q(with(c, axis, within));
          else
            q(with(c, axis, beyond)) = value;
        });
      }
  }

  // What leaves by a lower side arrives at an upper one. A process that is the neighbour on both
  // sides gets both layers in one message.
  void exchange(int axis) {
    const auto& to = neighbour_[axis];
    const auto bytes = [](Values& values) { return std::as_writable_bytes(std::span(values)); };
    std::vector<linalg::OutgoingMessage> outgoing;
    std::vector<linalg::IncomingMessage> incoming;
    if (to[0] == to[1]) {
      both_out_ = outgoing_[0];
      both_out_.insert(both_out_.end(), outgoing_[1].begin(), outgoing_[1].end());
      both_in_.resize(both_out_.size());
      outgoing.push_back({to[0], bytes(both_out_)});
      incoming.push_back({to[0], bytes(both_in_)});
    } else {
      for (int side = 0; side < 2; ++side) {
        if (to[side] < 0) continue;
        outgoing.push_back({to[side], bytes(outgoing_[side])});
        incoming.push_back({to[side], bytes(incoming_[side])});
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

}  // namespace hodge::sim
