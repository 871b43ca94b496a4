// Which layers of a grid (base/layers.hpp) processes send each other.
//
// Each process computes consecutive layers of an array, and reads some more. Every process finds
// without messages what it gets from whom, and who gets what of it.
#pragma once

#include <span>
#include <vector>

#include "linalg/base/layers.hpp"

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

// Layers that go to a neighbour or come from it, ascending.
struct LayerPart {
  int process = 0;
  std::vector<int> layers;
};

// Of process `own`.
struct LayerParts {
  std::vector<LayerPart> outgoing, incoming;  // at least one layer each
};

// reads[p]: the layers that process p reads. They may begin before layer 0 and end behind the last
// one: a periodic axis goes on with its other end there, any other axis has ended.
LayerParts layer_parts(int own, const LayerCuts& computed, std::span<const Layers> reads,
                       bool periodic);

}  // namespace hodge::linalg
