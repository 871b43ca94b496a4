// A cell through which the surface of a sharp body goes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hodge::sim {

struct CutCell {
  std::size_t cell;   // axis 0 fastest, no ghosts
  std::uint8_t body;  // from 1
  double solid;       // the part of it that the body has, between 0 and 1
};

}  // namespace hodge::sim
