// Ghost values from the processes that have the cells beyond a cut.
//
// The layers of cells beside a cut, as many as are read, are sent to the neighbour over the whole
// padded extent of the other axes, whose ghosts are filled before: then the corners are right too,
// as with the ghosts that sides fill (boundaries/ghosts.hpp). Face n of the component across the
// cut, which lies in the upper ghosts, is the neighbour's face 0. Layers are contiguous, with the
// unused values between their rows. GPUs send them from where they are, a message for each field
// and side; processes on CPUs pack one message for each neighbour, because messages cost them more
// than a pass.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/discrete/processes/neighbours.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

namespace detail {

// Returns the end of what is written.
inline double* copy_on_host(std::span<const double> from, double* to) {
  const double* const values = from.data();
  linalg::for_each<linalg::Host>(static_cast<int>(from.size()),
                                 [=] HODGE_LAMBDA(int i) { to[i] = values[i]; });
  return to + from.size();
}

}  // namespace detail

template <int Dim>
class HaloExchange {
 public:
  using Views = std::span<const FieldView<Dim>>;

  // `layout`: of this process's cells. `periodic`: whether the last axis of the box goes round.
  // `layers`: how many ghosts are filled, from the cut on; the others are not to be read.
  HaloExchange(linalg::Communicator& processes, const Decomposition& slabs,
               const Layout<Dim>& layout, bool periodic, int layers = ghost_width)
      : processes_(&processes), layout_(layout), layers_(layers) {
    for (int side = 0; side < 2; ++side)
      neighbour_[side] = slabs.neighbour(processes.rank(), side, periodic);
  }

  linalg::Communicator& processes() const { return *processes_; }
  // Whether the ghosts beyond this side are another process's cells.
  bool has_neighbour(int axis, int side) const { return axis == Dim - 1 && neighbour_[side] >= 0; }

  // Fills the ghosts of the fields beyond the cuts. Collective.
  template <class Space = linalg::Host>
  void fill(Views fields) {
    exchange<Space>(fields, {layers_, layers_});
  }
  // The same without packing, as fill() does on GPUs. Collective.
  template <class Space = linalg::Host>
  void fill_in_place(Views fields) {
    exchange_in_place<Space>(fields, {layers_, layers_});
  }
  // Fills face n of the component across the cut beyond it. Collective.
  template <class Space = linalg::Host>
  void fill_upper_faces(const FieldView<Dim>& component) {
    exchange<Space>(Views(&component, 1), {1, 0});
  }

 private:
  // How many layers beside the lower and the upper side of a slab are sent beyond it.
  using LayersSent = std::array<int, 2>;

  template <class Space>
  void exchange(Views fields, const LayersSent& sent) {
    if constexpr (std::is_same_v<Space, linalg::Host>)
      exchange_packed(fields, sent);
    else
      exchange_in_place<Space>(fields, sent);
  }

  template <class Space>
  void exchange_in_place(Views fields, const LayersSent& sent) {
    outgoing_messages_.clear();
    incoming_messages_.clear();
    for (int side = 0; side < 2; ++side)
      for (const FieldView<Dim>& q : fields) {
        const auto out = outgoing(q, side, sent), in = incoming(q, side, sent);
        if (!out.empty()) outgoing_messages_.push_back({neighbour_[side], std::as_bytes(out)});
        if (!in.empty())
          incoming_messages_.push_back({neighbour_[1 - side], std::as_writable_bytes(in)});
      }
    exchange_with_neighbours<Space>(*processes_, outgoing_messages_, incoming_messages_);
  }

  void exchange_packed(Views fields, const LayersSent& sent) {
    NeighbourSizes sizes{};
    for (int side = 0; side < 2; ++side)
      for (const FieldView<Dim>& q : fields) {
        sizes.outgoing[side] += outgoing(q, side, sent).size();
        sizes.incoming[side] += incoming(q, side, sent).size();
      }
    outgoing_.resize(sizes.outgoing[0] + sizes.outgoing[1]);
    incoming_.resize(sizes.incoming[0] + sizes.incoming[1]);
    double* to = outgoing_.data();
    for (int side = 0; side < 2; ++side)
      for (const FieldView<Dim>& q : fields) to = detail::copy_on_host(outgoing(q, side, sent), to);
    exchange_with_neighbours<linalg::Host>(*processes_, neighbour_, sizes, outgoing_.data(),
                                           incoming_.data());
    const double* from = incoming_.data();
    for (int side = 0; side < 2; ++side)
      for (const FieldView<Dim>& q : fields) {
        const std::span<double> in = incoming(q, side, sent);
        detail::copy_on_host({from, in.size()}, in.data());
        from += in.size();
      }
  }

  // What leaves by a side, and what the neighbour beyond the other side sends by its side of this
  // name. None where there is no neighbour.
  std::span<double> outgoing(const FieldView<Dim>& q, int side, const LayersSent& sent) const {
    const int layers = neighbour_[side] >= 0 ? sent[static_cast<std::size_t>(side)] : 0;
    return layers_of(q, side == 0 ? 0 : layout_.cells[Dim - 1] - layers, layers);
  }
  std::span<double> incoming(const FieldView<Dim>& q, int side, const LayersSent& sent) const {
    const int layers = neighbour_[1 - side] >= 0 ? sent[static_cast<std::size_t>(side)] : 0;
    return layers_of(q, side == 0 ? layout_.cells[Dim - 1] : -layers, layers);
  }

  // Layers first, first + 1, ... with the unused values between their rows.
  std::span<double> layers_of(const FieldView<Dim>& q, int first, int layers) const {
    if (layers == 0) return {};
    const Box<Dim> padded = layout_.padded();
    Index<Dim> last = padded.upper;
    for (int d = 0; d < Dim; ++d) --last[d];
    double* const begin = &q(with(padded.lower, Dim - 1, first));
    double* const end = &q(with(last, Dim - 1, first + layers - 1)) + 1;
    return {begin, end};
  }

  linalg::Communicator* processes_;
  Layout<Dim> layout_;
  int layers_;
  int neighbour_[2] = {};  // -1: a side of the box, or the same process
  std::vector<linalg::OutgoingMessage> outgoing_messages_;
  std::vector<linalg::IncomingMessage> incoming_messages_;
  std::vector<double> outgoing_, incoming_;  // packed
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

// After the ghosts along an axis, of fields of one layout: fills those beyond the cuts where this
// is the axis that is cut.
template <class Space, int Dim>
void fill_ghosts_beyond_cuts(const Layout<Dim>& layout, int axis,
                             std::span<const FieldView<Dim>> fields) {
  if (layout.halo != nullptr && axis == Dim - 1) layout.halo->template fill<Space>(fields);
}

}  // namespace hodge::sim
