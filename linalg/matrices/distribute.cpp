#include "linalg/matrices/distribute.hpp"

#include <climits>
#include <string>

#include "linalg/processes/lists.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

void check_own_rows(const RowBlocks& blocks, int rank, std::span<const int> row_offsets,
                    std::span<const std::int64_t> columns, std::size_t values) {
  const auto rows = static_cast<std::size_t>(blocks.rows_of(rank));
  if (row_offsets.size() != rows + 1 || row_offsets.front() != 0 ||
      static_cast<std::size_t>(row_offsets.back()) != columns.size() || values != columns.size())
    throw ShapeError("own rows of process " + std::to_string(rank) + ": " +
                     std::to_string(row_offsets.size()) + " row offsets, " +
                     std::to_string(columns.size()) + " columns and " + std::to_string(values) +
                     " values for " + std::to_string(rows) + " rows");
  for (std::size_t i = 0; i < rows; ++i) {
    const auto fail = [&](const std::string& what) {
      throw ShapeError("row " + std::to_string(blocks.first(rank) + static_cast<std::int64_t>(i)) +
                       ": " + what);
    };
    if (row_offsets[i + 1] < row_offsets[i]) fail("row offsets decrease");
    for (int k = row_offsets[i] + 1; k < row_offsets[i + 1]; ++k)
      if (columns[static_cast<std::size_t>(k)] <= columns[static_cast<std::size_t>(k) - 1])
        fail("columns are not ascending");
  }
}

template <class Space, class T>
std::unique_ptr<CsrMatrix<Space, T>> with_values(std::shared_ptr<const CsrPattern<Space>> pattern,
                                                 std::span<const T> values, Symmetry symmetry) {
  auto matrix = std::make_unique<CsrMatrix<Space, T>>(std::move(pattern), symmetry);
  matrix->values().upload(values);
  return matrix;
}

}  // namespace

template <class T, class Space>
std::unique_ptr<CsrMatrix<Space, T>> share_rows(Communicator& processes, const RowBlocks& blocks,
                                                std::span<const int> row_offsets,
                                                std::span<const std::int64_t> global_columns,
                                                std::span<const T> values, Symmetry symmetry) {
  check_own_rows(blocks, processes.rank(), row_offsets, global_columns, values.size());
  if (processes.size() == 1) {
    if (blocks.rows() > INT_MAX) throw ShapeError("more rows than 32-bit indices can tell apart");
    const std::vector<int> columns(global_columns.begin(), global_columns.end());
    const auto rows = static_cast<int>(blocks.rows());
    return with_values(std::make_shared<const CsrPattern<Space>>(rows, rows, row_offsets,
                                                                 std::span<const int>(columns)),
                       values, symmetry);
  }
  const auto sharing =
      std::make_shared<const RowSharing>(processes, blocks, row_offsets, global_columns);
  const std::vector<int> columns = sharing->numbered(global_columns);
  return with_values(std::make_shared<const CsrPattern<Space>>(sharing, row_offsets,
                                                               std::span<const int>(columns)),
                     values, symmetry);
}

template <class T>
std::unique_ptr<CsrMatrix<Host, T>> distribute(const CsrMatrix<Host, T>& whole,
                                               Communicator& processes, const RowBlocks& blocks) {
  if (whole.rows() != whole.cols() || whole.rows() != blocks.rows())
    throw ShapeError("a matrix of " + std::to_string(whole.rows()) + " x " +
                     std::to_string(whole.cols()) + " is distributed in blocks of " +
                     std::to_string(blocks.rows()) + " rows, expected a square one of as many");
  const CsrView<T> a = whole.view();
  const auto first = static_cast<int>(blocks.first(processes.rank()));
  const int rows = blocks.rows_of(processes.rank()), begin = a.row_offsets[first];
  const auto entries = static_cast<std::size_t>(a.row_offsets[first + rows] - begin);
  std::vector<int> offsets(a.row_offsets + first, a.row_offsets + first + rows + 1);
  for (int& offset : offsets) offset -= begin;
  const std::vector<std::int64_t> columns(a.columns + begin, a.columns + begin + entries);
  return share_rows(processes, blocks, std::span<const int>(offsets),
                    std::span<const std::int64_t>(columns), std::span(a.values + begin, entries),
                    whole.symmetry());
}

template <class T>
std::vector<T> gather_rows(const Vector<Host, T>& own, Communicator& processes,
                           const RowBlocks& blocks) {
  std::vector<std::size_t> counts;
  for (int p = 0; p < processes.size(); ++p)
    counts.push_back(static_cast<std::size_t>(blocks.rows_of(p)));
  std::vector<T> all(static_cast<std::size_t>(blocks.rows()));
  gather_known(processes, std::span(own.data(), static_cast<std::size_t>(own.size())),
               std::span<const std::size_t>(counts), std::span(all));
  return all;
}

#define HODGE_SHARE_ROWS(Space, T)                                                          \
  template std::unique_ptr<CsrMatrix<Space, T>> share_rows<T, Space>(                       \
      Communicator&, const RowBlocks&, std::span<const int>, std::span<const std::int64_t>, \
      std::span<const T>, Symmetry);
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_SHARE_ROWS)
#define HODGE_DISTRIBUTE(T)                                                                 \
  template std::unique_ptr<CsrMatrix<Host, T>> distribute(const CsrMatrix<Host, T>&,        \
                                                          Communicator&, const RowBlocks&); \
  template std::vector<T> gather_rows(const Vector<Host, T>&, Communicator&, const RowBlocks&);
HODGE_DISTRIBUTE(double)
HODGE_DISTRIBUTE(float)
#undef HODGE_DISTRIBUTE

}  // namespace hodge::linalg
