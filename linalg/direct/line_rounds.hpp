// The merges of line_tree.hpp that need the layers of several processes: in each round a process
// gets the ends of its neighbours' nodes, for its part of the lines (line_parts.hpp), and joins
// them; then the values at these ends go back by the same ways. Nothing is packed: rows of ends are
// sent from where they are, and what belongs to a process already stays there.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "linalg/direct/line_passes.hpp"
#include "linalg/direct/line_tree.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T>
class LineRounds {
 public:
  // Of so many systems, `sides` lines each. own: for each of tree.own_ends() the first of its
  // rows, one for each side.
  LineRounds(Communicator& processes, const LineTree& tree, int systems, int sides,
             const std::vector<T*>& own);

  // The values at the own ends become the solution. Collective.
  void solve(const LineView& view);

 private:
  // The rows of an end: those of its sides have this distance.
  struct Rows {
    T* first;
    std::size_t distance;
  };
  using RowsOfEnds = std::map<int, Rows>;  // by the end's number among those of all blocks

  struct Round {
    LinePart part;
    Buffer<T, Space> received;
    Buffer<T*, Space> rows;
    Buffer<LineMerge, Space> merges;
    Buffer<int, Space> task;
    std::vector<std::span<T>> kept, place_of_kept;  // of this process, to be copied
    std::vector<OutgoingMessage> sent, sent_back;
    std::vector<IncomingMessage> awaited, awaited_back;
  };
  void set_up(std::size_t number, const LineTree& tree, RowsOfEnds& rows);
  RowsOfEnds set_up_receiving(std::size_t number, const LineTree::Round& of,
                              const RowsOfEnds& before);
  void exchange(const Round& round, bool back);
  void run(const LineView& view, const Round& round, MergePass pass);
  // The rows of an end, as far as they are in a part.
  template <class F>
  void for_each_row(const Rows& rows, const LinePart& has, const LinePart& part, F f) const;

  Communicator* processes_;
  int rank_, sides_;
  std::vector<std::vector<LinePart>> parts_;
  std::vector<Round> rounds_;
};

}  // namespace hodge::linalg
