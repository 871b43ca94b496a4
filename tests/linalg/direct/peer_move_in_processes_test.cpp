// Moves of a spectrum between fixed arrays: on GPUs that reach each other's memory they take no
// messages, and everywhere they bring the same values as messages do. GPUs only under mpirun, where
// processes may share one.
#include "linalg/direct/peer_move.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

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

// A move, and an array of each kind.
template <class Space, class Value>
struct Move {
  std::unique_ptr<MovePass<Value>> pass;
  Buffer<Value, Space> in, out;

  void fix_arrays(ArrayUse use) {
    pass->fix_arrays({in.data(), in.size()}, {out.data(), out.size()}, use);
  }
  void forward() { pass->forward(in.data(), out.data()); }
  void backward() { pass->backward(out.data(), in.data()); }
  // Piece by piece.
  void forward_in(int pieces) {
    for (int k = 0; k < pieces; ++k) pass->start_forward(k, in.data(), out.data());
    pass->finish_forward(in.data(), out.data());
  }
  void backward_in(int pieces) {
    pass->start_backward(out.data(), in.data());
    for (int k = 0; k < pieces; ++k) pass->wait_backward(k);
  }
};

// Of a spectrum.
template <class Space, class T, int Pieces>
struct ToSpectrumIn {
  using Value = Complex<T>;
  static constexpr ArrayUse use = ArrayUse::in_turn;
  static constexpr int pieces = Pieces;

  static Move<Space, Value> move(Communicator& processes, const SeparableSystem& system) {
    const std::vector<AxisMethod> methods(system.axes.size(), AxisMethod::fft_of_box);
    BoxPart<T> part = SharedBox<Space>(system, methods, points_in_layers(processes, system))
                          .template part<T>(pieces);
    BoxSpectrum layers = box_spectrum(system, axes_of_box(methods)), moved = layers;
    layers.entries[static_cast<std::size_t>(layers.last)] =
        part.points.at(system.axes.size() - 1).count;
    moved.entries[static_cast<std::size_t>(moved.halved)] = part.halved.count;
    return {std::move(part.move), Buffer<Value, Space>(layers.size()),
            Buffer<Value, Space>(moved.size())};
  }
};

template <class Space, class T>
using ToSpectrum = ToSpectrumIn<Space, T, 1>;
template <class Space, class T>
using ToSpectrumInPieces = ToSpectrumIn<Space, T, 3>;

// Of real values, to whole lines along the last of three axes.
template <class Space, class T>
struct ToLines {
  using Value = T;
  static constexpr ArrayUse use = ArrayUse::any;
  static constexpr int pieces = 1;

  static Move<Space, Value> move(Communicator& processes, const SeparableSystem& system) {
    const std::vector<AxisMethod> methods(system.axes.size(), AxisMethod::products);
    const SharedBox<Space> box(system, methods, points_in_layers(processes, system));
    const auto values = [&](int lines, int points) {
      return Buffer<Value, Space>(static_cast<std::size_t>(lines) *
                                  static_cast<std::size_t>(points));
    };
    const int x = system.axes[0].points(), z = system.axes[2].points();
    return {box.template to_lines<T>(), values(box.shape(0).outer, x),
            values(x * box.of_lines(1).count, z)};
  }
};

template <class Value>
std::vector<Value> random_array(std::size_t size, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<Value> values(size);
  for (Value& value : values) {
    if constexpr (std::is_floating_point_v<Value>)
      value = static_cast<Value>(random());
    else
      value.re = static_cast<decltype(value.re)>(random()), value.im = -value.re;
  }
  return values;
}

template <class Value, class Space>
bool same_bits(const Buffer<Value, Space>& a, const Buffer<Value, Space>& b) {
  const std::vector<Value> host_a = a.to_host(), host_b = b.to_host();
  return host_a.size() == host_b.size() &&
         (host_a.empty() ||
          std::memcmp(host_a.data(), host_b.data(), host_a.size() * sizeof(Value)) == 0);
}

// What a move counts as sent to the others.
template <class Action>
MessageTotals sent_by(Action action) {
  const MessageCount before = message_count();
  action();
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
template <class Kind, class Space>
bool expect_values_of_messages(Communicator& processes, const SeparableSystem& system) {
  auto sent = Kind::move(processes, system), fixed = Kind::move(processes, system);
  fixed.fix_arrays(Kind::use);
  for (int round = 0; round < 3; ++round) {
    const int seed = 10 * processes.rank() + round;
    const auto in = random_array<typename Kind::Value>(sent.in.size(), seed);
    const auto out = random_array<typename Kind::Value>(sent.out.size(), seed + 5);
    for (auto* const each : {&sent, &fixed}) each->in.upload(in);
    const bool by_pieces = round < 2;
    const auto forward = [&](auto& move) {
      return sent_by([&] { by_pieces ? move.forward_in(Kind::pieces) : move.forward(); });
    };
    const auto backward = [&](auto& move) {
      return sent_by([&] { by_pieces ? move.backward_in(Kind::pieces) : move.backward(); });
    };
    expect_same_count(forward(sent), forward(fixed));
    EXPECT_TRUE(same_bits(sent.out, fixed.out)) << "forward, round " << round;
    for (auto* const each : {&sent, &fixed}) each->out.upload(out);
    expect_same_count(backward(sent), backward(fixed));
    EXPECT_TRUE(same_bits(sent.in, fixed.in)) << "backward, round " << round;
  }
  EXPECT_FALSE(sent.pass->writes_directly());
  return fixed.pass->writes_directly();
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
  // Of which each of four processes has 2 MB or nothing.
  static std::vector<int> box() {
    return on_gpus ? std::vector{130, 256, 128} : std::vector{10, 12, 32};
  }
};
TYPED_TEST_SUITE(PeerMoves, tests::Spaces, tests::SpaceName);

template <template <class, class> class Kind, class Space, class T>
void expect_ways(const SeparableSystem& system, bool writes_directly) {
  for (const int count : tests::numbers_of_processes()) {
    if (count == 1) continue;
    tests::run_in_processes(count, [&](Communicator& processes) {
      EXPECT_EQ((expect_values_of_messages<Kind<Space, T>, Space>(processes, system)),
                writes_directly)
          << count << " processes";
    });
  }
}

template <class Space>
void expect_ways_of_all_moves(const std::vector<int>& points, bool writes_directly) {
  for (int ends = 0; ends < 3; ++ends) {
    SCOPED_TRACE("ends " + std::to_string(ends));
    const SeparableSystem system = box_of(points, ends);
    expect_ways<ToSpectrum, Space, double>(system, writes_directly);
    expect_ways<ToSpectrum, Space, float>(system, writes_directly);
    expect_ways<ToSpectrumInPieces, Space, double>(system, writes_directly);
    expect_ways<ToSpectrumInPieces, Space, float>(system, writes_directly);
    expect_ways<ToLines, Space, double>(system, writes_directly);
    expect_ways<ToLines, Space, float>(system, writes_directly);
  }
}

// On a machine whose GPUs do not reach each other's memory this fails, unless one GPU is shared.
TYPED_TEST(PeerMoves, gpus_write_to_fixed_arrays_of_others) {
  const GpuMessages as_usual(nullptr);
  expect_ways_of_all_moves<TypeParam>(this->box(), this->on_gpus);
}

// Smaller ones than 2 MB may share a block of memory with other arrays.
TYPED_TEST(PeerMoves, small_arrays_are_moved_by_messages) {
  const GpuMessages as_usual(nullptr);
  expect_ways_of_all_moves<TypeParam>({10, 12, 32}, false);
}

TYPED_TEST(PeerMoves, messages_through_memory_of_the_host_can_be_asked_for) {
  const GpuMessages through_host("host");
  expect_ways_of_all_moves<TypeParam>(this->box(), false);
}

}  // namespace hodge::linalg::tests_of_peer_moves
