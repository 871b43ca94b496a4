// What messages between the memories of a space cost here: measured, or stated where one process
// has nobody to send to.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/base/exact_sum.hpp"
#include "linalg/base/timing.hpp"
#include "linalg/direct/line_parts.hpp"
#include "linalg/vectors/buffer.hpp"
#include "sim/discrete/processes/neighbours.hpp"
#include "tools/hodge/bench/scaling_model.hpp"

namespace hodge::tools::bench {

// GPUs of one machine, connected by NVLink: 273 GB/s; 12 us for a layer of 256 x 256 values to each
// neighbour, of which the bytes take 4 us; as long for a round of values at cuts; 5.7 us for a sum
// over 8 GPUs; 1 us a level for what process 0 says to all.
LinkCosts stated_machine();
// A port of 400 Gbit/s for each process: 50 GB/s, 10 us for messages that travel together, 5 us a
// level of a tree.
LinkCosts stated_network();

namespace detail {

// Of one call of `work`, which all processes make equally often: the best of several samples, and
// of the processes the slowest.
template <class Space, class Work>
double seconds_together(linalg::Communicator& processes, const Work& work) {
  constexpr int samples = 5, calls = 20;
  linalg::seconds_of<Space>(2, work);
  double best = linalg::seconds_of<Space>(calls, work);
  for (int i = 1; i < samples; ++i) best = std::min(best, linalg::seconds_of<Space>(calls, work));
  processes.maximum({&best, 1});
  return best;
}

// seconds(values) = latency + bytes / bandwidth, by two sizes; of so many bytes a value.
template <class Seconds>
MessageCost cost_by_sizes(double bytes_of_value, const Seconds& seconds) {
  constexpr std::size_t few = 1, many = 3 * 256 * 256;
  const double latency = seconds(few), difference = seconds(many) - latency;
  const double bytes = bytes_of_value * (many - few);
  return {latency, difference > 0 ? bytes / difference : 0};
}

template <class Space>
MessageCost cost_of_neighbours(linalg::Communicator& processes) {
  const int rank = processes.rank(), size = processes.size();
  const int to[2] = {(rank + size - 1) % size, (rank + 1) % size};
  return cost_by_sizes(2 * sizeof(double), [&](std::size_t values) {
    linalg::Buffer<double, Space> outgoing(2 * values), incoming(2 * values);
    return seconds_together<Space>(processes, [&] {
      sim::exchange_with_neighbours<Space>(processes, to, {{values, values}, {values, values}},
                                           outgoing.data(), incoming.data());
    });
  });
}

// The first round, in which up to so many processes side by side send values to one another.
template <class Space>
MessageCost cost_of_rounds(linalg::Communicator& processes) {
  const linalg::ProcessGroup group = linalg::group_of(1, processes.rank(), processes.size());
  const int others = std::min(linalg::joined_at_once, processes.size()) - 1;
  return cost_by_sizes(static_cast<double>(others) * sizeof(double), [&](std::size_t values) {
    const auto size = static_cast<std::size_t>(group.end - group.first);
    linalg::Buffer<double, Space> outgoing(size * values), incoming(size * values);
    std::vector<linalg::OutgoingMessage> sent;
    std::vector<linalg::IncomingMessage> received;
    for (std::size_t i = 0; i < size; ++i) {
      const int process = group.first + static_cast<int>(i);
      if (process == processes.rank()) continue;
      sent.push_back({process, std::as_bytes(std::span(outgoing.data() + i * values, values))});
      received.push_back(
          {process, std::as_writable_bytes(std::span(incoming.data() + i * values, values))});
    }
    return seconds_together<Space>(processes, [&] {
      Space::start_exchange(processes, sent, received);
      Space::finish_exchange(processes);
    });
  });
}

template <class Space>
MessageCost cost_of_reductions(linalg::Communicator& processes) {
  constexpr int words = linalg::ExactSum::word_count;
  linalg::Buffer<std::int64_t, Space> values(words);
  const double seconds = seconds_together<Space>(
      processes, [&] { Space::sum_over_processes(processes, values.data(), words); });
  return {seconds / levels_of_tree(processes.size())};
}

inline MessageCost cost_of_decisions(linalg::Communicator& processes) {
  std::array<std::byte, 64> bytes{};
  const double seconds =
      seconds_together<linalg::Host>(processes, [&] { processes.broadcast(bytes, 0); });
  return {seconds / levels_of_tree(processes.size())};
}

}  // namespace detail

// Between these processes, at least two. Collective.
template <class Space>
LinkCosts measured_costs(linalg::Communicator& processes) {
  using linalg::MessageKind;
  LinkCosts costs;
  const auto of = [&](MessageKind kind) -> MessageCost& {
    return costs[static_cast<std::size_t>(kind)];
  };
  of(MessageKind::neighbours) = detail::cost_of_neighbours<Space>(processes);
  of(MessageKind::line_ends) = detail::cost_of_rounds<Space>(processes);
  of(MessageKind::gathers) = of(MessageKind::line_ends);
  of(MessageKind::gathers).latency /= std::min(linalg::joined_at_once, processes.size()) - 1;
  of(MessageKind::reductions) = detail::cost_of_reductions<Space>(processes);
  of(MessageKind::decisions) = detail::cost_of_decisions(processes);
  return costs;
}

}  // namespace hodge::tools::bench
