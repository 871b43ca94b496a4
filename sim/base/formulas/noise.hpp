// White noise: a number in [-1, 1) that follows from a seed and a point alone, evenly distributed.
//
// The bits of seed, x, y and z are mixed one after the other by the finaliser of SplitMix64 (G.
// Steele, D. Lea, C. Flood, OOPSLA 2014; constants of D. Stafford's "Mix13"). There is no state, so
// the order of evaluation, threads and devices do not matter: all bits are the same everywhere.
#pragma once

#include <cstdint>
#include <cstring>

#include "linalg/base/macros.hpp"
#include "linalg/base/mixed_bits.hpp"

namespace hodge::sim {

// `point` has x, y, z.
HODGE_HD inline double noise(double seed, const double* point) {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = 0;
  for (int i = 0; i < 4; ++i) {
    const double value = (i == 0 ? seed : point[i - 1]) + 0.0;  // -0 becomes 0
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    hash = linalg::mixed_bits((hash ^ bits) + golden_ratio);
  }
  return static_cast<double>(hash >> 11) * 0x1p-52 - 1.0;
}

}  // namespace hodge::sim
