// Brings chosen values of a list from the processes that have them to those that want them, and
// back, in the memory of a space. One message between two processes.
//
// Bytes per value: 12 at each end for its number and its place in a message; 16 to pack it and 16
// to unpack it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::sim {

using NumbersByProcess = std::vector<std::vector<int>>;  // by the process at the other end

namespace detail {

// What one list has to do with the messages: the numbers of its values, one process after the
// other, and room for them.
template <class Space>
struct ListEnd {
  ListEnd(const NumbersByProcess& of, const linalg::Communicator& processes)
      : rank(static_cast<std::size_t>(processes.rank())), first{0} {
    std::vector<int> all;
    for (const std::vector<int>& one : of) {
      all.insert(all.end(), one.begin(), one.end());
      first.push_back(all.size());
    }
    numbers = linalg::Buffer<int, Space>(std::span<const int>(all));
    values = linalg::Buffer<double, Space>(all.size());
    data = values.data();
    for (std::size_t p = 0; p < of.size(); ++p) {
      if (p == rank || of[p].empty()) continue;
      outgoing.push_back({static_cast<int>(p), std::as_bytes(values_of(p))});
      incoming.push_back({static_cast<int>(p), std::as_writable_bytes(values_of(p))});
    }
  }
  int count() const { return static_cast<int>(first.back()); }
  std::span<double> values_of(std::size_t p) const {
    return {data + first[p], first[p + 1] - first[p]};
  }
  NumbersByProcess on_host() const {
    std::vector<int> all(numbers.size());
    Space::download(numbers.data(), all.data(), numbers.bytes());
    NumbersByProcess by_process;
    for (std::size_t p = 0; p + 1 < first.size(); ++p)
      by_process.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(first[p]),
                              all.begin() + static_cast<std::ptrdiff_t>(first[p + 1]));
    return by_process;
  }

  std::size_t rank;
  std::vector<std::size_t> first;  // value of each process
  linalg::Buffer<int, Space> numbers;
  linalg::Buffer<double, Space> values;
  double* data = nullptr;  // of values: a move that is const writes there
  std::vector<linalg::OutgoingMessage> outgoing;
  std::vector<linalg::IncomingMessage> incoming;
};

// to[there] := from[at]. Collective.
template <class Space>
void move_values(linalg::Communicator& processes, const ListEnd<Space>& at, const double* from,
                 const ListEnd<Space>& there, double* to) {
  const int* const sent = at.numbers.data();
  double* const packed = at.data;
  linalg::for_each<Space>(at.count(), [=] HODGE_LAMBDA(int i) { packed[i] = from[sent[i]]; });
  const std::span<double> own = at.values_of(at.rank);
  Space::copy(own.data(), there.values_of(there.rank).data(), own.size_bytes());
  const linalg::CountedMessages counted(linalg::MessageKind::all_to_all, at.outgoing);
  Space::start_exchange(processes, at.outgoing, there.incoming);
  Space::finish_exchange(processes);
  const int* const places = there.numbers.data();
  const double* const arrived = there.data;
  linalg::for_each<Space>(there.count(), [=] HODGE_LAMBDA(int i) { to[places[i]] = arrived[i]; });
}

}  // namespace detail

template <class Space>
class ListMove {
 public:
  using Numbers = NumbersByProcess;  // of values of the own list

  // given[p]: which values process p gets; taken[p]: where those go that process p gives, as many
  // as it does.
  ListMove(linalg::Communicator& processes, const Numbers& given, const Numbers& taken)
      : processes_(&processes), given_(given, processes), taken_(taken, processes) {}
  ListMove(const ListMove&) = delete;
  ListMove& operator=(const ListMove&) = delete;

  // to[taken] := from[given]. Collective.
  void there(const double* from, double* to) const {
    detail::move_values(*processes_, given_, from, taken_, to);
  }
  // to[given] := from[taken]. Collective.
  void back(const double* from, double* to) const {
    detail::move_values(*processes_, taken_, from, given_, to);
  }

  Numbers given() const { return given_.on_host(); }
  Numbers taken() const { return taken_.on_host(); }

 private:
  linalg::Communicator* processes_;
  detail::ListEnd<Space> given_, taken_;
};

}  // namespace hodge::sim
