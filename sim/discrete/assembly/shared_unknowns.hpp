// The unknowns of a box whose cells processes share (processes/part_of_box.hpp), and the sums over
// vectors of unknowns.
//
// The rows of the whole system are numbered as on one process, so each process must hold
// consecutive ones: the box is cut along its last axis alone, and it has no solids.
#pragma once

#include <memory>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

template <int Dim>
bool is_cut_along_last_axis_alone(const Layout<Dim>& part) {
  bool alone = part.halo != nullptr;
  for (int d = 0; d + 1 < Dim; ++d) alone = alone && part.before[d] == 0 && part.behind[d] == 0;
  return alone;
}

// ConfigError where systems of equations on this part cannot be shared yet.
template <int Dim>
void check_shared(const Layout<Dim>& part) {
  if (part.halo != nullptr && !is_cut_along_last_axis_alone(part))
    throw ConfigError("systems of equations in a box that is cut along other axes than the last");
}

// Of a location, of the part `own` of a box with the sides `of_box`, which is cut along its last
// axis alone. Collective.
template <int Dim>
std::unique_ptr<SharedUnknowns<Dim>> share_unknowns(int location, const Layout<Dim>& part,
                                                    const SideKinds<Dim>& of_box,
                                                    const Unknowns<Dim>& own) {
  Layout<Dim> box{};
  for (int d = 0; d < Dim; ++d) box.cells[d] = part.whole(d);
  const Unknowns<Dim> whole = unknowns_at(location, box, of_box);
  linalg::Communicator& processes = part.halo->processes();
  std::vector<std::int64_t> first{0};
  for (const int rows : linalg::gather_one(processes, own.rows))
    first.push_back(first.back() + rows);
  return std::make_unique<SharedUnknowns<Dim>>(SharedUnknowns<Dim>{
      &processes, whole, part.before, linalg::RowBlocks(std::move(first), whole.box.extent(0))});
}

// Of all processes.
template <int Dim>
std::int64_t total_rows(const Unknowns<Dim>& unknowns) {
  return unknowns.among_processes != nullptr ? unknowns.among_processes->blocks.rows()
                                             : unknowns.rows;
}

// How sums over vectors of these unknowns are made. Lines are those of the grid also on one
// process, so that the bits are the same.
template <int Dim>
linalg::SharedRows shared_rows(const Unknowns<Dim>& unknowns) {
  if (const SharedUnknowns<Dim>* const among = unknowns.among_processes)
    return among->blocks.shared_rows(*among->processes);
  return {.line = unknowns.numbers == nullptr ? unknowns.box.extent(0) : 0};
}

}  // namespace hodge::sim
