// Exchanges between processes in the memory of a space. On GPUs only under mpirun, where processes
// may share one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/space/replay.hpp"
#include "linalg/vectors/buffer.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg::tests_of_messages {

template <class Space>
class SpaceMessages : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SpaceMessages, tests::Spaces, tests::SpaceName);

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
  Recording<Space> recording;
  for (int n = 0; n < 5; ++n) {  // slots take turns
    for (int q = 0; q < all.size(); ++q) out[static_cast<std::size_t>(q)].fill(all.rank(), q, n);
    if (!recorded || n == 0)
      exchange();
    else if (n == 1)
      recording.make(exchange), recording.play();
    else
      recording.play();
    for (int q = 0; q < all.size(); ++q)
      if (q != all.rank()) in[static_cast<std::size_t>(q)].expect(q, all.rank(), n);
  }
}

template <class Space>
void expect_exchanges_of_all(const std::vector<std::size_t>& sizes) {
  for (const int count : tests::numbers_of_processes()) {
    if (!tests::can_run_in_processes<Space>(count)) continue;
    tests::run_in_processes(count, [&](Communicator& all) {
      expect_exchanges<Space>(all, sizes, false);
      if constexpr (!std::is_same_v<Space, Host>)
        if (Space::can_record_messages(all)) expect_exchanges<Space>(all, sizes, true);
    });
  }
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

}  // namespace hodge::linalg::tests_of_messages
