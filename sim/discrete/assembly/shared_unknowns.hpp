// The unknowns of a box whose cells processes share (processes/part_of_box.hpp), and the sums over
// vectors of unknowns.
//
// The rows of the whole system are numbered as on one process, so each process must hold
// consecutive ones: the box is cut along its last axis alone.
//
// Where solids leave gaps, a process knows how many rows each layer of the last axis has, and the
// numbers of its own rows and of those beside its cuts: nothing grows with the cells of the box.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/direct/shared_box.hpp"
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

// Of the last axis.
template <int Dim>
std::ptrdiff_t points_of_layer(const Unknowns<Dim>& unknowns) {
  return static_cast<std::ptrdiff_t>(unknowns.box.size()) /
         std::max(1, unknowns.box.extent(Dim - 1));
}

// The unknowns in each layer of the last axis, of those that are numbered.
template <int Dim>
std::vector<std::int64_t> rows_of_layers(const Unknowns<Dim>& own) {
  std::vector<std::int64_t> counts;
  const auto points = points_of_layer(own);
  for (const int *layer = own.numbers, *end = layer + own.box.size(); layer != end; layer += points)
    counts.push_back(points - std::count(layer, layer + points, -1));
  return counts;
}

// Lines with so many rows each.
inline linalg::RowLines lines_of(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> first{0};
  for (const std::int64_t count : counts) first.push_back(first.back() + count);
  return linalg::RowLines(std::move(first));
}

// The first rows of the layers beside the cuts of a process: those in front of its own rows and
// behind them, at the ends of a periodic axis the last and the first ones.
template <int Dim>
std::array<std::int64_t, 2> rows_beyond(const Unknowns<Dim>& own, const linalg::RowBlocks& blocks,
                                        int rank) {
  const std::int64_t begin = blocks.first(rank), end = blocks.first(rank + 1);
  const auto points = points_of_layer(own);
  const std::int64_t in_layer_below = points - std::count(own.numbers - points, own.numbers, -1);
  return {(own.goes_round[Dim - 1][0] ? blocks.rows() : begin) - in_layer_below,
          own.goes_round[Dim - 1][1] ? 0 : end};
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
  if (own.numbers == nullptr)
    return std::make_unique<SharedUnknowns<Dim>>(SharedUnknowns<Dim>{
        &processes, whole, part.before, linalg::RowBlocks(std::move(first), whole.box.extent(0))});
  const std::vector<std::int64_t> counts = rows_of_layers(own);
  const linalg::RowBlocks blocks(
      std::move(first), std::make_shared<const linalg::RowLines>(lines_of(linalg::gather_lists(
                            processes, std::span<const std::int64_t>(counts)))));
  return std::make_unique<SharedUnknowns<Dim>>(SharedUnknowns<Dim>{
      &processes, whole, part.before, blocks, rows_beyond(own, blocks, processes.rank())});
}

// Of all processes.
template <int Dim>
std::int64_t total_rows(const Unknowns<Dim>& unknowns) {
  return unknowns.among_processes != nullptr ? unknowns.among_processes->blocks.rows()
                                             : unknowns.rows;
}

// Those of some rows of the whole system that are this process's, as it numbers them.
template <int Dim>
std::vector<int> own_rows(const Unknowns<Dim>& unknowns, std::vector<int> rows) {
  const SharedUnknowns<Dim>* const among = unknowns.among_processes;
  if (among == nullptr) return rows;
  const std::int64_t first = among->blocks.first(among->processes->rank());
  std::erase_if(rows, [&](int row) { return row < first || row >= first + unknowns.rows; });
  for (int& row : rows) row -= static_cast<int>(first);
  return rows;
}

// Which unknowns each process has of a box that is solved by transforms.
template <int Dim>
linalg::SharedPoints shared_points(const Unknowns<Dim>& unknowns) {
  const SharedUnknowns<Dim>* const among = unknowns.among_processes;
  if (among == nullptr) return {};
  return linalg::points_of(*among->processes, among->blocks);
}

// How sums over vectors of these unknowns are made. Lines are those of the grid also on one
// process, so that the bits are the same.
template <int Dim>
linalg::SharedRows shared_rows(const Unknowns<Dim>& unknowns) {
  if (const SharedUnknowns<Dim>* const among = unknowns.among_processes)
    return among->blocks.shared_rows(*among->processes);
  return {.line = unknowns.numbers == nullptr ? unknowns.box.extent(0) : 0,
          .lines = unknowns.lines};
}

}  // namespace hodge::sim
