// The size and shape of a system, from which methods and preconditioners count their memory.
#pragma once

#include <cstddef>

namespace hodge::linalg {

struct SystemSize {
  std::size_t rows = 0;
  std::size_t nonzeros = 0;
  std::size_t value_size = sizeof(double);
  bool symmetric = false;      // false also if unknown
  bool on_grid = false;        // its pattern is placed on a grid (matrices/grid_rows.hpp)
  bool few_diagonals = false;  // its entries lie on few diagonals (matrices/diagonals.hpp)
  bool one_kernel = false;     // cg can be one kernel (solvers/resident_cg.hpp)
  // Cells of all coarser grids of multigrid over those of the finest (multigrid/coarser_cells.hpp).
  // 0: not known; then all axes are taken to be coarsened by two.
  double coarser_cells = 0;
  // Of the preconditioner direct: points of the box that the matrix names, and bytes of its
  // transforms (direct_memory), or a bound of them. 0: not known.
  std::size_t box_points = 0, transforms = 0;

  std::size_t vectors(int count) const {
    return static_cast<std::size_t>(count) * rows * value_size;
  }
  // Bytes of a CSR matrix: values, columns, row offsets, diagonal positions, masks.
  std::size_t matrix() const {
    return nonzeros * (value_size + sizeof(int)) + (2 * rows + 1) * sizeof(int) + masks();
  }
  std::size_t masks() const { return few_diagonals ? 2 * rows : 0; }
};

}  // namespace hodge::linalg
