// The CSR pattern of a stencil on the unknowns of a field, built in the space: count the entries of
// each row, scan the counts to row offsets, write the columns (ascending in each row).
#pragma once

#include <memory>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/assembly/shared_entries.hpp"
#include "sim/discrete/grid/sampling.hpp"

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

// Of rows that processes share: listed on the host.
template <int Dim, class Space>
std::shared_ptr<const linalg::CsrPattern<Space>> build_shared_pattern(
    const Unknowns<Dim>& unknowns) {
  const SharedUnknowns<Dim>& shared = *unknowns.among_processes;
  const SharedEntries entries = shared_entries(UnknownsOnHost<Dim, Space>(unknowns).view());
  const auto sharing = std::make_shared<const linalg::RowSharing>(
      *shared.processes, shared.blocks, std::span<const int>(entries.row_offsets),
      std::span<const std::int64_t>(entries.columns));
  const std::vector<int> numbered = sharing->numbered(entries.columns);
  auto pattern = std::make_shared<linalg::CsrPattern<Space>>(
      sharing, std::span<const int>(entries.row_offsets), std::span<const int>(numbered));
  pattern->place_on(grid_rows<Dim, Space>(unknowns));
  return pattern;
}

template <int Dim, class Space>
std::shared_ptr<const linalg::CsrPattern<Space>> build_pattern(const Unknowns<Dim>& unknowns) {
  if (unknowns.moved != nullptr) return build_pattern<Dim, Space>(unknowns.moved->of_system);
  if (unknowns.among_processes != nullptr) return build_shared_pattern<Dim, Space>(unknowns);
  const int rows = unknowns.rows;
  linalg::Buffer<int, Space> row_offsets(static_cast<std::size_t>(rows) + 1);
  int* const offsets = row_offsets.data();

  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    int count = 0;
    for_each_entry_in_column_order(unknowns, c, [&](int, const Index<Dim>&) { ++count; });
    offsets[unknowns.row(c)] = count;
  });
  Space::exclusive_scan(rows + 1, offsets, offsets);
  linalg::Buffer<int, Space> columns(static_cast<std::size_t>(last_of(row_offsets)));
  int* const column_of = columns.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    int position = offsets[unknowns.row(c)];
    for_each_entry_in_column_order(unknowns, c, [&](int, const Index<Dim>& point) {
      column_of[position] = unknowns.row(point);
      ++position;
    });
  });
  auto pattern = std::make_shared<linalg::CsrPattern<Space>>(rows, rows, std::move(row_offsets),
                                                             std::move(columns));
  pattern->place_on(grid_rows<Dim, Space>(unknowns));
  return pattern;
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
