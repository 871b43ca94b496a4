// The first ones of several processes, as a Communicator of their own: for a box with fewer layers
// than all of them could share. Its calls are messages between pairs of processes, and are
// collective among its members alone.
#pragma once

#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::sim {

class FirstProcesses final : public linalg::Communicator {
 public:
  // Processes 0 .. count - 1 of `all`, which must live on; this process is one of them.
  FirstProcesses(linalg::Communicator& all, int count) : all_(all), count_(count) {}

  int rank() const override { return all_.rank(); }
  int size() const override { return count_; }
  void sum(std::span<std::int64_t> values) override;
  void maximum(std::span<double> values) override;
  void broadcast(std::span<std::byte> bytes, int root) override;
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t> sizes) override;
  void start_exchange(std::span<const linalg::OutgoingMessage> outgoing,
                      std::span<const linalg::IncomingMessage> incoming) override {
    all_.start_exchange(outgoing, incoming);
  }
  void finish_exchange() override { all_.finish_exchange(); }

 private:
  void exchange(const std::vector<linalg::OutgoingMessage>& outgoing,
                const std::vector<linalg::IncomingMessage>& incoming);
  template <class Value, class Combine>
  void combine(std::span<Value> values, const Combine& combine);

  linalg::Communicator& all_;
  int count_;
};

}  // namespace hodge::sim
