#include "sim/processes/first_processes.hpp"

#include <algorithm>

namespace hodge::sim {

using linalg::IncomingMessage;
using linalg::OutgoingMessage;

void FirstProcesses::exchange(const std::vector<OutgoingMessage>& outgoing,
                              const std::vector<IncomingMessage>& incoming) {
  all_.start_exchange(outgoing, incoming);
  all_.finish_exchange();
}

// In process 0, in the order of the ranks; the others get its result.
template <class Value, class Combine>
void FirstProcesses::combine(std::span<Value> values, const Combine& combine) {
  if (values.empty()) return;
  if (rank() > 0) {
    exchange({{0, std::as_bytes(values)}}, {});
  } else {
    const auto others = static_cast<std::size_t>(count_ - 1);
    std::vector<Value> received(others * values.size());
    std::vector<IncomingMessage> incoming;
    for (std::size_t p = 0; p < others; ++p)
      incoming.push_back(
          {static_cast<int>(p) + 1,
           std::as_writable_bytes(std::span(received).subspan(p * values.size(), values.size()))});
    exchange({}, incoming);
    for (std::size_t i = 0; i < received.size(); ++i)
      values[i % values.size()] = combine(values[i % values.size()], received[i]);
  }
  broadcast(std::as_writable_bytes(values), 0);
}

void FirstProcesses::sum(std::span<std::int64_t> values) {
  combine(values, [](std::int64_t a, std::int64_t b) { return a + b; });
}

void FirstProcesses::maximum(std::span<double> values) {
  combine(values, [](double a, double b) { return std::max(a, b); });
}

void FirstProcesses::broadcast(std::span<std::byte> bytes, int root) {
  if (bytes.empty()) return;
  std::vector<OutgoingMessage> outgoing;
  if (rank() == root)
    for (int p = 0; p < count_; ++p)
      if (p != root) outgoing.push_back({p, bytes});
  std::vector<IncomingMessage> incoming;
  if (rank() != root) incoming.push_back({root, bytes});
  exchange(outgoing, incoming);
}

void FirstProcesses::gather(std::span<const std::byte> own, std::span<std::byte> all,
                            std::span<const std::size_t> sizes) {
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  std::size_t first = 0;
  for (int p = 0; p < count_; ++p) {
    const std::span<std::byte> part = all.subspan(first, sizes[static_cast<std::size_t>(p)]);
    first += part.size();
    if (p == rank()) {
      std::ranges::copy(own, part.begin());
      continue;
    }
    if (!own.empty()) outgoing.push_back({p, own});
    if (!part.empty()) incoming.push_back({p, part});
  }
  exchange(outgoing, incoming);
}

}  // namespace hodge::sim
