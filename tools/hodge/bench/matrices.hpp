// The matrices that experiments run on: of the kinds that the literature measures on, made from a
// few parameters and a seed, the small real ones that come with hodge, and those of --matrices.
#pragma once

#include <array>
#include <cstdint>

#include "linalg/base/mixed_bits.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/matrix/matrix.hpp"

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
  bool neumann = false;   // all sides; otherwise u = 0 on all sides
  bool periodic = false;  // all axes, in place of sides
  Coefficients coefficients = Coefficients::constant;
  std::array<double, 3> weights{1, 1, 1};  // of the directions: anisotropy
  double peclet = 0;
  std::uint64_t seed = 1;
  bool ball = false;  // no unknowns within cells[0] / 8 of the centre: nothing flows in there

  int dim() const { return cells[2] > 1 ? 3 : 2; }
  std::string grid() const {  // "64 x 64 x 64"
    return fmt::format("{}", fmt::join(cells.begin(), cells.begin() + dim(), " x "));
  }
};
std::unique_ptr<HostMatrix> make_matrix(const GridMatrix& parameters);
// The row of each cell, -1 in the ball; empty without one, where the rows are the cells in order.
std::vector<int> rows_of_cells(const GridMatrix& parameters);

// KIND_2d_N or KIND_3d_N, N cells along each axis, with KIND one of
//
//   poisson      all that follows N: _random or _jumping coefficients; _neumann sides, or
//                _periodic, which takes N >= 3
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

// Of the size and the mean row length of a matrix that a publication measures on, where that is not
// shipped: the diagonal, and entries at distances from it that are spread evenly over all orders of
// magnitude up to a tenth of the rows. Not symmetric, diagonally dominant.
struct RandomMatrix {
  int rows = 0;
  double row_length = 0;  // mean
  std::uint64_t seed = 1;
};
std::unique_ptr<HostMatrix> make_matrix(const RandomMatrix& parameters);
// like_NAME, of the matrices in Y.-Q. Liu, K.-X. Yin & E.-H. Wu (2011).
RandomMatrix named_random_matrix(const std::string& name);

struct MatrixChoice {
  // Names of named_grid_matrix, of named_random_matrix, or circuit_NODES.
  std::vector<std::string> quick, full;
  bool files = true;  // also those that come with hodge, and those of --matrices
};

using MatrixAction = std::function<void(const std::string& name, const HostMatrix& matrix)>;

// Makes them one after the other; one that does not fit or cannot be read becomes a note. Errors:
// ConfigError where --matrices has no *.mtx.
void for_each_matrix(ExperimentRun& run, const MatrixChoice& choice, const MatrixAction& action);

// action.template operator()<Space>(name, matrix) for each of them on every device.
template <class Action>
void measure_matrices(ExperimentRun& run, const MatrixChoice& choice, const Action& action) {
  for_each_matrix(run, choice, [&](const std::string& name, const HostMatrix& matrix) {
    run.on_each_device([&]<class Space>() { action.template operator()<Space>(name, matrix); });
  });
}

// A number in [0, 1) that depends on its arguments alone, so that rows can be made in any order.
inline double random_unit(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t z =
      linalg::mixed_bits(seed * 0x9e3779b97f4a7c15u + (index + 1) * 0xbf58476d1ce4e5b9u);
  return static_cast<double>(z >> 11) * 0x1p-53;
}

struct Entry {
  int column;
  double value;
};
using RowEntries = std::vector<Entry>;

// A CSR matrix built row by row, in parallel, straight into its arrays: row(i, entries) fills the
// entries of row i, columns ascending; called twice for each row, to count and to fill. Errors:
// ShapeError where the non-zeros do not fit 32 bits.
std::unique_ptr<HostMatrix> build_rows(int rows, int cols, linalg::Symmetry symmetry,
                                       const std::function<void(int i, RowEntries& entries)>& row);

}  // namespace hodge::tools::bench
