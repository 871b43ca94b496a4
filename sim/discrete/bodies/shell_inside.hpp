// Whether points are inside one shell of a surface, or all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/discrete/bodies/shells.hpp"

namespace hodge::sim {

// Keeps the triangles of the shell in slabs of equal thickness along z; a point looks at those of
// its slab.
class ShellInside {
 public:
  // Points as near as `on_it` in front of the surface count as inside (crossing.hpp).
  ShellInside(const Surface& surface, const Shell& shell, double on_it = 0);

  bool contains(const Point& x) const;

 private:
  std::size_t slab_of(double z) const;

  const Surface& surface_;
  double lower_, slabs_per_length_ = 0, on_it_;
  std::vector<std::size_t> start_;  // of each slab in triangles_
  std::vector<int> triangles_;
};

}  // namespace hodge::sim
