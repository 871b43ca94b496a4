// The flux of a scalar through a side that has a fixed value, as the discrete equations have it.
#pragma once

#include "tools/hodge/validate/cell_field.hpp"

namespace hodge::tools {

struct FixedValueSide {
  int axis, side;  // side: 0 lower, 1 upper
  double value;
};

// Mean over the side of (c_inner - value) / (h / 2), the derivative along the normal into the box:
// of first order at each place, but of second in a flux, which the scheme conserves.
double mean_wall_gradient(const CellField& scalar, const FixedValueSide& at);

}  // namespace hodge::tools
