// Points that processes hold as consecutive ranges move to other ranges: from those of the rows of
// a system to those of whole layers. A process sends only what is not its own in both, a few layers
// at a cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "linalg/direct/box_pass.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <class Space, class T>
class PointMove final : public BoxPass<T> {
  using Cuts = std::vector<std::int64_t>;  // processes + 1 numbers

 public:
  PointMove(Communicator& processes, Cuts from, Cuts to)
      : processes_(&processes), from_(std::move(from)), to_(std::move(to)) {
    outgoing_.reserve(from_.size());
    incoming_.reserve(from_.size());
  }

  // Collective.
  void forward(const T* in, T* out) override { move(from_, to_, in, out); }
  void backward(T* in, T* out) override { move(to_, from_, in, out); }

 private:
  // What process p has of part q, in an array of its part of `cuts`.
  template <class Value>
  static std::span<Value> common(const Cuts& cuts, std::size_t p, const Cuts& others, std::size_t q,
                                 Value* values) {
    const std::int64_t first = std::max(cuts[p], others[q]),
                       end = std::min(cuts[p + 1], others[q + 1]);
    if (first >= end) return {};
    return {values + (first - cuts[p]), static_cast<std::size_t>(end - first)};
  }

  void move(const Cuts& from, const Cuts& to, const T* in, T* out) {
    const auto rank = static_cast<std::size_t>(processes_->rank());
    outgoing_.clear();
    incoming_.clear();
    for (std::size_t q = 0; q + 1 < from.size(); ++q) {
      const auto sent = common(from, rank, to, q, in);
      const auto received = common(to, rank, from, q, out);
      if (q == rank) {
        if (sent.size() > 0) Space::copy(sent.data(), received.data(), sent.size_bytes());
        continue;
      }
      const int process = static_cast<int>(q);
      if (sent.size() > 0) outgoing_.push_back({process, std::as_bytes(sent)});
      if (received.size() > 0) incoming_.push_back({process, std::as_writable_bytes(received)});
    }
    const CountedMessages counted(MessageKind::neighbours, outgoing_);
    Space::start_exchange(*processes_, outgoing_, incoming_);
    Space::finish_exchange(*processes_);
  }

  Communicator* processes_;
  Cuts from_, to_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
};

}  // namespace hodge::linalg
