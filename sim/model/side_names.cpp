#include "sim/model/side_names.hpp"

#include <algorithm>

#include "sim/base/point.hpp"

namespace hodge::sim {
namespace {

constexpr SideKindName kinds[] = {
    {"wall", "no flow through it and no slip; velocity: of a wall that moves in its plane",
     SideKind::wall},
    {"inflow", "the fluid enters, or leaves, with the given velocity", SideKind::inflow},
    {"outflow", "the fluid leaves as it comes, at a given pressure", SideKind::outflow},
    {"pressure", "the fluid enters or leaves as a given pressure has it", SideKind::pressure},
    {"slip", "no flow through it and no friction: a plane of symmetry", SideKind::slip},
    {"periodic", "what leaves enters at the opposite side, which is periodic, too",
     SideKind::periodic},
};

constexpr ScalarConditionName conditions[] = {
    {"value", "the scalar has this value", ScalarSideKind::value},
    {"flux", "so much enters by diffusion, an area and a time; without a condition 0",
     ScalarSideKind::flux},
    {"convective", "coefficient * (scalar - value) leaves by diffusion, an area and a time",
     ScalarSideKind::convective},
};

template <typename Table, typename Kind>
const char* find_name(const Table& table, Kind kind) {
  return std::find_if(std::begin(table), std::end(table),
                      [kind](const auto& entry) { return entry.kind == kind; })
      ->name;
}

}  // namespace

std::span<const SideKindName> side_kind_table() {
  return kinds;
}

std::span<const ScalarConditionName> scalar_condition_table() {
  return conditions;
}

const char* name_of(SideKind kind) {
  return find_name(kinds, kind);
}

const char* name_of(ScalarSideKind kind) {
  return find_name(conditions, kind);
}

std::string side_name(int axis, int side) {
  return axis_names[axis] + std::string(side == 0 ? "_lower" : "_upper");
}

}  // namespace hodge::sim
