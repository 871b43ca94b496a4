#include "linalg/matrices/row_sharing.hpp"

#include <algorithm>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg {

namespace {

bool is_own(const SharedRows& rows, int own_rows, std::int64_t column) {
  return column >= rows.first && column < rows.first + own_rows;
}

std::vector<std::int64_t> sorted_ghosts(const SharedRows& rows, int own_rows,
                                        std::span<const std::int64_t> global_columns) {
  std::vector<std::int64_t> ghosts;
  for (const std::int64_t column : global_columns) {
    if (column < 0 || column >= rows.total)
      throw ShapeError("a column " + std::to_string(column) + " of a system of " +
                       std::to_string(rows.total) + " rows that processes share");
    if (!is_own(rows, own_rows, column)) ghosts.push_back(column);
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

std::vector<int> rows_with_ghosts(const SharedRows& rows, int own_rows,
                                  std::span<const int> row_offsets,
                                  std::span<const std::int64_t> global_columns) {
  std::vector<int> found;
  for (int row = 0; row < own_rows; ++row) {
    const auto begin = global_columns.begin() + row_offsets[row],
               end = global_columns.begin() + row_offsets[row + 1];
    if (std::any_of(begin, end, [&](auto column) { return !is_own(rows, own_rows, column); }))
      found.push_back(row);
  }
  return found;
}

std::vector<GhostPlace> places(const RowBlocks& blocks, std::span<const std::int64_t> ghosts) {
  std::vector<GhostPlace> all;
  for (const std::int64_t ghost : ghosts) {
    const int owner = blocks.owner(ghost);
    all.push_back({owner, static_cast<int>(ghost - blocks.first(owner))});
  }
  return all;
}

}  // namespace

RowSharing::RowSharing(Communicator& processes, RowBlocks blocks, std::span<const int> row_offsets,
                       std::span<const std::int64_t> global_columns)
    : blocks_(std::move(blocks)),
      rows_(blocks_.shared_rows(processes)),
      ghosts_(sorted_ghosts(rows_, own_rows(), global_columns)),
      ghost_rows_(rows_with_ghosts(rows_, own_rows(), row_offsets, global_columns)),
      exchange_(processes, places(blocks_, ghosts_)) {}

std::int64_t RowSharing::global_column(int column) const {
  return column < own_rows() ? rows_.first + column
                             : ghosts_[static_cast<std::size_t>(column - own_rows())];
}

std::vector<int> RowSharing::numbered(std::span<const std::int64_t> global_columns) const {
  std::vector<int> columns;
  columns.reserve(global_columns.size());
  for (const std::int64_t column : global_columns) {
    if (is_own(rows_, own_rows(), column)) {
      columns.push_back(static_cast<int>(column - rows_.first));
    } else {
      const auto ghost = std::lower_bound(ghosts_.begin(), ghosts_.end(), column);
      columns.push_back(own_rows() + static_cast<int>(ghost - ghosts_.begin()));
    }
  }
  return columns;
}

std::vector<int> RowSharing::placed(std::span<const int> columns) const {
  std::vector<int> distances;
  distances.reserve(columns.size());
  for (const int column : columns)
    distances.push_back(
        static_cast<int>(std::clamp(global_column(column) - rows_.first, -far_away, far_away)));
  return distances;
}

GhostRowsView RowSharing::view() const {
  return {&exchange_, static_cast<int>(ghost_rows_.size()), ghost_rows_.data()};
}

RowStatistics whole_statistics(const RowSharing& sharing, const RowStatistics& own) {
  std::int64_t counts[] = {own.nonzeros};
  double longest[] = {static_cast<double>(own.longest)};
  sharing.processes().sum(counts);
  sharing.processes().maximum(longest);
  RowStatistics whole = own;
  const auto rows = static_cast<double>(sharing.rows().total);
  whole.mean = rows > 0 ? static_cast<double>(counts[0]) / rows : 0.0;
  whole.longest = static_cast<int>(longest[0]);
  return whole;
}

std::vector<int> whole_diagonals(const RowSharing& sharing, std::span<const int> own,
                                 bool too_many) {
  const auto unknown = gather_one(sharing.processes(), too_many ? 1 : 0);
  std::vector<int> all = gather_lists(sharing.processes(), own);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const bool few = std::find(unknown.begin(), unknown.end(), 1) == unknown.end();
  if (!few || all.size() > DiagonalsView::most) all.clear();
  return all;
}

}  // namespace hodge::linalg
