#include "linalg/matrices/ghost_cells.hpp"

namespace hodge::linalg {

std::vector<std::int64_t> cells_of_ghosts(const RowSharing& sharing, const OwnCells& own) {
  if (own.all_have_rows) return sharing.ghosts();
  std::vector<double> cell_of_row(static_cast<std::size_t>(sharing.own_rows()));
  for (std::size_t i = 0; i < own.rows.size(); ++i)
    if (const int row = own.rows[i]; row >= 0)
      cell_of_row[static_cast<std::size_t>(row)] =
          static_cast<double>(own.first + static_cast<std::int64_t>(i));
  const GhostExchange& exchange = *sharing.view().exchange;
  exchange.start(cell_of_row.data());
  const double* const cells = exchange.finish<double>();
  return {cells, cells + exchange.ghosts()};
}

}  // namespace hodge::linalg
