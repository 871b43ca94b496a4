// Which layers of the grid the processes have that share the rows of a matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/processes/layer_parts.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg::multigrid {

// Of a pattern that is placed on a grid. None if a process has a part of a layer. Collective; all
// processes find the same.
template <class Space>
std::optional<LayerCuts> cuts_at_layers(const CsrPattern<Space>& pattern) {
  const RowSharing& sharing = *pattern.sharing();
  const GridShape& shape = pattern.grid()->shape;
  std::int64_t cells_of_layer = 1;
  for (int d = 0; d + 1 < shape.dim; ++d) cells_of_layer *= shape.extent[d];
  const auto listed = static_cast<std::int64_t>(pattern.grid()->row_of_cell.size());
  std::vector<std::int64_t> cells = gather_one(sharing.processes(), listed);
  bool are_listed = false;
  for (const std::int64_t count : cells) are_listed = are_listed || count > 0;
  LayerCuts cuts{{0}};
  std::int64_t end = 0;
  for (int p = 0; p < sharing.processes().size(); ++p) {
    end += are_listed ? cells[static_cast<std::size_t>(p)] : sharing.blocks().rows_of(p);
    if (end % cells_of_layer != 0) return {};
    cuts.first.push_back(static_cast<int>(end / cells_of_layer));
  }
  return cuts;
}

}  // namespace hodge::linalg::multigrid
