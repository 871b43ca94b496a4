#include "linalg/direct/line_rounds.hpp"

#include "linalg/processes/message_count.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
LineRounds<Space, T>::LineRounds(Communicator& processes, const LineTree& tree, int systems,
                                 int sides, const std::vector<T*>& own)
    : processes_(&processes),
      rank_(processes.rank()),
      sides_(sides),
      parts_(parts_of_lines(systems, processes.size())) {
  const auto row = static_cast<std::size_t>(systems);
  RowsOfEnds rows;
  for (std::size_t i = 0; i < own.size(); ++i) rows[tree.own_ends()[i]] = {own[i], row};
  if (processes.size() == 1) parts_.push_back(parts_[0]);
  rounds_.resize(tree.rounds().size());
  for (std::size_t r = 0; r < rounds_.size(); ++r) set_up(r, tree, rows);
}

template <class Space, class T>
template <class F>
void LineRounds<Space, T>::for_each_row(const Rows& rows, const LinePart& has, const LinePart& part,
                                        F f) const {
  for (int side = 0; side < sides_; ++side)
    f(std::span(
        rows.first + static_cast<std::size_t>(side) * rows.distance + (part.first - has.first),
        static_cast<std::size_t>(part.size())));
}

// Round 0 of rounds_ follows on parts_[0].
template <class Space, class T>
void LineRounds<Space, T>::set_up(std::size_t number, const LineTree& tree, RowsOfEnds& rows) {
  Round& round = rounds_[number];
  const LineTree::Round& of = tree.rounds()[number];
  const auto rank = static_cast<std::size_t>(rank_);
  round.part = parts_[number + 1][rank];
  const RowsOfEnds before = std::move(rows);
  rows = set_up_receiving(number, of, before);
  const LinePart had = parts_[number][rank];
  const std::vector<ProcessGroup> groups =
      groups_joined(static_cast<int>(number) + 1, rank_, processes_->size());
  std::size_t own = 0;
  while (groups[own].end <= rank_) ++own;
  for (int q = groups.front().first; q < groups.back().end; ++q) {
    const LinePart part = common(had, parts_[number + 1][static_cast<std::size_t>(q)]);
    if (part.size() == 0 || (q == rank_ && had.has(round.part))) continue;
    for (const int end : of.ends[own])
      for_each_row(before.at(end), had, part, [&](std::span<T> row) {
        if (q == rank_) return round.kept.push_back(row);
        round.sent.push_back({q, std::as_bytes(row)});
        round.awaited_back.push_back({q, std::as_writable_bytes(row)});
      });
  }
  std::vector<T*> pointers;
  for (const std::vector<int>& ends : of.ends)
    for (const int end : ends)
      for_each_row(rows.at(end), round.part, round.part,
                   [&](std::span<T> row) { pointers.push_back(row.data()); });
  round.rows = Buffer<T*, Space>(std::span<T* const>(pointers));
  round.merges = Buffer<LineMerge, Space>(std::span<const LineMerge>(of.merges));
  const int task[] = {0, static_cast<int>(of.merges.size())};
  round.task = Buffer<int, Space>(std::span<const int>(task));
}

// Where the ends of a round are: the own ones where they were, if the new part is one of the old
// one.
template <class Space, class T>
auto LineRounds<Space, T>::set_up_receiving(std::size_t number, const LineTree::Round& of,
                                            const RowsOfEnds& before) -> RowsOfEnds {
  Round& round = rounds_[number];
  const LinePart had = parts_[number][static_cast<std::size_t>(rank_)];
  const std::vector<ProcessGroup> groups =
      groups_joined(static_cast<int>(number) + 1, rank_, processes_->size());
  const auto stays = [&](const ProcessGroup& group) {
    return group.first <= rank_ && rank_ < group.end && had.has(round.part);
  };
  const std::size_t row = static_cast<std::size_t>(round.part.size()),
                    of_end = static_cast<std::size_t>(sides_) * row;
  std::size_t ends = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) ends += stays(groups[g]) ? 0 : of.ends[g].size();
  round.received = Buffer<T, Space>(ends * of_end);
  RowsOfEnds rows;
  T* next = round.received.data();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (stays(groups[g])) {
      for (const int end : of.ends[g])
        rows[end] = {before.at(end).first + (round.part.first - had.first),
                     before.at(end).distance};
      continue;
    }
    for (const int end : of.ends[g]) {
      rows[end] = {next, row};
      next += of_end;
    }
    for (int q = groups[g].first; q < groups[g].end; ++q) {
      const LinePart part = common(parts_[number][static_cast<std::size_t>(q)], round.part);
      if (part.size() == 0) continue;
      for (const int end : of.ends[g])
        for_each_row(rows[end], round.part, part, [&](std::span<T> values) {
          if (q == rank_) return round.place_of_kept.push_back(values);
          round.awaited.push_back({q, std::as_writable_bytes(values)});
          round.sent_back.push_back({q, std::as_bytes(values)});
        });
    }
  }
  return rows;
}

template <class Space, class T>
void LineRounds<Space, T>::solve(const LineView& view) {
  const std::size_t last = rounds_.size() - 1;
  for (std::size_t r = 0; r < last; ++r) {
    exchange(rounds_[r], false);
    run(view, rounds_[r], MergePass::join);
  }
  exchange(rounds_[last], false);
  run(view, rounds_[last], MergePass::both);
  exchange(rounds_[last], true);
  for (std::size_t r = last; r-- > 0;) {
    run(view, rounds_[r], MergePass::separate);
    exchange(rounds_[r], true);
  }
}

template <class Space, class T>
void LineRounds<Space, T>::run(const LineView& view, const Round& round, MergePass pass) {
  if (round.merges.size() == 0) return;
  run_merges<Space>(
      view, round.merges.data(), round.task.data(), 1, pass,
      LineValues<T>{nullptr, round.rows.data(), sides_, round.part.first, round.part.size()});
}

template <class Space, class T>
void LineRounds<Space, T>::exchange(const Round& round, bool back) {
  if (processes_->size() == 1) return;
  const auto &from = back ? round.place_of_kept : round.kept,
             &to = back ? round.kept : round.place_of_kept;
  for (std::size_t i = 0; i < from.size(); ++i)
    Space::copy(from[i].data(), to[i].data(), from[i].size_bytes());
  const std::vector<OutgoingMessage>& outgoing = back ? round.sent_back : round.sent;
  const CountedMessages counted(MessageKind::all_to_all, outgoing);
  Space::start_exchange(*processes_, outgoing, back ? round.awaited_back : round.awaited);
  Space::finish_exchange(*processes_);
}

#define HODGE_LINE_ROUNDS(Space, T) template class LineRounds<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINE_ROUNDS)

}  // namespace hodge::linalg
