#include "sim/discrete/assembly/shared_entries.hpp"

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {

template <int Dim>
SharedEntries shared_entries(const Unknowns<Dim>& own) {
  SharedEntries entries{{0}, {}};
  for_each_on_host(own.box, [&](const Index<Dim>& c) {
    if (!own.contains(c)) return;
    for_each_entry_in_column_order(own, c, [&](int, const Index<Dim>& point) {
      entries.columns.push_back(own.among_processes->row(own, point));
    });
    entries.row_offsets.push_back(static_cast<int>(entries.columns.size()));
  });
  return entries;
}

template <int Dim>
std::vector<int> row_offsets_of(const Unknowns<Dim>& own) {
  std::vector<int> offsets{0};
  for_each_on_host(own.box, [&](const Index<Dim>& c) {
    if (!own.contains(c)) return;
    offsets.push_back(offsets.back());
    for_each_entry_in_column_order(own, c, [&](int, const Index<Dim>&) { ++offsets.back(); });
  });
  return offsets;
}

template SharedEntries shared_entries(const Unknowns<2>&);
template std::vector<int> row_offsets_of(const Unknowns<2>&);
template std::vector<int> row_offsets_of(const Unknowns<3>&);
template SharedEntries shared_entries(const Unknowns<3>&);

}  // namespace hodge::sim
