// The diagonals of a pattern (matrices/diagonals.hpp) as plain data: part of CsrView.
#pragma once

#include <cstdint>

namespace hodge::linalg {

// No diagonals: count is 0.
struct DiagonalsView {
  static constexpr int most = 16;
  int count = 0;
  int offset[most] = {};
  const std::uint16_t* mask = nullptr;  // rows
  // The bits of the diagonals left of the main one, and right of it.
  unsigned lower_bits = 0, upper_bits = 0;
};

}  // namespace hodge::linalg
