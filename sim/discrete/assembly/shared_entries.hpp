// The entries of the rows that a process has of a system that several share, by their columns in
// the whole system. In a file of its own, because nvcc does not compile code of the host alone in
// functions that are for GPUs, too.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/assembly/shared_unknowns.hpp"

namespace hodge::sim {

struct SharedEntries {
  std::vector<int> row_offsets;  // rows + 1
  std::vector<std::int64_t> columns;
};

// Of unknowns whose numbers the host can read.
template <int Dim>
SharedEntries shared_entries(const Unknowns<Dim>& own);

// Where the entries of each row begin, and behind the last one all of them.
template <int Dim>
std::vector<int> row_offsets_of(const Unknowns<Dim>& own);

}  // namespace hodge::sim
