#include "linalg/processes/layer_parts.hpp"

#include <algorithm>
#include <utility>

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

void add_part(std::vector<LayerPart>& parts, int process, const std::vector<int>& layers,
              const Layers& computed) {
  std::vector<int> inside;
  for (const int layer : layers)
    if (computed.has(layer)) inside.push_back(layer);
  if (!inside.empty()) parts.push_back({process, std::move(inside)});
}

}  // namespace

LayerParts layer_parts(int own, const LayerCuts& computed, std::span<const Layers> reads,
                       bool periodic) {
  const auto foreign = [&](int process) {
    return foreign_layers(reads[static_cast<std::size_t>(process)], computed.of(process),
                          computed.layers(), periodic);
  };
  const std::vector<int> wanted = foreign(own);
  LayerParts parts;
  for (int p = 0; p < computed.processes(); ++p) {
    if (p == own) continue;
    add_part(parts.outgoing, p, foreign(p), computed.of(own));
    add_part(parts.incoming, p, wanted, computed.of(p));
  }
  return parts;
}

}  // namespace hodge::linalg
