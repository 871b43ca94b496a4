#include "linalg/processes/layer_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace hodge::linalg {

namespace {

// The layers that a process reads and does not compute, ascending.
std::vector<int> foreign_layers(const Layers& reads, const Layers& computed, int all,
                                bool periodic) {
  std::vector<int> layers;
  for (int i = reads.begin; i < reads.end; ++i) {
    const int layer = periodic ? (i % all + all) % all : i;
    const bool exists = layer >= 0 && layer < all;
    if (exists && !computed.has(layer)) layers.push_back(layer);
  }
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  return layers;
}

std::vector<int> within(const std::vector<int>& layers, const Layers& computed) {
  std::vector<int> inside;
  for (const int layer : layers)
    if (computed.has(layer)) inside.push_back(layer);
  return inside;
}

}  // namespace

LayerExchange::LayerExchange(Communicator& processes, const LayerCuts& computed,
                             std::span<const Layers> reads, bool periodic)
    : processes_(&processes) {
  const int own = processes.rank(), all = computed.layers();
  const auto foreign = [&](int p) {
    return foreign_layers(reads[static_cast<std::size_t>(p)], computed.of(p), all, periodic);
  };
  const std::vector<int> wanted = foreign(own);
  for (int p = 0; p < computed.processes(); ++p) {
    if (p == own) continue;
    if (auto sent = within(foreign(p), computed.of(own)); !sent.empty())
      receivers_.push_back({p, std::move(sent), {}});
    if (auto received = within(wanted, computed.of(p)); !received.empty())
      senders_.push_back({p, std::move(received), {}});
  }
}

void LayerExchange::start(std::byte* values, std::size_t bytes_of_layer) {
  if (sends_nothing()) return;
  values_ = values;
  bytes_of_layer_ = bytes_of_layer;
  outgoing_.clear();
  incoming_.clear();
  for (Part& part : receivers_) {
    part.packed.resize(part.layers.size() * bytes_of_layer);
    std::byte* packed = part.packed.data();
    for (const int layer : part.layers) {
      std::memcpy(packed, values + static_cast<std::size_t>(layer) * bytes_of_layer,
                  bytes_of_layer);
      packed += bytes_of_layer;
    }
    outgoing_.push_back({part.process, part.packed});
  }
  for (Part& part : senders_) {
    part.packed.resize(part.layers.size() * bytes_of_layer);
    incoming_.push_back({part.process, part.packed});
  }
  processes_->start_exchange(outgoing_, incoming_);
}

void LayerExchange::finish() {
  if (sends_nothing()) return;
  processes_->finish_exchange();
  for (const Part& part : senders_) {
    const std::byte* packed = part.packed.data();
    for (const int layer : part.layers) {
      std::memcpy(values_ + static_cast<std::size_t>(layer) * bytes_of_layer_, packed,
                  bytes_of_layer_);
      packed += bytes_of_layer_;
    }
  }
}

void LayerGather::run(std::byte* values, std::size_t bytes_of_layer) {
  if (processes_ == nullptr) return;
  sizes_.clear();
  for (int p = 0; p < computed_.processes(); ++p) {
    sizes_.push_back(static_cast<std::size_t>(computed_.of(p).count()) * bytes_of_layer);
  }
  const Layers own = computed_.of(processes_->rank());
  const std::byte* const begin = values + static_cast<std::size_t>(own.begin) * bytes_of_layer;
  own_.assign(begin, begin + sizes_[static_cast<std::size_t>(processes_->rank())]);
  const std::size_t all = static_cast<std::size_t>(computed_.layers()) * bytes_of_layer;
  processes_->gather(own_, std::span(values, all), sizes_);
}

}  // namespace hodge::linalg
