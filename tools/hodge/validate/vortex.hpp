// The primary vortex of a plane flow in a closed box: the least value of the stream function.
#pragma once

#include "sim/flow/flow.hpp"

namespace hodge::tools {

struct Vortex {
  double psi, x, y;
};

// psi(x, y) = integral of u from the lower wall to y, at cell centres along x and edges along y;
// its minimum is that of quartics through the neighbours, along y and then along x. Second order.
Vortex primary_vortex(const sim::Flow& flow);

}  // namespace hodge::tools
