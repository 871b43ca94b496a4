// Exchanges, sums and gathered parts of processes in the memory of a space. On GPUs only under
// mpirun, where processes may share one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/space/replay.hpp"
#include "linalg/vectors/buffer.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg::tests_of_messages {

template <class Space>
class SpaceMessages : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SpaceMessages, tests::Spaces, tests::SpaceName);

// work(the processes, whether calls are to be recorded)
template <class Space, class Work>
void in_all_numbers_of_processes(const Work& work) {
  for (const int count : tests::numbers_of_processes()) {
    if (!tests::can_run_in_processes<Space>(count)) continue;
    tests::run_in_processes(count, [&](Communicator& all) {
      work(all, false);
      if constexpr (!std::is_same_v<Space, Host>)
        if (Space::can_record_messages(all)) work(all, true);
    });
  }
}

// Calls prepare(n), work() and check(n) in turn, several times: memory of messages takes turns.
// Recorded, the work is played after the first time.
template <class Space, class Prepare, class Work, class Check>
void repeat(bool recorded, const Prepare& prepare, const Work& work, const Check& check) {
  Recording<Space> recording;
  for (int n = 0; n < 5; ++n) {
    prepare(n);
    if (recorded && n == 1) recording.make(work);
    if (recorded && n > 0)
      recording.play();
    else
      work();
    check(n);
  }
}

// Bytes of part k of the message that process p sends to q the n-th time.
std::uint8_t byte_of(int p, int q, int n, int k, std::size_t i) {
  return static_cast<std::uint8_t>(17 * p + 31 * q + 7 * n + 3 * k + static_cast<int>(i % 251));
}

// The parts that p sends to q: of these sizes, each at an address that is no multiple of 16.
template <class Space>
struct Parts {
  std::vector<std::size_t> sizes;
  std::size_t stride;
  Buffer<std::uint8_t, Space> values;

  explicit Parts(const std::vector<std::size_t>& of)
      : sizes(of), stride(0), values(room_for(of, stride)) {}
  static std::size_t room_for(const std::vector<std::size_t>& sizes, std::size_t& stride) {
    for (const std::size_t size : sizes) stride = std::max(stride, size + 20);
    return stride * sizes.size();
  }
  std::span<std::byte> part(std::size_t k) {
    return std::as_writable_bytes(std::span(values.data() + k * stride + 4 * (k % 4), sizes[k]));
  }
  void fill(int p, int q, int n) {
    std::vector<std::uint8_t> all(values.size());
    for (std::size_t k = 0; k < sizes.size(); ++k)
      for (std::size_t i = 0; i < sizes[k]; ++i)
        all[k * stride + 4 * (k % 4) + i] = byte_of(p, q, n, static_cast<int>(k), i);
    values.upload(std::span<const std::uint8_t>(all));
  }
  void expect(int p, int q, int n) const {
    Parts sent(sizes);
    sent.fill(p, q, n);
    const std::vector<std::uint8_t> found = values.to_host(), wanted = sent.values.to_host();
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const auto first = static_cast<std::ptrdiff_t>(k * stride + 4 * (k % 4)),
                 end = first + static_cast<std::ptrdiff_t>(sizes[k]);
      ASSERT_TRUE(std::equal(found.begin() + first, found.begin() + end, wanted.begin() + first))
          << "from " << p << " to " << q << ", time " << n << ", part " << k;
    }
  }
};

// The sizes differ between pairs: a process with an odd number sends shorter parts, and nothing to
// the next one.
std::vector<std::size_t> sizes_between(int p, int q, const std::vector<std::size_t>& sizes) {
  if (p % 2 == 1 && q == p + 1) return {};
  std::vector<std::size_t> result = sizes;
  for (std::size_t& size : result)
    size = size / (p % 2 == 1 ? 3 : 1) + 4 * static_cast<std::size_t>(p);
  return result;
}

template <class Space>
void expect_exchanges(Communicator& all, const std::vector<std::size_t>& sizes, bool recorded) {
  std::vector<Parts<Space>> out, in;
  for (int q = 0; q < all.size(); ++q) {
    out.emplace_back(sizes_between(all.rank(), q, sizes));
    in.emplace_back(sizes_between(q, all.rank(), sizes));
  }
  std::vector<OutgoingMessage> outgoing;
  std::vector<IncomingMessage> incoming;
  for (int q = 0; q < all.size(); ++q) {
    if (q == all.rank()) continue;
    const auto other = static_cast<std::size_t>(q);
    for (std::size_t k = 0; k < out[other].sizes.size(); ++k)
      outgoing.push_back({q, out[other].part(k)});
    for (std::size_t k = 0; k < in[other].sizes.size(); ++k)
      incoming.push_back({q, in[other].part(k)});
  }
  const auto exchange = [&] {
    Space::start_exchange(all, outgoing, incoming);
    Space::finish_exchange(all);
  };
  repeat<Space>(
      recorded,
      [&](int n) {
        for (int q = 0; q < all.size(); ++q)
          out[static_cast<std::size_t>(q)].fill(all.rank(), q, n);
      },
      exchange,
      [&](int n) {
        for (int q = 0; q < all.size(); ++q)
          if (q != all.rank()) in[static_cast<std::size_t>(q)].expect(q, all.rank(), n);
      });
}

template <class Space>
void expect_exchanges_of_all(const std::vector<std::size_t>& sizes) {
  in_all_numbers_of_processes<Space>(
      [&](Communicator& all, bool recorded) { expect_exchanges<Space>(all, sizes, recorded); });
}

TYPED_TEST(SpaceMessages, short_and_odd_ones_arrive) {
  expect_exchanges_of_all<TypeParam>({4, 1000, 37, 65536, 1});
}

// Bytes; fewer on the Host, where the size makes no difference.
template <class Space>
std::size_t megabytes(std::size_t count) {
  return count << (std::is_same_v<Space, Host> ? 14 : 20);
}

TYPED_TEST(SpaceMessages, one_of_some_megabytes_arrives) {
  expect_exchanges_of_all<TypeParam>({megabytes<TypeParam>(3), megabytes<TypeParam>(2)});
}

// More of them, and larger ones, than there is room for in the memory of another GPU (16 MB in 8
// parts at a time): cut within and between messages, in two and in five turns.
TYPED_TEST(SpaceMessages, large_ones_and_many_arrive) {
  expect_exchanges_of_all<TypeParam>({megabytes<TypeParam>(20), 64});
  expect_exchanges_of_all<TypeParam>({5, megabytes<TypeParam>(70), 1004});
  expect_exchanges_of_all<TypeParam>(std::vector<std::size_t>(12, 400));
  expect_exchanges_of_all<TypeParam>(std::vector<std::size_t>(18, megabytes<TypeParam>(1) + 4));
}

// What process p brings as value i, the n-th time: of either sign, in all of its bits.
std::int64_t integer_of(int p, int n, int i) {
  return (p % 2 == 0 ? 1 : -1) * (1'000'000'000'000'000'007 / (n + 1) + 12'345 * i + p);
}
double number_of(int p, int n, int i) {
  return (p == (i + n) % 3 ? -1.0 : 1.0) * (1e-300 + p + 0.125 * i + n);
}

template <class Value, class Space, class Call, class Of, class Combine>
void expect_combined(Communicator& all, int count, bool recorded, const Call& call, const Of& of,
                     const Combine& combine) {
  Buffer<Value, Space> values(static_cast<std::size_t>(count));
  repeat<Space>(
      recorded,
      [&](int n) {
        std::vector<Value> own;
        for (int i = 0; i < count; ++i) own.push_back(of(all.rank(), n, i));
        values.upload(std::span<const Value>(own));
      },
      [&] { call(all, values.data(), count); },
      [&](int n) {
        const std::vector<Value> found = values.to_host();
        for (int i = 0; i < count; ++i) {
          Value wanted = of(0, n, i);
          for (int p = 1; p < all.size(); ++p) wanted = combine(wanted, of(p, n, i));
          ASSERT_EQ(found[static_cast<std::size_t>(i)], wanted) << "value " << i << ", time " << n;
        }
      });
}

// Of up to more values than a kernel takes.
TYPED_TEST(SpaceMessages, sums_and_maxima_are_those_of_all) {
  using Space = TypeParam;
  in_all_numbers_of_processes<Space>([](Communicator& all, bool recorded) {
    for (const int count : {1, 70, 700, 9001}) {
      expect_combined<std::int64_t, Space>(all, count, recorded, Space::sum_over_processes,
                                           integer_of, std::plus<>());
      expect_combined<double, Space>(all, count, recorded, Space::maximum_over_processes, number_of,
                                     [](double a, double b) { return std::max(a, b); });
    }
  });
}

// Parts of equal sizes, of others, and none.
TYPED_TEST(SpaceMessages, parts_are_gathered) {
  using Space = TypeParam;
  in_all_numbers_of_processes<Space>([](Communicator& all, bool recorded) {
    for (const auto& [least, more] : {std::pair{0, 12}, {64, 0}, {1004, 96}, {1 << 18, 4}}) {
      std::vector<std::size_t> sizes, firsts;
      std::size_t bytes = 0;
      for (int p = 0; p < all.size(); ++p) {
        firsts.push_back(bytes);
        sizes.push_back(static_cast<std::size_t>(least + p * more));
        bytes += sizes.back();
      }
      Buffer<std::uint8_t, Space> values(bytes);
      const auto filled = [&](int n, bool with_others) {
        std::vector<std::uint8_t> part(bytes);
        for (std::size_t p = 0; p < sizes.size(); ++p)
          for (std::size_t i = 0; i < sizes[p]; ++i)
            if (with_others || static_cast<int>(p) == all.rank())
              part[firsts[p] + i] = byte_of(static_cast<int>(p), 0, n, 0, i);
        return part;
      };
      repeat<Space>(
          recorded,
          [&](int n) {
            const std::vector<std::uint8_t> own = filled(n, false);
            values.upload(std::span<const std::uint8_t>(own));
          },
          [&] { Space::gather_parts(all, reinterpret_cast<std::byte*>(values.data()), sizes); },
          [&](int n) { ASSERT_EQ(values.to_host(), filled(n, true)) << "time " << n; });
    }
  });
}

}  // namespace hodge::linalg::tests_of_messages
