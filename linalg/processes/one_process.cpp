#include <algorithm>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

namespace {

class OneProcess : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<std::int64_t>) override {}
  void maximum(std::span<double>) override {}
  void broadcast(std::span<std::byte>, int) override {}
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t>) override {
    std::copy(own.begin(), own.end(), all.begin());
  }
  void start_exchange(std::span<const OutgoingMessage>, std::span<const IncomingMessage>) override {
  }
  void finish_exchange() override {}
};

}  // namespace

Communicator& one_process() {
  static OneProcess communicator;
  return communicator;
}

}  // namespace hodge::linalg
