#include "sim/processes/shared_state.hpp"

#include <algorithm>

#include "linalg/processes/in_first.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::sim {
namespace {

using Range = RangedList::Range;

// The ranges of a list that several processes have, brought to process 0 or sent from it one after
// the other: process 0 needs memory for one of them beside its own.
class RangesOfOthers {
 public:
  // `own`: the values of this process, which are `range` of the list.
  RangesOfOthers(linalg::Communicator& processes, std::span<double> own, const Range& range,
                 bool restores)
      : processes_(processes), own_(own), restores_(restores) {
    const std::vector<Range> all = linalg::gather_one(processes, range);
    for (std::size_t p = 0; p < all.size(); ++p)
      if (all[p].count > 0) parts_.push_back({static_cast<int>(p), all[p]});
  }

  // In process 0: as ranges for the file, which takes them in their order.
  RangedList list(std::size_t total) {
    RangedList list{.total = total,
                    .values = [this](std::size_t part) { return values(part); },
                    .filled = [this](std::size_t part) { filled(part); }};
    for (const Part& part : parts_) list.ranges.push_back(part.range);
    return list;
  }
  // In process 0, where the file has failed: the others still wait with the rest.
  void finish() {
    for (std::size_t part = done_; part < parts_.size(); ++part)
      if (restores_)
        filled(part);
      else
        (void)values(part);
  }
  // In the others.
  void meet_first() {
    if (own_.empty()) return;
    if (restores_)
      receive(0, own_);
    else
      send(0, own_);
  }

 private:
  struct Part {
    int process;
    Range range;
  };

  std::span<double> values(std::size_t part) {
    const std::span<double> room = room_of(part);
    if (restores_) return room;
    done_ = part + 1;
    if (parts_[part].process != processes_.rank()) receive(parts_[part].process, room);
    return room;
  }
  void filled(std::size_t part) {
    done_ = part + 1;
    if (parts_[part].process != processes_.rank()) send(parts_[part].process, room_of(part));
  }
  std::span<double> room_of(std::size_t part) {
    if (parts_[part].process == processes_.rank()) return own_;
    other_.resize(parts_[part].range.count);
    return other_;
  }
  void send(int to, std::span<double> values) {
    const linalg::OutgoingMessage message{to, std::as_bytes(values)};
    processes_.start_exchange({&message, 1}, {});
    processes_.finish_exchange();
  }
  void receive(int from, std::span<double> values) {
    const linalg::IncomingMessage message{from, std::as_writable_bytes(values)};
    processes_.start_exchange({}, {&message, 1});
    processes_.finish_exchange();
  }

  linalg::Communicator& processes_;
  std::span<double> own_;
  bool restores_;
  std::vector<Part> parts_;    // without the processes that have no values
  std::vector<double> other_;  // of the process whose turn it is
  std::size_t done_ = 0;       // parts that were brought or sent
};

template <class T>
void broadcast_values(linalg::Communicator& processes, std::span<T> values) {
  if (!values.empty()) processes.broadcast(std::as_writable_bytes(values), 0);
}

template <class List>
void broadcast_resized(linalg::Communicator& processes, List& list) {
  list.resize(linalg::value_of_first(processes, list.size()));
  broadcast_values(processes, std::span(list));
}

}  // namespace

SharedState::SharedState(linalg::Communicator& processes, StateVisitor& file)
    : processes_(processes), file_(&file), restores_(file.restores()) {}

SharedState::SharedState(linalg::Communicator& processes, bool restores)
    : processes_(processes), file_(nullptr), restores_(restores) {}

void SharedState::in_first(const std::function<void()>& action) {
  if (!linalg::done_by_first(processes_, action)) throw StateRefused();
}

void SharedState::visit_part(const std::string& name, StatePart part) {
  in_first([&] { file_->visit_part(name, part); });
  if (restores_) broadcast(part);
}

void SharedState::broadcast(StatePart part) {
  const auto visit = [this]<class Part>(Part where) {
    using Value = std::remove_pointer_t<Part>;
    if constexpr (std::is_same_v<Part, std::span<double>>)
      broadcast_values(processes_, where);
    else if constexpr (std::is_arithmetic_v<Value>)
      broadcast_values(processes_, std::span(where, 1));
    else
      broadcast_resized(processes_, *where);
  };
  std::visit(visit, part);
}

void SharedState::visit_shared(const std::string& name, std::span<double> values, Range range,
                               std::size_t total) {
  RangesOfOthers ranges(processes_, values, range, restores_);
  if (!is_first()) ranges.meet_first();
  in_first([&] {
    try {
      file_->visit_ranges(name, ranges.list(total));
    } catch (...) {
      ranges.finish();
      throw;
    }
  });
}

void SharedState::visit_piece(const std::string& name, std::span<double> values,
                              const StatePiece& piece) {
  const std::vector<std::size_t> totals = linalg::gather_one(processes_, piece.total);
  const std::size_t total = *std::ranges::max_element(totals);
  if (restores_) return visit_shared(name, values, {piece.first, values.size()}, total);
  visit_shared(name, values.subspan(piece.own_first, piece.own_count),
               {piece.first + piece.own_first, piece.own_count}, total);
}

void SharedState::visit_rows(const std::string& name, std::vector<double>& values) {
  const std::vector<std::size_t> counts = linalg::gather_one(processes_, values.size());
  std::size_t first = 0, total = 0;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (static_cast<int>(p) < processes_.rank()) first += counts[p];
    total += counts[p];
  }
  if (!restores_ || total > 0) return visit_shared(name, values, {first, values.size()}, total);
  in_first([&] { file_->visit_rows(name, values); });  // nobody knows its share yet
}

std::string SharedState::subject(const std::string& name) const {
  return file_ != nullptr ? file_->subject(name) : name;
}

}  // namespace hodge::sim
