// Numbers without a pattern that depend on their arguments alone, the same in every space.
#pragma once

#include <cstdint>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

// The finaliser of SplitMix64 (G. L. Steele, D. Lea & C. H. Flood, OOPSLA 2014): arguments that
// differ in one bit give words that have about half of their bits in common.
HODGE_HD inline std::uint64_t mixed_bits(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

}  // namespace hodge::linalg
