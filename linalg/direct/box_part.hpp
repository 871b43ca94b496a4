// What a process has of a box whose axes are transformed together (box_fft.hpp).
#pragma once

#include <array>
#include <memory>

#include "linalg/base/complex.hpp"
#include "linalg/direct/box_pass.hpp"
#include "linalg/direct/fft_layout.hpp"

namespace hodge::linalg {

struct IndexRange {
  int first = 0, count = 0;
};

// The layers of a piece: pairs of layers, because a library may transform two of them as one.
constexpr IndexRange layers_of_piece(int layers, int piece, int pieces) {
  const auto cut = [&](int k) {
    return k == pieces ? layers : static_cast<int>(1LL * layers * k / pieces / 2 * 2);
  };
  return {cut(piece), cut(piece + 1) - cut(piece)};
}

template <class T>
struct BoxPart {
  std::array<IndexRange, 3> points;    // own ones along each axis
  std::array<bool, 3> are_in_slots{};  // axes whose points are in the order of their slots
  // Where the last axis is transformed alone (BoxSpectrum::is_split): the own entries along the
  // halved axis, of all along the others, in the second one of the two transforms, and the move of
  // the spectrum to these entries.
  IndexRange halved;
  std::unique_ptr<MovePass<Complex<T>>> move;  // null: one process
  int pieces = 1;                              // in which layers are transformed and moved

  static BoxPart whole(const BoxSpectrum& box) {
    BoxPart part;
    for (std::size_t d = 0; d < 3; ++d) part.points[d] = {0, box.points[d]};
    if (box.halved >= 0) part.halved = {0, box.entries[static_cast<std::size_t>(box.halved)]};
    return part;
  }
};

}  // namespace hodge::linalg
