// Processes that run one after the other in one thread, as the GPU's queue needs it: each adds to
// what those before it have summed, so that the last one gets what all of them would get. For work
// whose sums and maxima do not depend on earlier ones.
//
//   ProcessesInTurn processes(3);
//   for (int rank = 0; rank < 3; ++rank) work(processes.of_rank(rank));
//
// Messages of an exchange arrive from the processes before; a second turn of all of them brings the
// others (next_turn()).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::tests {

class ProcessesInTurn {
 public:
  explicit ProcessesInTurn(int size) {
    for (int rank = 0; rank < size; ++rank)
      processes_.push_back(std::make_unique<Process>(known_, rank, size));
  }

  linalg::Communicator& of_rank(int rank) { return *processes_.at(static_cast<std::size_t>(rank)); }

  // From the first process on again; messages are kept.
  void next_turn() {
    known_.sums.clear();
    known_.maxima.clear();
    for (const auto& process : processes_) process->start_again();
  }

 private:
  template <class Value>
  using Lists = std::vector<std::vector<Value>>;  // one for each call

  struct Known {
    Lists<std::int64_t> sums;
    Lists<double> maxima;
    // from, to, number of the exchange
    std::map<std::tuple<int, int, int>, std::vector<std::byte>> messages;
  };

  class Process : public linalg::Communicator {
   public:
    Process(Known& known, int rank, int size) : known_(known), rank_(rank), size_(size) {}
    void start_again() { sums_ = maxima_ = exchanges_ = 0; }

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    void sum(std::span<std::int64_t> values) override {
      combine(known_.sums, sums_++, values, [](std::int64_t a, std::int64_t b) { return a + b; });
    }
    void maximum(std::span<double> values) override {
      combine(known_.maxima, maxima_++, values, [](double a, double b) { return std::max(a, b); });
    }
    void broadcast(std::span<std::byte>, int) override { refuse(); }
    void gather(std::span<const std::byte>, std::span<std::byte>,
                std::span<const std::size_t>) override {
      refuse();
    }
    void start_exchange(std::span<const linalg::OutgoingMessage> outgoing,
                        std::span<const linalg::IncomingMessage> incoming) override {
      for (const auto& message : outgoing)
        known_.messages[{rank_, message.to, exchanges_}] = {message.bytes.begin(),
                                                            message.bytes.end()};
      for (const auto& message : incoming)
        if (const auto sent = known_.messages.find({message.from, rank_, exchanges_});
            sent != known_.messages.end())
          std::copy(sent->second.begin(), sent->second.end(), message.bytes.begin());
      ++exchanges_;
    }
    void finish_exchange() override {}

   private:
    [[noreturn]] static void refuse() {
      throw std::logic_error("processes in turn have sums, maxima and exchanges only");
    }
    template <class Value, class Operation>
    static void combine(Lists<Value>& lists, int call, std::span<Value> values,
                        Operation operation) {
      if (static_cast<std::size_t>(call) == lists.size())
        return lists.emplace_back(values.begin(), values.end()), void();
      auto& known = lists.at(static_cast<std::size_t>(call));
      if (known.size() != values.size()) throw std::logic_error("lists of unequal sizes");
      for (std::size_t i = 0; i < known.size(); ++i)
        known[i] = values[i] = operation(known[i], values[i]);
    }

    Known& known_;
    const int rank_, size_;
    int sums_ = 0, maxima_ = 0, exchanges_ = 0;
  };

  Known known_;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace hodge::tests
