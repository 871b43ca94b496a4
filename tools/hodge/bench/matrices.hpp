// Matrices of the kinds that the literature measures on, made from a few parameters and a seed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools::bench {

enum class Coefficients {
  constant,  // k = 1
  random,    // k of each face uniform in (0.1, 1)
  jumping,   // k = 1 or 10^4 in blocks of an eighth of the box; harmonic means at the faces
};

// -div(k grad u) + c . grad u on a box of cells, 5 points a row in 2D and 7 in 3D (h = 1). With
// peclet > 0, c = peclet k (1, 1/2, 1/4), first-order upwind: not symmetric.
struct GridMatrix {
  std::array<int, 3> cells{1, 1, 1};
  bool neumann = false;  // all sides; otherwise u = 0 on all sides
  Coefficients coefficients = Coefficients::constant;
  std::array<double, 3> weights{1, 1, 1};  // of the directions: anisotropy
  double peclet = 0;
  std::uint64_t seed = 1;

  int dim() const { return cells[2] > 1 ? 3 : 2; }
  std::string grid() const;  // "64 x 64 x 64"
};
std::unique_ptr<HostMatrix> make_matrix(const GridMatrix& parameters);

// KIND_2d_N or KIND_3d_N, N cells along each axis, with KIND one of
//
//   poisson      all that follows N: _random or _jumping coefficients, _neumann sides
//   anisotropic  100 times stronger along x
//   convection   cell Peclet number 2, random coefficients
GridMatrix named_grid_matrix(const std::string& name);

// Conductances of a circuit: every node is joined to neighbours at a few distances and by random
// links, and `rails` nodes (supplies, clocks) to a share of all nodes, which makes as many dense
// rows. Symmetric, positive definite by a small conductance to ground.
struct CircuitMatrix {
  int nodes = 0;
  int rails = 4;
  double rail_share = 0.02;
  std::uint64_t seed = 1;
};
std::unique_ptr<HostMatrix> make_matrix(const CircuitMatrix& parameters);

}  // namespace hodge::tools::bench
