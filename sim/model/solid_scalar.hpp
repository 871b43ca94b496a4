// What a body is to one scalar c: by its surface, or as a medium that c is in, too.
//
//   value, flux, convective   in the surface, as in a side of the box (boundaries.hpp): flux enters
//                             the fluid where positive
//   heat                      capacity dc/dt = div(conductivity grad c) + source       in the body
//
// Conductivity, L^2/T, and capacity are those of the body over the capacity of the fluid per
// volume, so that the fluid has its diffusivity and 1. The flux is the same on both sides of the
// surface; c is, too, or jumps by resistance * flux.
#pragma once

#include <optional>
#include <string>

#include "sim/base/formulas/expression.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

struct HeatInside {
  double conductivity = 0;  // L^2/T
  double capacity = 1;
  double resistance = 0;  // of the surface, T/L; of two bodies that touch it is the sum
  Expression source = 0;  // of x, y, z, t; [c]/T times the capacity of the fluid
};

// Nu = rate length / (surface diffusivity difference), rate what the body gives.
struct NusseltScales {
  double length = 0, difference = 0;  // L, [c]
  double surface = 0;                 // of the body, L^2; in 2D its perimeter, L
};

struct SolidScalar {
  std::string name;                // of the scalar
  ScalarSide surface;              // without heat
  std::optional<HeatInside> heat;  // instead
  std::optional<NusseltScales> nusselt;
};

}  // namespace hodge::sim
