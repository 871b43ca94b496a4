// What each side of the box is, on the host.
#pragma once

#include <array>

namespace hodge::sim {

enum class SideKind { wall, periodic };

struct Side {
  SideKind kind = SideKind::wall;
  std::array<double, 3> velocity{};  // of the wall, L/T; its normal component must be 0
};

struct Boundaries {
  std::array<std::array<Side, 2>, 3> sides;  // [axis][0 lower, 1 upper]

  bool periodic(int axis) const { return sides[axis][0].kind == SideKind::periodic; }
};

}  // namespace hodge::sim
