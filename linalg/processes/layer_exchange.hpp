// Layers of a grid (base/layers.hpp) that processes bring each other.
//
// Each process computes consecutive layers of an array, and reads some more. The array has room for
// all layers of the grid, one after another, on every process; who needs what of whom is found by
// the constructors, without messages. Here the array is in the memory of the host.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "linalg/base/layers.hpp"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

// The layers of all processes: of process p those from first[p] to first[p + 1] - 1.
struct LayerCuts {
  std::vector<int> first;

  int processes() const { return static_cast<int>(first.size()) - 1; }
  int layers() const { return first.back(); }
  Layers of(int process) const {
    const auto p = static_cast<std::size_t>(process);
    return {first[p], first[p + 1]};
  }
};

// Brings each process the layers that it reads and others compute.
//
//   exchange.start(values, bytes);  // packs and sends the own layers of `bytes` bytes each
//   ... work that reads own layers and writes other arrays ...
//   exchange.finish();              // the layers of others are there
//
// All processes that have neighbours call start() and finish() in the same order. Messages: one
// each way for each pair of neighbours. Memory: a copy of the layers that are sent and received.
class LayerExchange {
 public:
  LayerExchange() = default;  // nothing is sent
  // reads[p]: the layers that process p reads. They may begin before layer 0 and end behind the
  // last one: a periodic axis goes on with its other end there, any other axis has ended.
  LayerExchange(Communicator& processes, const LayerCuts& computed, std::span<const Layers> reads,
                bool periodic);

  void start(std::byte* values, std::size_t bytes_of_layer);
  void finish();
  bool sends_nothing() const { return senders_.empty() && receivers_.empty(); }

 private:
  // The layers that go to or come from a neighbour, ascending.
  struct Part {
    int process;
    std::vector<int> layers;
    std::vector<std::byte> packed;
  };

  Communicator* processes_ = nullptr;
  std::vector<Part> receivers_, senders_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
  std::byte* values_ = nullptr;  // of the exchange that is going on
  std::size_t bytes_of_layer_ = 0;
};

// Brings all layers to all processes. Collective.
class LayerGather {
 public:
  LayerGather() = default;  // nothing is sent
  LayerGather(Communicator& processes, LayerCuts computed)
      : processes_(&processes), computed_(std::move(computed)) {}

  void run(std::byte* values, std::size_t bytes_of_layer);

 private:
  Communicator* processes_ = nullptr;
  LayerCuts computed_;
  std::vector<std::byte> own_;
  std::vector<std::size_t> sizes_;
};

}  // namespace hodge::linalg
