// The chunks of a box that processes share.
//
// The cells of a chunk have their substeps in common, so the chunks are those of the whole box,
// whoever has their cells. The processes of a chunk tell each other what their cells found (how
// many have converged, the largest error); then all of them decide alike, as one process does.
// Only they do: chunks of other processes are integrated at the same time.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"
#include "sim/discrete/reactions/chunks.hpp"

namespace hodge::sim {

using ReactionResults = std::array<double, reaction_results>;

// The processes that have cells of a chunk, by rank; empty: this process alone.
struct ChunkGroup {
  linalg::Communicator* processes = nullptr;
  std::vector<int> members{};

  bool is_shared() const { return members.size() > 1; }

  // The sums (of whole numbers, which have no rounding) and maxima of all members.
  void combine(const std::array<linalg::Reduction, reaction_results>& kinds,
               ReactionResults& own) const {
    if (!is_shared()) return;
    std::vector<ReactionResults> theirs(members.size());
    std::vector<linalg::OutgoingMessage> outgoing;
    std::vector<linalg::IncomingMessage> incoming;
    const ReactionResults mine = own;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i] == processes->rank()) continue;
      outgoing.push_back({members[i], std::as_bytes(std::span(mine))});
      incoming.push_back({members[i], std::as_writable_bytes(std::span(theirs[i]))});
    }
    processes->start_exchange(outgoing, incoming);
    processes->finish_exchange();
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t k = 0; members[i] != processes->rank() && k < own.size(); ++k)
        own[k] = kinds[k] == linalg::Reduction::sum ? own[k] + theirs[i][k]
                                                    : std::max(own[k], theirs[i][k]);
  }
};

// The part of a chunk that one process has. Boxes are in the indices of its layout.
template <int Dim>
struct ChunkShare {
  int number = 0;  // among the chunks of the whole box
  Box<Dim> whole{}, own{};
  ChunkGroup group{};
};

template <int Dim>
Box<Dim> moved_down(Box<Dim> box, const Index<Dim>& by) {
  for (int d = 0; d < Dim; ++d) {
    box.lower[d] -= by[d];
    box.upper[d] -= by[d];
  }
  return box;
}

// In which order a process integrates its chunks. Of chunks along a line of processes, each has
// processes in common with the next one at most, so those with even numbers do not wait for each
// other, nor do those with odd numbers. All processes have one order, so none waits without end.
// Chunks of one process alone come last.
template <int Dim>
void sort_for_little_waiting(std::vector<ChunkShare<Dim>>& chunks) {
  const auto turn = [](const ChunkShare<Dim>& chunk) {
    return std::pair(chunk.group.is_shared() ? chunk.number % 2 : 2, chunk.number);
  };
  std::ranges::sort(chunks, {}, turn);
}

// The chunks with cells of this layout, of at most `most` cells. Collective where it has a halo.
template <int Dim>
std::vector<ChunkShare<Dim>> chunk_shares(const Layout<Dim>& layout, int most) {
  std::vector<Box<Dim>> chunks;
  split_box(layout.whole_box(), most, chunks);
  const Box<Dim> own{layout.before, layout.in_whole(layout.cells)};
  linalg::Communicator* const processes = layout.halo ? &layout.halo->processes() : nullptr;
  std::vector<Box<Dim>> parts;
  if (processes != nullptr) parts = linalg::gather_one(*processes, own);
  std::vector<ChunkShare<Dim>> shares;
  for (std::size_t number = 0; number < chunks.size(); ++number) {
    const Box<Dim> here = common_points(chunks[number], own);
    if (here.size() == 0) continue;
    ChunkShare<Dim>& share = shares.emplace_back();
    share.number = static_cast<int>(number);
    share.whole = moved_down(chunks[number], layout.before);
    share.own = moved_down(here, layout.before);
    share.group.processes = processes;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (common_points(chunks[number], parts[p]).size() > 0)
        share.group.members.push_back(static_cast<int>(p));
  }
  sort_for_little_waiting(shares);
  return shares;
}

}  // namespace hodge::sim
