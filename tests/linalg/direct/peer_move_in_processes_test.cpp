// Moves of a spectrum between fixed arrays: on GPUs that reach each other's memory they take no
// messages, and everywhere they bring the same values as messages do. GPUs only under mpirun, where
// processes may share one.
#include "linalg/direct/peer_move.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "linalg/direct/shared_box.hpp"
#include "tests/support/direct_systems.hpp"
#include "tests/support/in_processes.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg::tests_of_peer_moves {

// HODGE_GPU_MESSAGES while this lives; null: not set.
class GpuMessages {
 public:
  explicit GpuMessages(const char* way) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(way);
  }
  ~GpuMessages() { set(before_ ? before_->c_str() : nullptr); }
  GpuMessages(const GpuMessages&) = delete;
  GpuMessages& operator=(const GpuMessages&) = delete;

 private:
  static constexpr const char* name = "HODGE_GPU_MESSAGES";
  static void set(const char* way) {
    if (way != nullptr)
      setenv(name, way, 1);
    else
      unsetenv(name);
  }
  std::optional<std::string> before_;
};

SeparableSystem box_of(const std::vector<int>& points, int ends) {
  SeparableSystem system;
  for (const int n : points) system.axes.push_back(tests::axis_with(ends, n, false, 0, 1));
  return system;
}

// Different numbers of layers; of three processes or more, the second one has none.
SharedPoints points_in_layers(Communicator& processes, const SeparableSystem& system) {
  const int layers = system.axes.back().points(), count = processes.size();
  SharedPoints points{&processes, {0}};
  for (int p = 1; p < count; ++p)
    points.first.push_back(p == 2 ? points.first.back() : layers * (p + 1) / (count + 2));
  points.first.push_back(layers);
  for (std::int64_t& first : points.first) first *= system.rows() / layers;
  return points;
}

// The move of a spectrum, and an array of each kind.
template <class Space, class T>
struct Move {
  using Value = Complex<T>;

  std::unique_ptr<BoxPass<Value>> move;
  Buffer<Value, Space> in, out;

  Move(Communicator& processes, const SeparableSystem& system) {
    const std::vector<AxisMethod> methods(system.axes.size(), AxisMethod::fft_of_box);
    const SharedBox<Space> box(system, methods, points_in_layers(processes, system));
    BoxPart<T> part = box.template part<T>();
    BoxSpectrum layers = box_spectrum(system, axes_of_box(methods)), lines = layers;
    const auto last = static_cast<std::size_t>(layers.last),
               halved = static_cast<std::size_t>(layers.halved);
    layers.entries[last] = part.points[last].count;
    lines.entries[halved] = part.halved.count;
    in = Buffer<Value, Space>(layers.size());
    out = Buffer<Value, Space>(lines.size());
    move = std::move(part.move);
  }
};

template <class T>
std::vector<Complex<T>> random_spectrum(std::size_t size, int seed) {
  const std::vector<double> values = tests::random_values(static_cast<int>(2 * size), seed);
  std::vector<Complex<T>> spectrum;
  for (std::size_t i = 0; i < size; ++i)
    spectrum.push_back({static_cast<T>(values[2 * i]), static_cast<T>(values[2 * i + 1])});
  return spectrum;
}

template <class Value, class Space>
bool same_bits(const Buffer<Value, Space>& a, const Buffer<Value, Space>& b) {
  const std::vector<Value> host_a = a.to_host(), host_b = b.to_host();
  return host_a.size() == host_b.size() &&
         (host_a.empty() ||
          std::memcmp(host_a.data(), host_b.data(), host_a.size() * sizeof(Value)) == 0);
}

// What a move counts as sent to the others.
template <class Move>
MessageTotals counted(const Move& move) {
  const MessageCount before = message_count();
  move();
  MessageCount count = message_count();
  count -= before;
  return count[MessageKind::all_to_all];
}

void expect_same_count(const MessageTotals& a, const MessageTotals& b) {
  EXPECT_EQ(a.calls, b.calls);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.bytes, b.bytes);
}

// Whether it writes directly.
template <class Space, class T>
bool expect_values_of_messages(Communicator& processes, const SeparableSystem& system) {
  Move<Space, T> sent(processes, system), fixed(processes, system);
  fixed.move->fix_arrays({fixed.in.data(), fixed.in.size()}, {fixed.out.data(), fixed.out.size()});
  for (int round = 0; round < 3; ++round) {
    const int seed = 10 * processes.rank() + round;
    const auto in = random_spectrum<T>(sent.in.size(), seed);
    const auto out = random_spectrum<T>(sent.out.size(), seed + 5);
    for (Move<Space, T>* const each : {&sent, &fixed}) each->in.upload(in);
    expect_same_count(counted([&] { sent.move->forward(sent.in.data(), sent.out.data()); }),
                      counted([&] { fixed.move->forward(fixed.in.data(), fixed.out.data()); }));
    EXPECT_TRUE(same_bits(sent.out, fixed.out)) << "forward, round " << round;
    for (Move<Space, T>* const each : {&sent, &fixed}) each->out.upload(out);
    expect_same_count(counted([&] { sent.move->backward(sent.out.data(), sent.in.data()); }),
                      counted([&] { fixed.move->backward(fixed.out.data(), fixed.in.data()); }));
    EXPECT_TRUE(same_bits(sent.in, fixed.in)) << "backward, round " << round;
  }
  EXPECT_FALSE(sent.move->writes_directly());
  return fixed.move->writes_directly();
}

template <class Space>
class PeerMoves : public tests::SpaceTest<Space> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (this->IsSkipped()) return;
    if (tests::numbers_of_processes().back() == 1) GTEST_SKIP() << "one process";
    if (on_gpus && tests::processes_are_threads)
      GTEST_SKIP() << "processes that are threads do not share a GPU";
  }
  static constexpr bool on_gpus = !std::is_same_v<Space, Host>;
};
TYPED_TEST_SUITE(PeerMoves, tests::Spaces, tests::SpaceName);

template <class Space, class T = double>
void expect_ways(const SeparableSystem& system, bool writes_directly) {
  for (const int count : tests::numbers_of_processes()) {
    if (count == 1) continue;
    tests::run_in_processes(count, [&](Communicator& processes) {
      EXPECT_EQ((expect_values_of_messages<Space, T>(processes, system)), writes_directly)
          << count << " processes";
    });
  }
}

// On a machine whose GPUs do not reach each other's memory this fails, unless one GPU is shared.
TYPED_TEST(PeerMoves, gpus_write_to_fixed_arrays_of_others) {
  const GpuMessages as_usual(nullptr);
  for (int ends = 0; ends < 3; ++ends) {
    SCOPED_TRACE("ends " + std::to_string(ends));
    const SeparableSystem system =
        box_of(this->on_gpus ? std::vector{130, 256, 96} : std::vector{10, 12, 32}, ends);
    expect_ways<TypeParam>(system, this->on_gpus);
    expect_ways<TypeParam, float>(system, this->on_gpus);
  }
}

// 2 MB and less may share a block of memory with other arrays.
TYPED_TEST(PeerMoves, small_arrays_are_moved_by_messages) {
  const GpuMessages as_usual(nullptr);
  for (int ends = 0; ends < 3; ++ends) expect_ways<TypeParam>(box_of({10, 12, 32}, ends), false);
}

TYPED_TEST(PeerMoves, messages_through_memory_of_the_host_can_be_asked_for) {
  const GpuMessages through_host("host");
  expect_ways<TypeParam>(
      box_of(this->on_gpus ? std::vector{130, 256, 96} : std::vector{10, 12, 8}, 0), false);
}

}  // namespace hodge::linalg::tests_of_peer_moves
