// Values of the whole box that processes bring to process 0. The layers of each process follow
// those of the one before, so process 0 receives them in their places. Collective.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "sim/discrete/fields/pieces.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

namespace detail {

// Runs of values, by process: their beginnings in a list of process 0, and their lengths.
template <class T>
void bring_runs(linalg::Communicator& processes, std::span<const std::size_t> first,
                std::span<const std::size_t> count, std::span<const T> own, std::span<T> whole) {
  std::vector<linalg::OutgoingMessage> outgoing;
  std::vector<linalg::IncomingMessage> incoming;
  if (processes.rank() > 0 && !own.empty()) outgoing.push_back({0, std::as_bytes(own)});
  if (processes.rank() == 0)
    for (int p = 1; p < processes.size(); ++p)
      if (count[p] > 0)
        incoming.push_back({p, std::as_writable_bytes(whole.subspan(first[p], count[p]))});
  processes.start_exchange(outgoing, incoming);
  processes.finish_exchange();
}

}  // namespace detail

// `own` values of each process are at the beginning of its list; in process 0 those of all get
// there, one process's behind another's.
template <int Dim, class T>
void bring_to_first(const HaloExchange<Dim>& halo, std::size_t own, T* values) {
  linalg::Communicator& processes = halo.processes();
  const std::vector<std::size_t> count = linalg::gather_one(processes, own);
  std::vector<std::size_t> first(count.size());
  std::exclusive_scan(count.begin(), count.end(), first.begin(), std::size_t{0});
  const std::size_t at_hand = processes.rank() == 0 ? first.back() + count.back() : own;
  detail::bring_runs<T>(processes, first, count, {values, own}, {values, at_hand});
}

// A padded field of the whole box without unused values, in process 0; in the others nothing.
template <int Dim>
std::vector<double> whole_field(const Layout<Dim>& part, std::vector<double> own) {
  if (part.halo == nullptr) return own;
  linalg::Communicator& processes = part.halo->processes();
  const StatePiece piece = piece_of(part, listed_field);
  const std::vector<std::size_t> first =
      linalg::gather_one(processes, piece.first + piece.own_first);
  const std::vector<std::size_t> count = linalg::gather_one(processes, piece.own_count);
  const std::span<const double> sent = std::span(own).subspan(piece.own_first, piece.own_count);
  std::vector<double> whole;
  if (processes.rank() == 0) {
    whole.resize(piece.total);
    std::ranges::copy(sent, whole.begin());
  }
  detail::bring_runs<double>(processes, first, count, sent, whole);
  return whole;
}

}  // namespace hodge::sim
