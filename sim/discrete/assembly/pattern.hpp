// The CSR pattern of a stencil on the unknowns of a field, built in the space: count the entries of
// each row, scan the counts to row offsets, write the columns (ascending in each row).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/assembly/numbering.hpp"

namespace hodge::sim {

template <int Dim>
linalg::GridShape grid_shape(const Unknowns<Dim>& unknowns) {
  linalg::GridShape shape;
  shape.dim = Dim;
  for (int d = 0; d < Dim; ++d) {
    shape.extent[d] = unknowns.box.extent(d);
    shape.periodic[d] = unknowns.periodic[d];
    for (int side = 0; side < 2; ++side) shape.beyond[d][side] = unknowns.beyond[d][side];
  }
  return shape;
}

// Where the unknowns are on the grid, for multigrid.
template <int Dim, class Space>
linalg::GridRows<Space> grid_rows(const Unknowns<Dim>& unknowns) {
  const SharedUnknowns<Dim>* const among = unknowns.among_processes;
  linalg::GridRows<Space> rows;
  rows.shape = grid_shape(among != nullptr ? among->whole : unknowns);
  if (unknowns.lines != nullptr)
    rows.lines = std::make_shared<const linalg::RowLines>(*unknowns.lines);
  if (unknowns.numbers == nullptr) return rows;
  rows.row_of_cell = linalg::Buffer<int, Space>(static_cast<std::size_t>(unknowns.box.size()));
  Space::copy(numbers_of_own(unknowns), rows.row_of_cell.data(), rows.row_of_cell.bytes());
  return rows;
}

// Where the entries of each row begin, and behind the last one all of them.
template <int Dim, class Space>
linalg::Buffer<int, Space> row_offsets(const Unknowns<Dim>& unknowns) {
  linalg::Buffer<int, Space> row_offsets(static_cast<std::size_t>(unknowns.rows) + 1);
  int* const offsets = row_offsets.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    int count = 0;
    for_each_entry_in_column_order(unknowns, c, [&](int, const Index<Dim>&) { ++count; });
    offsets[unknowns.row(c)] = count;
  });
  Space::exclusive_scan(unknowns.rows + 1, offsets, offsets);
  return row_offsets;
}

// column(point) of each entry.
template <class Number, int Dim, class Space, class Column>
linalg::Buffer<Number, Space> entry_columns(const Unknowns<Dim>& unknowns,
                                            const linalg::Buffer<int, Space>& row_offsets,
                                            Column column) {
  linalg::Buffer<Number, Space> columns(static_cast<std::size_t>(last_of(row_offsets)));
  const int* const offsets = row_offsets.data();
  Number* const column_of = columns.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    int position = offsets[unknowns.row(c)];
    for_each_entry_in_column_order(unknowns, c, [&](int, const Index<Dim>& point) {
      column_of[position] = column(point);
      ++position;
    });
  });
  return columns;
}

template <int Dim>
struct OwnRows {
  Unknowns<Dim> own;
  HODGE_HD int operator()(const Index<Dim>& c) const { return own.row(c); }
};

// Of rows that processes share.
template <int Dim, class Space>
std::shared_ptr<linalg::CsrPattern<Space>> shared_pattern(
    const Unknowns<Dim>& unknowns, const linalg::Buffer<int, Space>& row_offsets) {
  const SharedUnknowns<Dim>& shared = *unknowns.among_processes;
  const std::vector<int> offsets = row_offsets.to_host();
  const std::vector<std::int64_t> columns =
      entry_columns<std::int64_t>(unknowns, row_offsets, WholeRows<Dim>(unknowns)).to_host();
  const auto sharing = std::make_shared<const linalg::RowSharing>(
      *shared.processes, shared.blocks, std::span<const int>(offsets),
      std::span<const std::int64_t>(columns));
  const std::vector<int> numbered = sharing->numbered(columns);
  return std::make_shared<linalg::CsrPattern<Space>>(sharing, std::span<const int>(offsets),
                                                     std::span<const int>(numbered));
}

template <int Dim, class Space>
std::shared_ptr<const linalg::CsrPattern<Space>> build_pattern(const Unknowns<Dim>& unknowns) {
  linalg::Buffer<int, Space> offsets = row_offsets<Dim, Space>(unknowns);
  std::shared_ptr<linalg::CsrPattern<Space>> pattern;
  if (unknowns.among_processes != nullptr) {
    pattern = shared_pattern(unknowns, offsets);
  } else {
    auto columns = entry_columns<int>(unknowns, offsets, OwnRows<Dim>{unknowns});
    pattern = std::make_shared<linalg::CsrPattern<Space>>(unknowns.rows, unknowns.rows,
                                                          std::move(offsets), std::move(columns));
  }
  pattern->place_on(grid_rows<Dim, Space>(unknowns));
  return pattern;
}

// Where the entries of rows are written; values null: they are kept as they are.
struct RowEntries {
  const int* row_offsets = nullptr;
  double* values = nullptr;
  double* diagonal = nullptr;  // written a second time; null: nowhere
};

enum class MatrixValues { refresh, keep };

// write(entries) writes the rows, unless it is to keep the values of the matrix.
template <class Space, class Write>
void write_matrix(linalg::CsrMatrix<Space>& matrix, MatrixValues values, const Write& write) {
  const bool keeps = values == MatrixValues::keep;
  write(RowEntries{matrix.pattern().row_offsets().data(), keeps ? nullptr : matrix.values().data(),
                   keeps ? nullptr : matrix.diagonal_to_write()});
  if (!keeps) matrix.diagonal_is_written();
}

// One row of a stencil's matrix, by direction.
template <int Dim>
struct StencilRow {
  double coefficient[stencil_size<Dim>] = {};
};

// Writes the entries of the row of c one after the other; returns their number.
template <int Dim>
HODGE_HD int write_row(const Unknowns<Dim>& unknowns, const Index<Dim>& c,
                       const StencilRow<Dim>& row, double* entries) {
  if (unknowns.numbers == nullptr && unknowns.surrounded(c)) {
    unrolled<stencil_size<Dim>>(
        [&](auto k) { entries[k] = row.coefficient[direction_of_entry<Dim>(k)]; });
    return stencil_size<Dim>;
  }
  int count = 0;
  for_each_entry_in_column_order(unknowns, c, [&](int where, const Index<Dim>&) {
    entries[count] = row.coefficient[where];
    ++count;
  });
  return count;
}

// Where the entries of the row of c start in a matrix; -1 where c is no unknown.
template <int Dim>
struct RowStart {
  Unknowns<Dim> unknowns;
  const int* row_offsets;

  HODGE_HD int operator()(const Index<Dim>& c) const {
    return unknowns.contains(c) ? row_offsets[unknowns.row(c)] : -1;
  }
};

// The rows that write(c, entries) writes, returning how many entries there are; or what write does
// beside that alone.
template <int Dim, class Space, class F>
void fill_rows(const Unknowns<Dim>& unknowns, const RowEntries& rows, F write) {
  const RowStart<Dim> start{unknowns, rows.row_offsets};
  linalg::fill_runs<Space, stencil_size<Dim>>(unknowns.box, rows.values, start, write);
}

}  // namespace hodge::sim
