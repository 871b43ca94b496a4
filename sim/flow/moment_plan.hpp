// Which moments of fluctuations the statistics among the output fields are made of
// (moments.hpp), for the moments themselves and for estimates of their memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

struct MomentPlan {
  struct OfScalar {  // of the pressure, too
    std::string name;
    bool has_square = false, has_flux = false;
  };
  bool has_stress = false;  // rms of the velocity, or Reynolds stress
  std::vector<OfScalar> scalars;

  bool any() const { return has_stress || !scalars.empty(); }
  bool has_velocity() const;          // its mean is needed
  std::size_t arrays(int dim) const;  // one value per cell each
};

// The unknown names among the fields, and those without fluctuations, are left out.
MomentPlan moment_plan(const std::vector<std::string>& fields);

// Independent components of a Reynolds stress, which are numbered along the diagonal first:
// xx, yy, xy in 2D; xx, yy, zz, xy, yz, xz in 3D.
constexpr int stress_count(int dim) {
  return dim * (dim + 1) / 2;
}

// The velocity components of stress k.
template <int Dim>
HODGE_HD constexpr int stress_row(int k) {
  return k < Dim ? k : Dim == 2 ? 0 : k == 4 ? 1 : 0;
}
template <int Dim>
HODGE_HD constexpr int stress_column(int k) {
  return k < Dim ? k : Dim == 2 || k == 3 ? 1 : 2;
}

}  // namespace hodge::sim
