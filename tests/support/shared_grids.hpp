// Systems on a grid whose layers across the last axis several processes share.
#pragma once

#include <memory>
#include <vector>

#include "linalg/processes/layer_parts.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/shared_systems.hpp"

namespace hodge::linalg::tests_of_grids {

using tests::OwnRows;

// The own rows of `whole`, of the system of all processes, on its grid or on none. own_cells: the
// own row of each cell of this process, or -1; none if each cell has a row.
template <class T, class Space = Host>
std::unique_ptr<CsrMatrix<Space, T>> own_rows_of(const CsrMatrix<Host>& whole, const OwnRows& own,
                                                 bool on_grid, const std::vector<int>& own_cells) {
  const CsrView<double> a = whole.view();
  const auto first = static_cast<int>(own.blocks.first(own.processes.rank()));
  const int rows = own.blocks.rows_of(own.processes.rank());
  const int begin = a.row_offsets[first], end = a.row_offsets[first + rows];
  std::vector<int> offsets(a.row_offsets + first, a.row_offsets + first + rows + 1);
  for (int& offset : offsets) offset -= begin;
  std::shared_ptr<CsrPattern<Space>> pattern;
  const std::span<const int> columns(a.columns + begin, a.columns + end);
  if (own.processes.size() == 1) {
    pattern =
        std::make_shared<CsrPattern<Space>>(rows, rows, std::span<const int>(offsets), columns);
  } else {
    const std::vector<std::int64_t> global(columns.begin(), columns.end());
    const auto sharing =
        std::make_shared<const RowSharing>(own.processes, own.blocks, offsets, global);
    const std::vector<int> numbered = sharing->numbered(global);
    pattern = std::make_shared<CsrPattern<Space>>(sharing, std::span<const int>(offsets),
                                                  std::span<const int>(numbered));
  }
  if (on_grid) {
    const GridRows<Host>& grid = *whole.pattern().grid();
    pattern->place_on({grid.shape,
                       grid.row_of_cell.size() == 0
                           ? Buffer<int, Space>()
                           : Buffer<int, Space>(std::span<const int>(own_cells)),
                       own.processes.size() == 1 ? own.blocks.lines() : nullptr});
  }
  auto matrix = std::make_unique<CsrMatrix<Space, T>>(pattern, whole.symmetry());
  const std::vector<T> values(a.values + begin, a.values + end);
  matrix->values().upload(std::span<const T>(values));
  return matrix;
}

// The rows that processes have of a problem, each with whole layers.
class LayersOfRows {
 public:
  LayersOfRows(const GridProblem& problem, const LayerCuts& cuts)
      : cuts_(cuts), row_of_cell_(problem.numbers()) {
    const int dim = problem.shape.dim, n = problem.shape.extent[dim - 1];
    cells_ = static_cast<int>(problem.shape.cells() / n);
    std::vector<std::int64_t> of_layer{0}, of_process;
    for (int layer = 0; layer < n; ++layer) {
      std::int64_t rows = 0;
      for (int i = layer * cells_; i < (layer + 1) * cells_; ++i)
        rows += row_of_cell_[static_cast<std::size_t>(i)] >= 0 ? 1 : 0;
      of_layer.push_back(of_layer.back() + rows);
    }
    for (const int first : cuts.first)
      of_process.push_back(of_layer[static_cast<std::size_t>(first)]);
    if (of_layer.back() == problem.shape.cells())
      blocks_ = std::make_unique<RowBlocks>(of_process, problem.shape.extent[0]);
    else
      blocks_ = std::make_unique<RowBlocks>(of_process, std::make_shared<RowLines>(of_layer));
  }

  const RowBlocks& blocks() const { return *blocks_; }

  // The own row of each cell of a process, or -1.
  std::vector<int> own_cells(int process) const {
    const Layers own = cuts_.of(process);
    std::vector<int> cells(row_of_cell_.begin() + own.begin * cells_,
                           row_of_cell_.begin() + own.end * cells_);
    for (int& row : cells)
      if (row >= 0) row -= static_cast<int>(blocks_->first(process));
    return cells;
  }

 private:
  LayerCuts cuts_;
  std::vector<int> row_of_cell_;
  int cells_ = 0;  // of a layer
  std::unique_ptr<RowBlocks> blocks_;
};

// Cuts of `layers` layers: of parts of very different sizes, the second of three or more empty.
inline LayerCuts uneven_cuts(int layers, int processes) {
  LayerCuts cuts{{0}};
  for (int p = 1; p < processes; ++p)
    cuts.first.push_back(p == 2 ? cuts.first.back() : layers * p * p / (processes * processes) + 1);
  cuts.first.push_back(layers);
  return cuts;
}

}  // namespace hodge::linalg::tests_of_grids
