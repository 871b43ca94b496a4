#include "sim/processes/shared_state.hpp"

#include <algorithm>

#include "linalg/processes/in_first.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::sim {
namespace {

// Where the values of a process begin in a list, and how many they are.
struct Run {
  std::size_t first, count;
};

std::span<double> run_of(std::vector<double>& list, const Run& run) {
  return std::span(list).subspan(run.first, run.count);
}

// The runs of all processes, by rank, in a list of process 0 beside their `own` values.
class Runs {
 public:
  Runs(linalg::Communicator& processes, const Run& own)
      : processes_(processes), runs_(linalg::gather_one(processes, own)) {}

  const std::vector<Run>& all() const { return runs_; }

  void bring(std::span<double> own, std::vector<double>& whole) {
    std::vector<linalg::OutgoingMessage> outgoing;
    std::vector<linalg::IncomingMessage> incoming;
    if (processes_.rank() > 0) {
      if (!own.empty()) outgoing.push_back({0, std::as_bytes(own)});
    } else {
      std::ranges::copy(own, run_of(whole, runs_[0]).begin());
      for_others([&](int p, const Run& run) {
        incoming.push_back({p, std::as_writable_bytes(run_of(whole, run))});
      });
    }
    exchange(outgoing, incoming);
  }

  void send(std::vector<double>& whole, std::span<double> own) {
    std::vector<linalg::OutgoingMessage> outgoing;
    std::vector<linalg::IncomingMessage> incoming;
    if (processes_.rank() > 0) {
      if (!own.empty()) incoming.push_back({0, std::as_writable_bytes(own)});
    } else {
      std::ranges::copy(run_of(whole, runs_[0]), own.begin());
      for_others([&](int p, const Run& run) {
        outgoing.push_back({p, std::as_bytes(run_of(whole, run))});
      });
    }
    exchange(outgoing, incoming);
  }

 private:
  template <class Visit>
  void for_others(Visit visit) const {
    for (int p = 1; p < processes_.size(); ++p) {
      const Run& run = runs_[static_cast<std::size_t>(p)];
      if (run.count > 0) visit(p, run);
    }
  }

  void exchange(std::span<const linalg::OutgoingMessage> outgoing,
                std::span<const linalg::IncomingMessage> incoming) {
    processes_.start_exchange(outgoing, incoming);
    processes_.finish_exchange();
  }

  linalg::Communicator& processes_;
  std::vector<Run> runs_;
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

void SharedState::visit_piece(const std::string& name, std::span<double> values,
                              const StatePiece& piece) {
  std::vector<double> whole;
  const std::vector<std::size_t> totals = linalg::gather_one(processes_, piece.total);
  if (is_first()) whole.resize(*std::ranges::max_element(totals));
  if (restores_) {
    in_first([&] { file_->visit_fixed(name, whole); });
    Runs(processes_, {piece.first, values.size()}).send(whole, values);
    return;
  }
  Runs(processes_, {piece.first + piece.own_first, piece.own_count})
      .bring(values.subspan(piece.own_first, piece.own_count), whole);
  in_first([&] { file_->visit_fixed(name, whole); });
}

void SharedState::visit_rows(const std::string& name, std::vector<double>& values) {
  const std::vector<std::size_t> counts = linalg::gather_one(processes_, values.size());
  std::size_t first = 0, total = 0;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (static_cast<int>(p) < processes_.rank()) first += counts[p];
    total += counts[p];
  }
  std::vector<double> whole(is_first() ? total : 0);
  Runs runs(processes_, {first, values.size()});
  if (!restores_) runs.bring(values, whole);
  in_first([&] { file_->visit_rows(name, whole); });
  if (!restores_) return;
  if (total > 0) return runs.send(whole, values);
  values = std::move(whole);  // nobody knows its share yet: process 0 has all of them
}

std::string SharedState::subject(const std::string& name) const {
  return file_ != nullptr ? file_->subject(name) : name;
}

}  // namespace hodge::sim
