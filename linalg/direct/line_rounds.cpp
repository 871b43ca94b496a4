#include "linalg/direct/line_rounds.hpp"

#include <utility>

#include "linalg/processes/message_count.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
LineRounds<Space, T>::LineRounds(Communicator& processes, const LineTree& tree, int systems,
                                 int sides, const std::vector<T*>& own)
    : processes_(&processes),
      rank_(processes.rank()),
      systems_(systems),
      sides_(sides),
      rounds_(tree.rounds().size()) {
  RowsOfEnds rows;
  for (std::size_t i = 0; i < own.size(); ++i)
    rows[tree.own_ends()[i]] = {own[i], static_cast<std::size_t>(systems)};
  for (std::size_t r = 0; r < rounds_.size(); ++r)
    set_up(static_cast<int>(r) + 1, tree.rounds()[r], rows);
}

template <class Space, class T>
void LineRounds<Space, T>::set_up(int number, const LineTree::Round& of, RowsOfEnds& rows) {
  Round& round = rounds_[static_cast<std::size_t>(number) - 1];
  const LinePart had = part(number - 1, rank_);
  round.part = part(number, rank_);
  const std::vector<ProcessGroup> groups = groups_joined(number, rank_, processes_->size());
  std::size_t own = 0, received = 0;
  while (groups[own].end <= rank_) ++own;
  for (std::size_t g = 0; g < groups.size(); ++g) received += g == own ? 0 : of.ends[g].size();
  const auto row = static_cast<std::size_t>(round.part.size());
  round.received = Buffer<T, Space>(received * static_cast<std::size_t>(sides_) * row);
  T* next = round.received.data();
  const RowsOfEnds before = std::move(rows);
  rows.clear();
  std::vector<T*> pointers;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const int end : of.ends[g]) {
      Rows& at = rows[end];
      if (g == own) {
        at = before.at(end);
        at.first += round.part.first - had.first;
      } else {
        at = {next, row};
        next += static_cast<std::size_t>(sides_) * row;
      }
      for (int side = 0; side < sides_; ++side)
        pointers.push_back(at.first + static_cast<std::size_t>(side) * at.distance);
    }
    for (int q = groups[g].first; g != own && q < groups[g].end; ++q) {
      add_messages(q, common(had, part(number, q)), had.first, of.ends[own], before, round.sent,
                   round.awaited_back);
      add_messages(q, common(part(number - 1, q), round.part), round.part.first, of.ends[g], rows,
                   round.sent_back, round.awaited);
    }
  }
  round.rows = Buffer<T*, Space>(std::span<T* const>(pointers));
  round.merges = Buffer<LineMerge, Space>(std::span<const LineMerge>(of.merges));
  const int task[] = {0, static_cast<int>(of.merges.size())};
  round.task = Buffer<int, Space>(std::span<const int>(task));
}

// The rows of these ends, of lines `from` on, as far as they are `lines`.
template <class Space, class T>
void LineRounds<Space, T>::add_messages(int process, const LinePart& lines, int from,
                                        const std::vector<int>& ends, const RowsOfEnds& rows,
                                        std::vector<OutgoingMessage>& sent,
                                        std::vector<IncomingMessage>& awaited) const {
  if (lines.size() == 0) return;
  for (const int end : ends)
    for (int side = 0; side < sides_; ++side) {
      const Rows& at = rows.at(end);
      const std::span<T> values(
          at.first + static_cast<std::size_t>(side) * at.distance + (lines.first - from),
          static_cast<std::size_t>(lines.size()));
      sent.push_back({process, std::as_bytes(values)});
      awaited.push_back({process, std::as_writable_bytes(values)});
    }
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
  const std::vector<OutgoingMessage>& outgoing = back ? round.sent_back : round.sent;
  const CountedMessages counted(MessageKind::line_ends, outgoing);
  Space::start_exchange(*processes_, outgoing, back ? round.awaited_back : round.awaited);
  Space::finish_exchange(*processes_);
}

#define HODGE_LINE_ROUNDS(Space, T) template class LineRounds<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINE_ROUNDS)

}  // namespace hodge::linalg
