// The size and shape of a system, from which methods and preconditioners count their memory.
#pragma once

#include <cstddef>

namespace hodge::linalg {

// Whether products read arrays of the axes in place of entries (CsrMatrix::describe_as), and beside
// them two ints per row where some cells have no row.
enum class BoxForm { none, all_cells, some_cells };

struct SystemSize {
  std::size_t rows = 0;
  std::size_t nonzeros = 0;
  std::size_t value_size = sizeof(double);
  bool symmetric = false;      // false also if unknown
  int dim = 3;                 // axes of its grid or box, 2 or 3; 3 where there is neither
  bool on_grid = false;        // its pattern is placed on a grid (matrices/grid_rows.hpp)
  bool few_diagonals = false;  // its entries lie on few diagonals (matrices/diagonals.hpp)
  bool one_kernel = false;     // cg can be one kernel (solvers/resident_cg.hpp)
  BoxForm box = BoxForm::none;
  // Cells of all coarser grids of multigrid over those of the finest (multigrid/coarser_cells.hpp).
  // 0: not known; then all axes are taken to be coarsened by two.
  double coarser_cells = 0;
  // Bytes of the transforms of a direct solve and of the division between them. 0: not known; then
  // three axes are taken to be transformed one by one.
  double direct_bytes = 0;
  // Of the preconditioner direct: points of the box that the matrix names, and bytes of its
  // transforms (direct_memory), or a bound of them. 0: not known.
  std::size_t box_points = 0, transforms = 0;

  std::size_t vectors(int count) const {
    return static_cast<std::size_t>(count) * rows * value_size;
  }
  // Bytes of a CSR matrix: values, columns, row offsets, diagonal positions, masks, and the cells
  // of the rows of a box.
  std::size_t matrix() const {
    return nonzeros * (value_size + sizeof(int)) + (2 * rows + 1) * sizeof(int) + masks() +
           (box == BoxForm::some_cells ? rows * sizeof(int) : 0);
  }
  std::size_t masks() const { return few_diagonals ? 2 * rows : 0; }
};

}  // namespace hodge::linalg
