// A uniform stream past a circular cylinder along z, of diameter 1 at the origin.
//
//   Re = U D / nu,   U = 1, D = 1
//
// Steady with two vortices behind the cylinder below Re = 47, then they are shed in turns: at
// Re = 100 with the Strouhal number f D / U = 0.164 (C. H. K. Williamson, J. Fluid Mech. 206,
// 1989). The box is 40 D high: its sides speed up the flow past the cylinder by about 1 / 40.
#include "cases/flow_past.hpp"

namespace hodge::cases::circular_cylinder {

Cases describe() {
  return {flow_past("a uniform stream past a circular cylinder and its vortex street",
                    {"cylinder", sim::CylinderShape{2, {0, 0, 0}, 0.5}},
                    {{-20, -20, 0}, {40, 20, 4}}, "grid.cells: [156, 112]")};
}

}  // namespace hodge::cases::circular_cylinder
