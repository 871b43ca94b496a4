// The unknowns of a box whose layers processes share (processes/decomposition.hpp), and the sums
// over vectors of unknowns.
//
// The rows of the whole system are numbered as on one process, so each process must hold
// consecutive ones: those of whole layers across the last axis.
//
// Where solids leave gaps, a process knows how many rows each layer of the last axis has, and the
// numbers of its own rows and of those beside its cuts: nothing grows with the cells of the box.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/direct/shared_box.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/row_blocks.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/processes/part_of_box.hpp"

namespace hodge::sim {

// Of the last axis.
template <int Dim>
std::ptrdiff_t points_of_layer(const Unknowns<Dim>& unknowns) {
  std::ptrdiff_t points = 1;
  for (int d = 0; d + 1 < Dim; ++d) points *= unknowns.box.extent(d);
  return points;
}

// Sums over rows begin anew with so many layers of the last axis (linalg::RowLines). On a GPU
// processes cut this axis at multiples of them.
template <class Space>
inline constexpr int layers_of_line = cut_unit(!std::is_same_v<Space, linalg::Host>);

// Unknowns whose numbers the host can read. A copy of them where they are in the memory of a GPU.
template <int Dim, class Space>
class UnknownsOnHost {
 public:
  explicit UnknownsOnHost(const Unknowns<Dim>& unknowns) : view_(unknowns) {
    if (std::is_same_v<Space, linalg::Host> || unknowns.numbers == nullptr) return;
    numbers_.resize(static_cast<std::size_t>(unknowns.numbered.size()));
    Space::download(unknowns.numbers, numbers_.data(), sizeof(int) * numbers_.size());
    view_.numbers = numbers_.data();
  }
  UnknownsOnHost(const UnknownsOnHost&) = delete;
  UnknownsOnHost& operator=(const UnknownsOnHost&) = delete;

  const Unknowns<Dim>& view() const { return view_; }

 private:
  Unknowns<Dim> view_;
  std::vector<int> numbers_;
};

// Of the first own point; those of whole layers follow one another.
template <int Dim>
const int* numbers_of_own(const Unknowns<Dim>& own) {
  return own.numbers + own.numbered.position(own.box.lower);
}

// The unknowns in each layer of the last axis.
template <int Dim>
std::vector<std::int64_t> rows_of_layers(const Unknowns<Dim>& own) {
  const auto points = points_of_layer(own);
  if (own.numbers == nullptr)
    return std::vector<std::int64_t>(static_cast<std::size_t>(own.box.extent(Dim - 1)), points);
  std::vector<std::int64_t> counts;
  const int* const first = numbers_of_own(own);
  for (const int *layer = first, *end = first + own.box.size(); layer != end; layer += points)
    counts.push_back(points - std::count(layer, layer + points, -1));
  return counts;
}

// Lines of several layers each, but for those at the ends: they begin where the number of a layer,
// the first of which is `first_layer`, is a multiple of `layers`. counts: the rows of each layer.
inline linalg::RowLines lines_of(const std::vector<std::int64_t>& counts, int first_layer,
                                 int layers) {
  std::vector<std::int64_t> first{0};
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i > 0 && (first_layer + static_cast<int>(i)) % layers == 0) first.push_back(rows);
    rows += counts[i];
  }
  first.push_back(rows);
  return linalg::RowLines(std::move(first));
}

// SharedUnknowns::first. Without solids the numbers beside the own layers go on from theirs; where
// solids leave gaps, those of each layer begin at 0. Beyond the ends of a periodic axis are the
// last and the first layer.
template <int Dim>
std::array<std::int64_t, 3> first_rows(const Unknowns<Dim>& own, const linalg::RowBlocks& blocks,
                                       int rank) {
  const std::int64_t begin = blocks.first(rank), end = blocks.first(rank + 1), all = blocks.rows();
  std::array<std::int64_t, 3> first{begin, begin, begin};
  if (own.numbers != nullptr) {
    const auto points = points_of_layer(own);
    const int* const layer = numbers_of_own(own);
    first[0] -= points - std::count(layer - points, layer, -1);
    first[2] = end;
  }
  if (own.goes_round[Dim - 1][0]) first[0] += all;
  if (own.goes_round[Dim - 1][1]) first[2] -= all;
  return first;
}

// Of a location, of the layers `part` of a box with the sides `of_box`. The host can read the
// numbers of `own`, the unknowns in these layers. Collective.
template <int Dim, class Space>
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
  const auto shared = [&](const linalg::RowBlocks& blocks) {
    return std::make_unique<SharedUnknowns<Dim>>(
        SharedUnknowns<Dim>{&processes, whole, blocks, first_rows(own, blocks, processes.rank())});
  };
  if (own.numbers == nullptr && layers_of_line<Space> == 1)
    return shared(linalg::RowBlocks(std::move(first), whole.box.extent(0)));
  const std::vector<std::int64_t> counts = rows_of_layers(own);
  return shared(linalg::RowBlocks(
      std::move(first), std::make_shared<const linalg::RowLines>(lines_of(
                            linalg::gather_lists(processes, std::span<const std::int64_t>(counts)),
                            whole.box.lower[Dim - 1], layers_of_line<Space>))));
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
  const std::int64_t behind = among->blocks.first(among->processes->rank() + 1);
  std::erase_if(rows, [&](int row) { return row < first || row >= behind; });
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
