// Velocity profiles on the two centrelines of the unit square, and values and extrema of
// polynomials through them.
#pragma once

#include <vector>

#include "sim/flow/flow.hpp"

namespace hodge::tools {

// Values at ascending positions, the two walls included.
struct Profile {
  std::vector<double> positions;
  std::vector<double> values;
};

struct Extremum {
  double position;
  double value;
};

// The component of the wall velocity at the two ends of a line.
struct CentrelineEnds {
  double lower_wall, upper_wall;
};

// One component of the velocity on the line through the middle of the box along `axis`: u on
// x = 0.5 is component 0 along axis 1. Cell-centre values are means of two faces; across the line
// they are combined to fourth order. Errors: ShapeError unless the grid is 2D and uniform with an
// even number of cells, at least 4, across the line.
Profile centreline(const sim::Flow& flow, int component, int axis, CentrelineEnds ends);

// The cubic through the four nearest points: fourth order.
double interpolate(const Profile& profile, double position);

// The extremum of the quartic through the five points around the least (sign = -1) or largest (sign
// = +1) value.
Extremum extremum(const Profile& profile, int sign);

}  // namespace hodge::tools
