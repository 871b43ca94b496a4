// Brings each process the layers of an array that it reads and others compute
// (processes/layer_parts.hpp).
//
//   exchange.start(values, bytes);  // sends own layers, of `bytes` bytes each
//   ... work that reads own layers and writes other arrays ...
//   exchange.finish();              // the layers of others are in their places
//
// The array has room for all layers of the grid, one after another, on every process, and layers
// are sent from where they are and received where they belong. All processes that have neighbours
// call start() and finish() in the same order. Messages: one each way for each run of adjacent
// layers, between the memories of the space (space/message_primitives.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "linalg/processes/layer_parts.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::multigrid {

template <class Space>
class LayerExchange {
 public:
  LayerExchange() = default;  // nothing is sent
  // reads: as of layer_parts().
  LayerExchange(Communicator& processes, const LayerCuts& computed, std::span<const Layers> reads,
                bool periodic)
      : processes_(&processes) {
    const LayerParts parts = layer_parts(processes.rank(), computed, reads, periodic);
    sent_ = runs_of(parts.outgoing);
    received_ = runs_of(parts.incoming);
  }

  bool sends_nothing() const { return sent_.empty() && received_.empty(); }

  void start(std::byte* values, std::size_t bytes_of_layer) {
    if (sends_nothing()) return;
    const auto bytes_of = [&](const Layers& run) {
      return std::span(values + static_cast<std::size_t>(run.begin) * bytes_of_layer,
                       static_cast<std::size_t>(run.count()) * bytes_of_layer);
    };
    outgoing_.clear();
    incoming_.clear();
    for (const Run& run : sent_) outgoing_.push_back({run.process, bytes_of(run.layers)});
    for (const Run& run : received_) incoming_.push_back({run.process, bytes_of(run.layers)});
    const CountedMessages counted(MessageKind::neighbours, outgoing_);
    Space::start_exchange(*processes_, outgoing_, incoming_);
  }

  void finish() {
    if (sends_nothing()) return;
    const CountedMessages counted(MessageKind::neighbours);
    Space::finish_exchange(*processes_);
  }

 private:
  struct Run {
    int process;
    Layers layers;
  };

  // Both processes of a pair find the same runs, in the same order.
  static std::vector<Run> runs_of(const std::vector<LayerPart>& parts) {
    std::vector<Run> runs;
    for (const LayerPart& part : parts)
      for (std::size_t i = 0; i < part.layers.size(); ++i) {
        const int layer = part.layers[i];
        if (i > 0 && layer == part.layers[i - 1] + 1)
          ++runs.back().layers.end;
        else
          runs.push_back({part.process, {layer, layer + 1}});
      }
    return runs;
  }

  Communicator* processes_ = nullptr;
  std::vector<Run> sent_, received_;
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
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
