// The columns that processes which share the layers of a grid have for the cells of the layers
// beside their own ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/ghost_cells.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"
#include "linalg/processes/agree.hpp"

namespace hodge::linalg::multigrid {

// The columns of the layer below the own ones, then of the layer above: those of ghosts, -1 for
// other cells. Collective.
template <int Dim, class Space>
Buffer<int, Space> columns_of_other_cells(const CsrPattern<Space>& pattern,
                                          const LevelShape<Dim>& shape, const Layers& own) {
  const RowSharing& sharing = *pattern.sharing();
  const std::vector<int> own_rows = pattern.grid()->row_of_cell.to_host();
  const std::int64_t layer = shape.layer();
  const LayersBeside beside(own, shape.extent[Dim - 1]);
  std::vector<int> columns(static_cast<std::size_t>(2 * layer), -1);
  const bool are_listed = greatest(sharing.processes(), static_cast<double>(own_rows.size())) > 0;
  int column = sharing.own_rows();
  for (const std::int64_t cell :
       cells_of_ghosts(sharing, {!are_listed, layer * own.begin, std::span<const int>(own_rows)})) {
    const std::int64_t in_layer = cell % layer;
    if (cell / layer == beside.below) columns[static_cast<std::size_t>(in_layer)] = column;
    if (cell / layer == beside.above) columns[static_cast<std::size_t>(layer + in_layer)] = column;
    ++column;
  }
  return Buffer<int, Space>(std::span<const int>(columns));
}

}  // namespace hodge::linalg::multigrid
