// The columns that processes which share the layers of a grid have for the cells of the layers
// beside their own ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/ghost_cells.hpp"
#include "linalg/multigrid/stencil.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/processes/layer_parts.hpp"

namespace hodge::linalg::multigrid {

// By the position of a cell: the column of a ghost, -1 for other cells of these layers. Of further
// layers nothing is written. Collective.
template <int Dim>
Buffer<int, Host> columns_of_other_cells(const CsrPattern<Host>& pattern,
                                         const LevelShape<Dim>& shape, const LayerCuts& cuts) {
  const RowSharing& sharing = *pattern.sharing();
  const Buffer<int, Host>& own_rows = pattern.grid()->row_of_cell;
  const Layers own = cuts.of(sharing.processes().rank());
  const int layer = shape.layer(), all = shape.extent[Dim - 1];
  auto columns = array_of_level<int, Host>(shape.cells());
  for (const int beside : {own.begin - 1, own.end}) {
    if (own.empty()) continue;
    const int place = (beside + all) % all;
    std::fill_n(columns.data() + static_cast<std::ptrdiff_t>(place) * layer, layer, -1);
  }
  const bool are_listed = greatest(sharing.processes(), static_cast<double>(own_rows.size())) > 0;
  int column = sharing.own_rows();
  for (const std::int64_t cell :
       cells_of_ghosts(sharing, {!are_listed, static_cast<std::int64_t>(layer) * own.begin,
                                 std::span<const int>(own_rows.data(), own_rows.size())}))
    columns.data()[cell] = column++;
  return columns;
}

}  // namespace hodge::linalg::multigrid
