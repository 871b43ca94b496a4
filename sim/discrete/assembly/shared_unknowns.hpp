// The unknowns of a box whose cells processes share (processes/part_of_box.hpp): which rows of the
// whole system those of this process and its neighbours are. On the host.
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
struct SharedUnknowns {
  linalg::Communicator* processes;
  Unknowns<Dim> whole;       // of the box that the processes share
  Index<Dim> before;         // its cells below those of this process
  linalg::RowBlocks blocks;  // of the rows of all processes

  // In the whole system, of a point of this process's box or beside it; periodic axes go round.
  std::int64_t row(const Index<Dim>& c) const {
    std::int64_t row = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      const int n = whole.box.extent(d), i = c[d] + before[d] - whole.box.lower[d];
      row = row * n + (i < 0 ? i + n : i >= n ? i - n : i);
    }
    return row;
  }
};

// Of a location, of the part `own` of a box with the sides `of_box`. Collective. Errors:
// ConfigError for a box that is not cut along its last axis alone.
template <int Dim>
std::unique_ptr<SharedUnknowns<Dim>> share_unknowns(int location, const Layout<Dim>& part,
                                                    const SideKinds<Dim>& of_box,
                                                    const Unknowns<Dim>& own) {
  for (int d = 0; d + 1 < Dim; ++d)
    if (part.before[d] != 0 || part.behind[d] != 0)
      throw ConfigError(std::string("a box cut along axis ") + axis_names[d] +
                        ": systems of equations are shared along the last axis alone");
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
