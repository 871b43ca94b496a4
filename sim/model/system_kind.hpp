// The kinds of linear systems of a step: each has its own solver settings, solvers.<name>.
#pragma once

#include <array>

namespace hodge::sim {

enum class SystemKind { pressure, transport, scalars };

inline constexpr std::array<SystemKind, 3> system_kinds{SystemKind::pressure, SystemKind::transport,
                                                        SystemKind::scalars};

constexpr const char* name_of(SystemKind kind) {
  constexpr std::array<const char*, 3> names{"pressure", "transport", "scalars"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace hodge::sim
