// What a user chooses for one kind of linear systems, which come as a sequence in time.
#pragma once

#include <array>
#include <string>

#include "linalg/settings/settings.hpp"

namespace hodge::sim {

// The kinds of linear systems of a step: each has its own solver settings, solvers.<name>.
enum class SystemKind { pressure, transport, scalars };

inline constexpr std::array<SystemKind, 3> system_kinds{SystemKind::pressure, SystemKind::transport,
                                                        SystemKind::scalars};

constexpr const char* name_of(SystemKind kind) {
  constexpr std::array<const char*, 3> names{"pressure", "transport", "scalars"};
  return names[static_cast<std::size_t>(kind)];
}

struct SystemSettings : linalg::SolverSettings {
  // method auto, of the pressure: direct where the system is separable, otherwise `method` (cg).
  bool automatic = false;
  int guess_vectors = 8;          // guess projected: solutions that it is made of
  std::string guess = "scheme";   // what a solve starts from
  std::string stop = "residual";  // of a projection also: divergence, max |div u| <= tolerance, 1/T

  bool stops_by_divergence() const { return stop == "divergence"; }
};

}  // namespace hodge::sim
