// What multiplies the diffusivity D of a transport operator at the faces of its control volumes:
// D r_e(c) at the one below c along e.
//
//   UnitCoefficient   r = 1: D is a constant, and no code is left of r
//   FaceCoefficient   r is a field, which its provider fills where it wants it:
//
//     cells      at cells: the faces of u_d along d, which are in the middle between two values
//     faces[e]   of a scalar: at the faces of component e
//                of a velocity: on the edge along e below c along both other axes; in 2D faces[0],
//                at the lower corner of c
//
//     capacity   of a scalar at cells: multiplies its derivative in time (bodies that conduct it)
//
// One set of fields serves all components of a velocity. Values are read from the first to the last
// face of every control volume, those in sides of the box included.
#pragma once

#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

struct UnitCoefficient {};

template <int Dim>
struct FaceCoefficient {
  ConstFieldView<Dim> cells, faces[Dim];  // null: r = 1
  ConstFieldView<Dim> capacity;           // null: 1

  HODGE_HD bool varies() const { return faces[0].origin != nullptr; }
  HODGE_HD double capacity_at(const Index<Dim>& c) const {
    return capacity.origin != nullptr ? capacity(c) : 1.0;
  }
  HODGE_HD double at(int location, int e, const Index<Dim>& c) const {
    if (!varies()) return 1.0;
    if (location == at_cells) return faces[e](c);
    if (location == e) return cells(c.shifted(e, -1));
    return faces[Dim == 2 ? 0 : 3 - location - e](c);
  }
};

}  // namespace hodge::sim
