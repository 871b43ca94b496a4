// Settings for short runs in tests: a box of equal cells, tight solver tolerances, the CPU.
#pragma once

#include <string>
#include <type_traits>

#include "linalg/space/space.hpp"
#include "sim/model/settings.hpp"

namespace hodge::test {

inline sim::Settings flow_settings(int dim, int cells, double length = 1.0) {
  sim::Settings settings;
  settings.grid.dim = dim;
  for (int d = 0; d < dim; ++d)
    settings.grid.axes[d] = {.cells = cells, .lower = 0, .upper = length};
  settings.pressure.method = "cg";
  settings.pressure.preconditioner = {"ssor_sai", {{"order", 2}, {"omega", 1.2}}};
  settings.pressure.tolerance = 1e-10;
  settings.transport.method = "bicgstab";
  settings.transport.preconditioner.kind = "jacobi";
  settings.transport.tolerance = 1e-11;
  settings.scalars = settings.transport;
  settings.device = "cpu";
  return settings;
}

// On a space, with a time scheme and a solver that fits its systems.
template <class Space>
sim::Settings flow_settings_on(int dim, int cells, const std::string& scheme) {
  sim::Settings settings = flow_settings(dim, cells);
  settings.time.scheme = scheme;
  settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
  if (scheme == "cn_ab2") settings.transport.method = settings.scalars.method = "cg";
  return settings;
}

}  // namespace hodge::test
