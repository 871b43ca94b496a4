// Brings each process the layers of an array that it reads and others compute
// (processes/layer_parts.hpp).
//
//   exchange.start(values, bytes);  // packs and sends the own layers, of `bytes` bytes each
//   ... work that reads own layers and writes other arrays ...
//   exchange.finish();              // the layers of others are in their places
//
// The array has room for all layers of the grid, one after another, on every process. All processes
// that have neighbours call start() and finish() in the same order. Messages: one each way for each
// pair of neighbours, between the memories of the space (space/message_primitives.hpp). Memory: a
// copy of the layers that are sent and received, from the first exchange on.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "linalg/processes/layer_parts.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg::multigrid {

template <class Space>
class LayerExchange {
 public:
  LayerExchange() = default;  // nothing is sent
  // reads: as of layer_parts().
  LayerExchange(Communicator& processes, const LayerCuts& computed, std::span<const Layers> reads,
                bool periodic)
      : processes_(&processes) {
    LayerParts parts = layer_parts(processes.rank(), computed, reads, periodic);
    for (LayerPart& part : parts.outgoing) sent_.push_back({std::move(part), {}});
    for (LayerPart& part : parts.incoming) received_.push_back({std::move(part), {}});
  }

  bool sends_nothing() const { return sent_.empty() && received_.empty(); }

  void start(std::byte* values, std::size_t bytes_of_layer) {
    if (sends_nothing()) return;
    values_ = values;
    bytes_of_layer_ = bytes_of_layer;
    outgoing_.clear();
    incoming_.clear();
    for (Message& message : sent_) {
      for_each_layer(message, [](std::byte* layer, std::byte* packed, std::size_t bytes) {
        Space::copy(layer, packed, bytes);
      });
      outgoing_.push_back({message.part.process, bytes_of(message)});
    }
    for (Message& message : received_) {
      make_room(message);
      incoming_.push_back({message.part.process, bytes_of(message)});
    }
    const CountedMessages counted(MessageKind::neighbours, outgoing_);
    Space::start_exchange(*processes_, outgoing_, incoming_);
  }

  void finish() {
    if (sends_nothing()) return;
    {
      const CountedMessages counted(MessageKind::neighbours);
      Space::finish_exchange(*processes_);
    }
    for (Message& message : received_)
      for_each_layer(message, [](std::byte* layer, std::byte* packed, std::size_t bytes) {
        Space::copy(packed, layer, bytes);
      });
  }

 private:
  struct Message {
    LayerPart part;
    Buffer<std::byte, Space> packed;
  };

  static std::span<std::byte> bytes_of(Message& message) {
    return {message.packed.data(), message.packed.size()};
  }
  void make_room(Message& message) const {
    const std::size_t bytes = message.part.layers.size() * bytes_of_layer_;
    if (message.packed.size() != bytes) message.packed = Buffer<std::byte, Space>(bytes);
  }
  template <class Copy>
  void for_each_layer(Message& message, Copy copy) const {
    make_room(message);
    std::byte* packed = message.packed.data();
    for (const int layer : message.part.layers) {
      copy(values_ + static_cast<std::size_t>(layer) * bytes_of_layer_, packed, bytes_of_layer_);
      packed += bytes_of_layer_;
    }
  }

  Communicator* processes_ = nullptr;
  std::vector<Message> sent_, received_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
  std::byte* values_ = nullptr;  // of the exchange that is going on
  std::size_t bytes_of_layer_ = 0;
};

// Brings all layers to all processes. Collective.
template <class Space>
class LayerGather {
 public:
  LayerGather() = default;  // nothing is sent
  LayerGather(Communicator& processes, LayerCuts computed)
      : processes_(&processes), computed_(std::move(computed)) {}

  void run(std::byte* values, std::size_t bytes_of_layer) {
    if (processes_ == nullptr) return;
    sizes_.clear();
    for (int p = 0; p < computed_.processes(); ++p)
      sizes_.push_back(static_cast<std::size_t>(computed_.of(p).count()) * bytes_of_layer);
    const CountedMessages counted(MessageKind::gathers,
                                  sizes_[static_cast<std::size_t>(processes_->rank())]);
    Space::gather_parts(*processes_, values, sizes_);
  }

 private:
  Communicator* processes_ = nullptr;
  LayerCuts computed_;
  std::vector<std::size_t> sizes_;
};

}  // namespace hodge::linalg::multigrid
