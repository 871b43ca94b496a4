// What the flows past a body have in common: a uniform stream of speed 1 along x meets a body of
// width 1 at the origin.
//
//   lower x   inflow, u = (1, 0)          upper x   outflow
//   other sides along y   slip            along z   periodic
//
// The flow starts as the uniform stream with a disturbance, so that vortices need not wait for
// rounding to set them off:
//
//   v = disturbance exp(-(x - 3/2)^2 - (y - 1/2)^2)   in the wake, to one side
#pragma once

#include "cases/registry.hpp"

namespace hodge::cases {

// Reads the parameters reynolds and disturbance.
sim::Problem flow_past(const sim::Settings& settings, sim::Solid body);

// A case of such a flow, with these parameters; `cells` is that setting of its starter.
Case case_of_flow_past(const char* name, const char* description, MakeProblem make, CaseBox box,
                       const char* cells);

}  // namespace hodge::cases
