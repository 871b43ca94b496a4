// The pattern of a CSR matrix from entries in any order, and its values from theirs.
//
// The entries are sorted stably by column, then stably by row. Those at the same place become one,
// summed in double in the order given, so results repeat bit for bit. The order is found once; new
// values of the entries cost one pass.
#pragma once

#include <memory>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/row_offsets.hpp"

namespace hodge::linalg {

template <class Space>
struct EntryOrder {
  std::shared_ptr<const CsrPattern<Space>> pattern;
  Buffer<int, Space> order;   // the entries, sorted
  Buffer<int, Space> starts;  // where the entries of each place start; empty: one entry per place
};

// Allocates, and waits. Cost: two sorts of the entries and about 6 passes.
template <class Space>
EntryOrder<Space> order_entries(int rows, int cols, const Buffer<int, Space>& row_indices,
                                const Buffer<int, Space>& columns,
                                Compression how = Compression::row_changes);

// The values of the pattern's non-zeros from `values` of the entries.
template <class Space, class T>
void sum_entries(const EntryOrder<Space>& entries, const T* values, T* sums);

}  // namespace hodge::linalg
