// What every Communicator has to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/in_processes.hpp"

namespace hodge::linalg {
namespace {

using tests::run_in_processes;

// The same bytes in every process that asks for them; each (seed, length) has others.
std::vector<std::byte> pattern(int seed, std::size_t length) {
  std::vector<std::byte> bytes(length);
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 12345u;
  for (std::byte& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

// Process `own` sends `length(from, to)` bytes to each process, and checks what it gets from each.
template <class Length>
void exchange_and_check(Communicator& own, int seed, const Length& length) {
  const int size = own.size(), rank = own.rank();
  std::vector<std::vector<std::byte>> sent, received;
  const auto seed_of = [&](int from, int to) { return seed + from * size + to; };
  for (int other = 0; other < size; ++other) {
    sent.push_back(pattern(seed_of(rank, other), length(rank, other)));
    received.emplace_back(length(other, rank));
  }
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  for (int other = 0; other < size; ++other) {
    if (other == rank) continue;
    outgoing.push_back({other, sent[static_cast<std::size_t>(other)]});
    incoming.push_back({other, received[static_cast<std::size_t>(other)]});
  }
  own.start_exchange(outgoing, incoming);
  own.finish_exchange();
  for (int other = 0; other < size; ++other) {
    if (other == rank) continue;
    EXPECT_TRUE(received[static_cast<std::size_t>(other)] ==
                pattern(seed_of(other, rank), length(other, rank)))
        << "from " << other << " to " << rank << " of " << size;
  }
}

class CommunicatorContract : public testing::TestWithParam<int> {
 protected:
  void in_processes(const std::function<void(Communicator&)>& program) const {
    run_in_processes(GetParam(), program);
  }
};

TEST_P(CommunicatorContract, every_process_has_a_rank_of_its_own) {
  in_processes([&](Communicator& own) {
    EXPECT_EQ(own.size(), GetParam());
    ASSERT_GE(own.rank(), 0);
    ASSERT_LT(own.rank(), own.size());
    std::vector<std::int64_t> seen(static_cast<std::size_t>(own.size()), 0);
    seen[static_cast<std::size_t>(own.rank())] = 1;
    own.sum(seen);
    for (const std::int64_t count : seen) EXPECT_EQ(count, 1);
  });
}

TEST_P(CommunicatorContract, integers_are_added_exactly_up_to_the_ends_of_their_range) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  in_processes([&](Communicator& own) {
    const std::int64_t size = own.size(), rank = own.rank();
    const bool is_first = rank == 0, is_last = rank == size - 1;
    std::vector<std::int64_t> values{rank + 1,
                                     is_first ? largest : 0,
                                     is_last ? least : 0,
                                     is_first ? largest - size : 1,
                                     -(std::int64_t{1} << 60),
                                     (std::int64_t{1} << 53) + rank};
    own.sum(values);
    EXPECT_EQ(values[0], size * (size + 1) / 2);
    EXPECT_EQ(values[1], largest);
    EXPECT_EQ(values[2], least);
    EXPECT_EQ(values[3], largest - size + (size - 1));
    EXPECT_EQ(values[4], -size * (std::int64_t{1} << 60));
    EXPECT_EQ(values[5], size * (std::int64_t{1} << 53) + size * (size - 1) / 2);
  });
}

TEST_P(CommunicatorContract, a_list_of_no_values_has_a_sum_and_a_maximum) {
  in_processes([&](Communicator& own) {
    own.sum({});
    own.maximum({});
    own.broadcast({}, own.size() - 1);
    own.gather({}, {}, std::vector<std::size_t>(static_cast<std::size_t>(own.size()), 0));
    own.start_exchange({}, {});
    own.finish_exchange();
  });
}

TEST_P(CommunicatorContract, long_lists_are_added_value_by_value) {
  in_processes([&](Communicator& own) {
    std::vector<std::int64_t> values(300'000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int64_t>(i) * (own.rank() + 1);
    own.sum(values);
    const std::int64_t factor = own.size() * (own.size() + 1) / 2;
    bool same = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      same = same && values[i] == static_cast<std::int64_t>(i) * factor;
    EXPECT_TRUE(same);
  });
}

TEST_P(CommunicatorContract, maxima_of_all_signs_and_of_infinity) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  in_processes([&](Communicator& own) {
    const double rank = own.rank(), last = own.size() - 1;
    std::vector<double> values{rank,
                               -rank - 1,
                               rank == last ? 1e308 : -infinity,
                               rank == 0 ? infinity : 0.0,
                               -infinity,
                               std::numeric_limits<double>::denorm_min() * (rank + 1)};
    own.maximum(values);
    EXPECT_EQ(values[0], last);
    EXPECT_EQ(values[1], -1);
    EXPECT_EQ(values[2], 1e308);
    EXPECT_EQ(values[3], infinity);
    EXPECT_EQ(values[4], -infinity);
    EXPECT_EQ(values[5], std::numeric_limits<double>::denorm_min() * (last + 1));
  });
}

TEST_P(CommunicatorContract, a_broadcast_comes_from_any_process) {
  in_processes([&](Communicator& own) {
    for (int root = 0; root < own.size(); ++root) {
      for (const std::size_t length : {std::size_t{1}, std::size_t{17}, std::size_t{3'000'001}}) {
        std::vector<std::byte> bytes = pattern(own.rank(), length);
        own.broadcast(bytes, root);
        EXPECT_TRUE(bytes == pattern(root, length)) << "root " << root << ", " << length;
      }
    }
  });
}

TEST_P(CommunicatorContract, parts_of_unequal_sizes_are_gathered_in_the_order_of_the_ranks) {
  in_processes([&](Communicator& own) {
    for (const std::size_t unit : {std::size_t{0}, std::size_t{3}, std::size_t{400'000}}) {
      // Process 1 has nothing; where it is the only other one, process 0 has all.
      std::vector<std::size_t> sizes;
      for (int p = 0; p < own.size(); ++p)
        sizes.push_back(p == 1 ? 0 : unit * static_cast<std::size_t>(p + 1) + (unit > 0 ? 1 : 0));
      std::vector<std::byte> expected;
      for (int p = 0; p < own.size(); ++p) {
        const auto part = pattern(p + 7, sizes[static_cast<std::size_t>(p)]);
        expected.insert(expected.end(), part.begin(), part.end());
      }
      std::vector<std::byte> all(expected.size());
      own.gather(pattern(own.rank() + 7, sizes[static_cast<std::size_t>(own.rank())]), all, sizes);
      EXPECT_TRUE(all == expected) << unit;
    }
  });
}

TEST_P(CommunicatorContract, messages_of_unequal_sizes_arrive) {
  in_processes([&](Communicator& own) {
    exchange_and_check(
        own, 1, [](int from, int to) { return static_cast<std::size_t>(100 * from + 7 * to + 1); });
  });
}

TEST_P(CommunicatorContract, messages_of_no_bytes_are_messages) {
  in_processes([&](Communicator& own) {
    exchange_and_check(own, 2, [](int, int) { return std::size_t{0}; });
    exchange_and_check(
        own, 3, [](int from, int to) { return static_cast<std::size_t>(from < to ? 0 : 5); });
  });
}

TEST_P(CommunicatorContract, messages_of_megabytes_cross_each_other) {
  in_processes([&](Communicator& own) {
    exchange_and_check(own, 4, [](int from, int to) {
      return static_cast<std::size_t>(3'000'000 + 1000 * from + to);
    });
  });
}

TEST_P(CommunicatorContract, messages_may_go_one_way) {
  in_processes([&](Communicator& own) {
    const int size = own.size(), rank = own.rank();
    const std::vector<std::byte> sent = pattern(rank, 1000);
    std::vector<std::byte> received(1000);
    std::vector<OutgoingMessage> outgoing;
    std::vector<IncomingMessage> incoming;
    if (rank + 1 < size) outgoing.push_back({rank + 1, sent});
    if (rank > 0) incoming.push_back({rank - 1, received});
    own.start_exchange(outgoing, incoming);
    own.finish_exchange();
    if (rank > 0) {
      EXPECT_TRUE(received == pattern(rank - 1, 1000));
    }
  });
}

TEST_P(CommunicatorContract, many_exchanges_and_sums_in_a_row_do_not_mix) {
  in_processes([&](Communicator& own) {
    for (int round = 0; round < 300; ++round) {
      exchange_and_check(own, 1000 * round, [round](int from, int to) {
        return static_cast<std::size_t>((from * 31 + to * 17 + round) % 64);
      });
      std::int64_t value = round * (own.rank() + 1);
      own.sum({&value, 1});
      ASSERT_EQ(value, round * own.size() * (own.size() + 1) / 2);
    }
  });
}

// The work between the start and the end of an exchange may ask for sums.
TEST_P(CommunicatorContract, a_sum_during_an_exchange_disturbs_neither) {
  in_processes([&](Communicator& own) {
    const int size = own.size(), next = (own.rank() + 1) % size,
              before = (own.rank() + size - 1) % size;
    if (size == 1) return;
    const std::vector<std::byte> sent = pattern(own.rank(), 200'000);
    std::vector<std::byte> received(sent.size());
    const OutgoingMessage outgoing{next, sent};
    const IncomingMessage incoming{before, received};
    own.start_exchange({&outgoing, 1}, {&incoming, 1});
    std::int64_t one = 1;
    own.sum({&one, 1});
    own.finish_exchange();
    EXPECT_EQ(one, size);
    EXPECT_TRUE(received == pattern(before, 200'000));
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, CommunicatorContract, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace hodge::linalg
