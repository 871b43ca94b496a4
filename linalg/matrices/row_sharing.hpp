// What a CSR pattern whose rows are shared by processes knows of the whole system.
//
// A process holds consecutive rows (processes/row_blocks.hpp). The columns of these rows that are
// rows of its own have their numbers 0 .. rows - 1; the others, the ghosts, follow, by owner and
// global number: ghost g is column rows + g. Within a row the entries ascend by GLOBAL column, as
// on one process, so that the sum of a row has the same bits. The values of the ghosts are not part
// of any vector: a product fetches them (processes/ghost_exchange.hpp), and computes the rows that
// need none while they are on their way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/matrices/row_statistics.hpp"
#include "linalg/processes/ghost_exchange.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "linalg/space/sparse_primitives.hpp"

namespace hodge::linalg {

class RowSharing {
 public:
  // Collective. global_columns: the entries of the own rows, row after row. ShapeError for a column
  // outside of the system.
  RowSharing(Communicator& processes, RowBlocks blocks, std::span<const int> row_offsets,
             std::span<const std::int64_t> global_columns);

  Communicator& processes() const { return *rows_.processes; }
  const SharedRows& rows() const { return rows_; }
  const RowBlocks& blocks() const { return blocks_; }
  int own_rows() const { return blocks_.rows_of(processes().rank()); }
  std::int64_t global_column(int column) const;  // of an own column or a ghost
  const std::vector<std::int64_t>& ghosts() const { return ghosts_; }

  // The own numbers of global columns.
  std::vector<int> numbered(std::span<const std::int64_t> global_columns) const;
  // Columns by their distance from the first own row. Distances ascend in each row, and say which
  // diagonal an entry is on; those beyond far_away become far_away.
  static constexpr std::int64_t far_away = std::int64_t{1} << 30;
  std::vector<int> placed(std::span<const int> columns) const;

  const GhostExchange& exchange() const { return exchange_; }
  GhostRowsView view() const;

 private:
  RowBlocks blocks_;
  SharedRows rows_;
  std::vector<std::int64_t> ghosts_;  // global numbers, ascending
  std::vector<int> ghost_rows_;       // own rows with entries in ghost columns
  GhostExchange exchange_;
};

// Of the rows of all processes, for the choice of a kernel: collective.
RowStatistics whole_statistics(const RowSharing& sharing, const RowStatistics& own);
// The diagonals of all processes, ascending; none if there are more than DiagonalsView::most.
// too_many: that is already so on this process.
std::vector<int> whole_diagonals(const RowSharing& sharing, std::span<const int> own,
                                 bool too_many);

}  // namespace hodge::linalg
