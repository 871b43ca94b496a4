// Brings chosen values of a list from the processes that have them to those that want them, in the
// memory of a space. One message between two processes.
//
// Bytes per value: 4 for its number at each end, 16 to pack it and 16 to unpack it.
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

template <class Space>
class ListMove {
 public:
  using Numbers =
      std::vector<std::vector<int>>;  // in the own list, by the process at the other end

  // given[p]: which values process p gets; taken[p]: where those go that process p gives, as many
  // as it does.
  ListMove(linalg::Communicator& processes, const Numbers& given, const Numbers& taken)
      : processes_(&processes), given_(given), taken_(taken) {
    const auto rank = static_cast<std::size_t>(processes.rank());
    own_ = {given_.first[rank], taken_.first[rank], given[rank].size()};
    const auto part = [](const End& end, std::size_t p) {
      return std::span(end.values.data() + end.first[p], end.first[p + 1] - end.first[p]);
    };
    for (std::size_t p = 0; p < given.size(); ++p) {
      if (p == rank) continue;
      if (!given[p].empty())
        outgoing_.push_back({static_cast<int>(p), std::as_bytes(part(given_, p))});
      if (!taken[p].empty())
        incoming_.push_back({static_cast<int>(p), std::as_writable_bytes(part(taken_, p))});
    }
  }
  ListMove(const ListMove&) = delete;
  ListMove& operator=(const ListMove&) = delete;

  // to[taken] := from[given]. Collective.
  void operator()(const double* from, double* to) const {
    const int* const sent = given_.numbers.data();
    double* const packed = given_.values.data();
    linalg::for_each<Space>(given_.count(), [=] HODGE_LAMBDA(int i) { packed[i] = from[sent[i]]; });
    Space::copy(packed + own_.given, taken_.values.data() + own_.taken,
                own_.count * sizeof(double));
    const linalg::CountedMessages counted(linalg::MessageKind::all_to_all, outgoing_);
    Space::start_exchange(*processes_, outgoing_, incoming_);
    Space::finish_exchange(*processes_);
    const int* const places = taken_.numbers.data();
    const double* const arrived = taken_.values.data();
    linalg::for_each<Space>(taken_.count(),
                            [=] HODGE_LAMBDA(int i) { to[places[i]] = arrived[i]; });
  }

 private:
  // The values of all messages, one process after the other.
  struct End {
    explicit End(const Numbers& of) : first{0} {
      std::vector<int> all;
      for (const std::vector<int>& one : of) {
        all.insert(all.end(), one.begin(), one.end());
        first.push_back(all.size());
      }
      numbers = linalg::Buffer<int, Space>(std::span<const int>(all));
      values = linalg::Buffer<double, Space>(all.size());
    }
    int count() const { return static_cast<int>(first.back()); }

    std::vector<std::size_t> first;  // value of each process
    linalg::Buffer<int, Space> numbers;
    mutable linalg::Buffer<double, Space> values;
  };
  // What this process gives itself.
  struct Own {
    std::size_t given = 0, taken = 0, count = 0;
  };

  linalg::Communicator* processes_;
  End given_, taken_;
  Own own_;
  std::vector<linalg::OutgoingMessage> outgoing_;
  std::vector<linalg::IncomingMessage> incoming_;
};

}  // namespace hodge::sim
