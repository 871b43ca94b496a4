// A list that process 0 has as a whole, in parts: process p gets, or has, the items from first[p]
// to first[p + 1] - 1. Nobody else holds more than its part. Collective.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

namespace detail {
template <class T>
std::span<T> part_of(std::span<T> whole, std::span<const std::int64_t> first, int process) {
  const auto p = static_cast<std::size_t>(process);
  return whole.subspan(static_cast<std::size_t>(first[p]),
                       static_cast<std::size_t>(first[p + 1] - first[p]));
}
}  // namespace detail

// `whole` counts in process 0 only.
template <class T>
std::vector<T> scatter(Communicator& processes, std::span<const T> whole,
                       std::span<const std::int64_t> first) {
  const auto rank = static_cast<std::size_t>(processes.rank());
  std::vector<T> own(static_cast<std::size_t>(first[rank + 1] - first[rank]));
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  if (rank == 0) {
    for (int p = 1; p < processes.size(); ++p)
      outgoing.push_back({p, std::as_bytes(detail::part_of(whole, first, p))});
    std::ranges::copy(detail::part_of(whole, first, 0), own.begin());
  } else {
    incoming.push_back({0, std::as_writable_bytes(std::span(own))});
  }
  processes.start_exchange(outgoing, incoming);
  processes.finish_exchange();
  return own;
}

// The whole list in process 0; an empty one in the others.
template <class T>
std::vector<T> collect(Communicator& processes, std::span<const T> own,
                       std::span<const std::int64_t> first) {
  std::vector<T> whole;
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  if (processes.rank() == 0) {
    whole.resize(static_cast<std::size_t>(first.back()));
    for (int p = 1; p < processes.size(); ++p)
      incoming.push_back({p, std::as_writable_bytes(detail::part_of(std::span(whole), first, p))});
    std::ranges::copy(own, whole.begin());
  } else {
    outgoing.push_back({0, std::as_bytes(own)});
  }
  processes.start_exchange(outgoing, incoming);
  processes.finish_exchange();
  return whole;
}

}  // namespace hodge::linalg
