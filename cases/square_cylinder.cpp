// A uniform stream past a square cylinder along z, of side 1 at the origin, one side facing the
// stream.
//
//   Re = U D / nu,   U = 1, D = 1
//
// Vortices are shed beyond Re = 50; at Re = 100 with the Strouhal number 0.146.
// Reference: A. Sohankar, C. Norberg & L. Davidson, Int. J. Numer. Meth. Fluids 26, 1998, whose box
// is 20 D high as well.
#include <limits>

#include "cases/flow_past.hpp"

namespace hodge::cases::square_cylinder {

Cases describe() {
  constexpr double far = std::numeric_limits<double>::infinity();
  return {flow_past("a uniform stream past a square cylinder and its vortex street",
                    {"cylinder", sim::BoxShape{{-0.5, -0.5, -far}, {0.5, 0.5, far}}},
                    {{-10, -10, 0}, {25, 10, 4}}, "grid.cells: [132, 88]")};
}

}  // namespace hodge::cases::square_cylinder
