// Lists of any length between processes, and small agreements. For set-up: each call is collective,
// allocates, and waits.
#pragma once

#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

// The `own` of every process, by rank; all are of the same length.
template <class T>
std::vector<T> gather_equal(Communicator& processes, std::span<const T> own) {
  const auto count = static_cast<std::size_t>(processes.size());
  std::vector<T> all(own.size() * count);
  const std::vector<std::size_t> sizes(count, own.size_bytes());
  processes.gather(std::as_bytes(own), std::as_writable_bytes(std::span(all)), sizes);
  return all;
}

template <class T>
std::vector<T> gather_one(Communicator& processes, T own) {
  return gather_equal(processes, std::span<const T>(&own, 1));
}

// The lists of all processes one after another; counts[p] is the length of that of process p.
template <class T>
void gather_known(Communicator& processes, std::span<const T> own,
                  std::span<const std::size_t> counts, std::span<T> all) {
  std::vector<std::size_t> sizes(counts.begin(), counts.end());
  for (std::size_t& size : sizes) size *= sizeof(T);
  processes.gather(std::as_bytes(own), std::as_writable_bytes(all), sizes);
}

template <class T>
std::vector<T> gather_lists(Communicator& processes, std::span<const T> own) {
  const std::vector<std::size_t> counts = gather_one(processes, own.size());
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  std::vector<T> all(total);
  gather_known(processes, own, std::span<const std::size_t>(counts), std::span(all));
  return all;
}

// to[p] goes to process p; the result holds, by rank, what each process had for this one.
template <class T>
std::vector<std::vector<T>> exchange_lists(Communicator& processes,
                                           const std::vector<std::vector<T>>& to) {
  const auto count = static_cast<std::size_t>(processes.size());
  const auto own = static_cast<std::size_t>(processes.rank());
  std::vector<std::size_t> lengths;
  for (const auto& list : to) lengths.push_back(list.size());
  const auto all = gather_equal(processes, std::span<const std::size_t>(lengths));
  std::vector<std::vector<T>> from(count);
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  for (std::size_t p = 0; p < count; ++p) {
    from[p].resize(all[p * count + own]);
    if (p == own) {
      from[p] = to[p];
      continue;
    }
    if (!to[p].empty()) outgoing.push_back({static_cast<int>(p), std::as_bytes(std::span(to[p]))});
    if (!from[p].empty())
      incoming.push_back({static_cast<int>(p), std::as_writable_bytes(std::span(from[p]))});
  }
  processes.start_exchange(outgoing, incoming);
  processes.finish_exchange();
  return from;
}

// The value of process 0, on all processes.
template <class T>
T value_of_first(Communicator& processes, T own) {
  processes.broadcast(std::as_writable_bytes(std::span(&own, 1)), 0);
  return own;
}

}  // namespace hodge::linalg
