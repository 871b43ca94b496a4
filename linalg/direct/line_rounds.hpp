// The merges of line_tree.hpp that need the layers of several processes: in each round a process
// gets the ends of its neighbours' nodes, for its part of the lines (line_parts.hpp), and joins
// them; then the values at these ends go back by the same ways. Nothing is packed: rows of ends are
// sent from where they are, and what a process keeps stays there.
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
    LinePart part;  // of this process, after it
    Buffer<T, Space> received;
    Buffer<T*, Space> rows;
    Buffer<LineMerge, Space> merges;
    Buffer<int, Space> task;
    std::vector<OutgoingMessage> sent, sent_back;
    std::vector<IncomingMessage> awaited, awaited_back;
  };
  // rows: of the ends of own nodes before the round, of all its ends afterwards.
  void set_up(int number, const LineTree::Round& of, RowsOfEnds& rows);
  void add_messages(int process, const LinePart& lines, int from, const std::vector<int>& ends,
                    const RowsOfEnds& rows, std::vector<OutgoingMessage>& sent,
                    std::vector<IncomingMessage>& awaited) const;
  void exchange(const Round& round, bool back);
  void run(const LineView& view, const Round& round, MergePass pass);
  LinePart part(int round, int process) const {
    return part_of_lines(systems_, round, process, processes_->size());
  }

  Communicator* processes_;
  int rank_, systems_, sides_;
  std::vector<Round> rounds_;
};

}  // namespace hodge::linalg
