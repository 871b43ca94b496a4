// Ghost values from the processes that have the cells beyond a cut.
//
// Along each cut axis the three layers of cells beside a cut are sent to the neighbour, all fields
// of a call in one message, over the whole padded extent of the other axes: after the last axis the
// corners are right too, as with the ghosts that sides fill (boundaries/ghosts.hpp). Face n of a
// component, which lies in the upper ghosts, is the neighbour's face 0. Fields and messages are in
// the memory of one space. Bytes per call: those of the messages, read and written on both ends.
//
// The layers along the last axis are contiguous. GPUs send them from where they are, a message for
// each field and side; processes on CPUs pack one message for each side, because messages cost them
// more than a pass.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/discrete/processes/neighbours.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

namespace detail {

// Between fields and a message: layers 1, 2, ..., `layers` of the first field, of the second, ...,
// beside one side or, in the message one after the other, beside two.
template <int Dim>
struct LayersOfFields {
  static constexpr int most_fields = 4;
  struct Part {
    SideIndices at{};
    int layers = 0;
  };
  FieldView<Dim> field[most_fields];
  int fields = 0;
  Box<Dim> layer;
  int axis = 0;
  Part parts[2];
  bool pack = true;  // the layers within the side, or else to those beyond it
  double* message = nullptr;

  HODGE_HD int all_layers() const { return fields * (parts[0].layers + parts[1].layers); }
  HODGE_HD void copy(const Index<Dim>& c) const {
    const int of_first = fields * parts[0].layers;
    const bool is_first = c[axis] < of_first;
    const Part& part = is_first ? parts[0] : parts[1];
    const int number = is_first ? c[axis] : c[axis] - of_first, k = number % part.layers + 1;
    const FieldView<Dim>& q = field[number / part.layers];
    double& sent = message[c[axis] * static_cast<int>(layer.size()) +
                           layer.position(with(c, axis, layer.lower[axis]))];
    if (pack)
      sent = q(with(c, axis, part.at.inner(k)));
    else
      q(with(c, axis, part.at.ghost(k))) = sent;
  }
};

// Returns the end of what the message has of these fields, no more than most_fields.
template <class Space, int Dim>
double* copy_layers(LayersOfFields<Dim> copies, std::span<const FieldView<Dim>> fields) {
  copies.fields = static_cast<int>(fields.size());
  std::copy(fields.begin(), fields.end(), copies.field);
  Box<Dim> box = copies.layer;
  box.lower[copies.axis] = 0;
  box.upper[copies.axis] = copies.all_layers();
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) { copies.copy(c); });
  return copies.message + box.size();
}

}  // namespace detail

template <int Dim>
class HaloExchange {
 public:
  using Views = std::span<const FieldView<Dim>>;

  // `periodic`: the axes of the whole box that go round. `layout`: of this process's cells.
  HaloExchange(linalg::Communicator& processes, const Decomposition& decomposition,
               const Layout<Dim>& layout, const std::array<bool, 3>& periodic)
      : processes_(&processes), decomposition_(decomposition), layout_(layout) {
    for (const auto [axis, side] : sides_of_box(Dim))
      neighbour_[axis][side] =
          decomposition.is_cut(axis)
              ? decomposition.neighbour(processes.rank(), axis, side, periodic[axis])
              : -1;
  }

  linalg::Communicator& processes() const { return *processes_; }
  const Decomposition& decomposition() const { return decomposition_; }
  // Whether the ghosts beyond this side are another process's cells.
  bool has_neighbour(int axis, int side) const { return neighbour_[axis][side] >= 0; }

  // Fills the ghosts of the fields beyond the cuts of one axis. Collective.
  template <class Space = linalg::Host>
  void fill(int axis, Views fields) {
    fill<Space>(axis, fields, {ghost_width, ghost_width});
  }
  // The same along the last axis without packing, as fill() does on GPUs. Collective.
  template <class Space = linalg::Host>
  void fill_in_place(Views fields) {
    exchange_in_place<Space>(fields, {ghost_width, ghost_width});
  }
  // Fills face n of component `axis` beyond a cut. Collective.
  template <class Space = linalg::Host>
  void fill_upper_faces(int axis, const FieldView<Dim>& component) {
    fill<Space>(axis, Views(&component, 1), {1, 0});
  }

 private:
  // How many layers beside the lower and the upper side of a part are sent beyond it.
  using LayersSent = std::array<int, 2>;
  template <class Space>
  struct Messages {
    linalg::Buffer<double, Space> outgoing, incoming;
  };
  template <class Space>
  Messages<Space>& messages() {
#if HODGE_HAS_CUDA
    if constexpr (std::is_same_v<Space, linalg::Cuda>)
      return on_gpu_;
    else
#endif
      return on_host_;
  }

  template <class Space>
  void fill(int axis, Views fields, const LayersSent& sent) {
    const auto& to = neighbour_[axis];
    if (to[0] < 0 && to[1] < 0) return;
    if (!std::is_same_v<Space, linalg::Host> && axis == Dim - 1)
      return exchange_in_place<Space>(fields, sent);
    const auto values = [&](int process, int layers) {
      const auto layer_values = static_cast<std::size_t>(layer(layout_, axis).size());
      return process < 0 ? 0 : layer_values * static_cast<std::size_t>(layers) * fields.size();
    };
    const NeighbourSizes sizes{{values(to[0], sent[0]), values(to[1], sent[1])},
                               {values(to[1], sent[0]), values(to[0], sent[1])}};
    Messages<Space>& buffers = messages<Space>();
    double* const outgoing = room_for(buffers.outgoing, sizes.outgoing);
    double* const incoming = room_for(buffers.incoming, sizes.incoming);
    copy<Space>(axis, fields, sent, true, outgoing);
    exchange_with_neighbours<Space>(*processes_, to, sizes, outgoing, incoming);
    copy<Space>(axis, fields, sent, false, incoming);
  }

  // Along the last axis, without packing.
  template <class Space>
  void exchange_in_place(Views fields, const LayersSent& sent) {
    const auto& to = neighbour_[Dim - 1];
    const int n = layout_.cells[Dim - 1];
    in_place_outgoing_.clear();
    in_place_incoming_.clear();
    for (int part = 0; part < 2; ++part) {
      const int layers = sent[static_cast<std::size_t>(part)];
      if (layers == 0) continue;
      const int own = part == 0 ? 0 : n - layers, beyond = part == 0 ? n : -layers;
      for (const FieldView<Dim>& q : fields) {
        if (to[part] >= 0)
          in_place_outgoing_.push_back({to[part], std::as_bytes(layers_of(q, own, layers))});
        if (to[1 - part] >= 0)
          in_place_incoming_.push_back(
              {to[1 - part], std::as_writable_bytes(layers_of(q, beyond, layers))});
      }
    }
    exchange_with_neighbours<Space>(*processes_, in_place_outgoing_, in_place_incoming_);
  }

  // Layers first, first + 1, ... along the last axis, with the unused values between their rows.
  std::span<double> layers_of(const FieldView<Dim>& q, int first, int layers) const {
    const Box<Dim> padded = layout_.padded();
    Index<Dim> last = padded.upper;
    for (int d = 0; d < Dim; ++d) --last[d];
    double* const begin = &q(with(padded.lower, Dim - 1, first));
    double* const end = &q(with(last, Dim - 1, first + layers - 1)) + 1;
    return {begin, end};
  }

  template <class Space>
  static double* room_for(linalg::Buffer<double, Space>& buffer, const std::size_t (&sizes)[2]) {
    const std::size_t values = sizes[0] + sizes[1];
    if (buffer.size() < values) buffer = linalg::Buffer<double, Space>(values);
    return buffer.data();
  }

  // Packs what leaves by both sides, or unpacks what has arrived beyond them: in one pass, unless
  // there are more fields than it takes.
  template <class Space>
  void copy(int axis, Views fields, const LayersSent& sent, bool pack, double* message) const {
    using Copies = detail::LayersOfFields<Dim>;
    Copies both{
        .field = {}, .layer = layer(layout_, axis), .axis = axis, .parts = {}, .pack = pack};
    for (int part = 0; part < 2; ++part) {
      const int side = pack ? part : 1 - part;
      if (neighbour_[axis][side] >= 0)
        both.parts[part] = {{layout_.cells[axis], side}, sent[static_cast<std::size_t>(part)]};
    }
    both.message = message;
    if (fields.size() <= Copies::most_fields) {
      detail::copy_layers<Space, Dim>(both, fields);
      return;
    }
    Copies one = both;
    for (const typename Copies::Part& part : both.parts) {
      one.parts[0] = part;
      one.parts[1] = {};
      for (Views rest = fields; !rest.empty();) {
        const Views some = rest.first(std::min<std::size_t>(rest.size(), Copies::most_fields));
        one.message = detail::copy_layers<Space, Dim>(one, some);
        rest = rest.subspan(some.size());
      }
    }
  }

  linalg::Communicator* processes_;
  Decomposition decomposition_;
  Layout<Dim> layout_;
  int neighbour_[Dim][2] = {};  // -1: a side of the box, or the same process
  std::vector<linalg::OutgoingMessage> in_place_outgoing_;
  std::vector<linalg::IncomingMessage> in_place_incoming_;
  Messages<linalg::Host> on_host_;
#if HODGE_HAS_CUDA
  Messages<linalg::Cuda> on_gpu_;
#endif
};

// The sides of a part: those of the box, and cuts.
template <int Dim>
Boundaries sides_of_part(Boundaries box, const Layout<Dim>& part) {
  for (const auto [axis, side] : sides_of_box(Dim))
    if (part.halo != nullptr && part.halo->has_neighbour(axis, side))
      box.sides[axis][side] = {.kind = SideKind::shared};
  return box;
}

// Whether there are ghosts along an axis that are not cells of other processes.
template <int Dim>
bool has_side_of_box(const Layout<Dim>& layout, int axis) {
  return layout.halo == nullptr || !layout.halo->has_neighbour(axis, 0) ||
         !layout.halo->has_neighbour(axis, 1);
}

// Fills the ghosts beyond the cuts of an axis, of fields of one layout; without cuts nothing.
template <class Space, int Dim>
void fill_ghosts_beyond_cuts(const Layout<Dim>& layout, int axis,
                             std::span<const FieldView<Dim>> fields) {
  if (layout.halo != nullptr) layout.halo->template fill<Space>(axis, fields);
}

}  // namespace hodge::sim
