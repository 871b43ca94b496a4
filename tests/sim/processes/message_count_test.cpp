// All messages that a process sends in the steps of a flow are counted, with all of their bytes.
#include "linalg/processes/message_count.hpp"

#include <gtest/gtest.h>

#include "sim/processes/follow.hpp"
#include "sim/processes/leading_flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/small_flows.hpp"

namespace hodge::sim {
namespace {

using linalg::IncomingMessage;
using linalg::MessageCount;
using linalg::MessageKind;
using linalg::OutgoingMessage;

// Another communicator, whose calls and bytes it adds up.
class Watched final : public linalg::Communicator {
 public:
  explicit Watched(linalg::Communicator& inner) : inner_(inner) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  void sum(std::span<std::int64_t> values) override {
    add(values.size_bytes());
    inner_.sum(values);
  }
  void maximum(std::span<double> values) override {
    add(values.size_bytes());
    inner_.maximum(values);
  }
  void broadcast(std::span<std::byte> values, int root) override {
    add(values.size());
    inner_.broadcast(values, root);
  }
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t> sizes) override {
    add(own.size());
    inner_.gather(own, all, sizes);
  }
  void start_exchange(std::span<const OutgoingMessage> outgoing,
                      std::span<const IncomingMessage> incoming) override {
    for (const OutgoingMessage& message : outgoing) add(message.bytes.size());
    inner_.start_exchange(outgoing, incoming);
  }
  void finish_exchange() override { inner_.finish_exchange(); }

  std::int64_t messages = 0, bytes = 0;

 private:
  void add(std::size_t of_message) {
    ++messages;
    bytes += static_cast<std::int64_t>(of_message);
  }
  linalg::Communicator& inner_;
};

FlowInput box(const std::string& scheme, const linalg::SolverSettings& pressure) {
  test::FlowSketch sketch = test::flows::cavity(3);
  for (int d = 0; d < 3; ++d) sketch.axes[d] = test::uneven(d == 2 ? 11 : 9, 0, 1);
  FlowInput input{test::flow_settings(3, 1), test::problem_of(sketch)};
  input.settings.grid.axes = sketch.axes;
  input.settings.time.scheme = scheme;
  static_cast<linalg::SolverSettings&>(input.settings.pressure) = pressure;
  return input;
}

// The messages of process 0 in two steps with their diagnostics, behind two that settle.
MessageCount counted(const FlowInput& input) {
  MessageCount count;
  tests::run_in_processes(3, [&](linalg::Communicator& own) {
    if (own.rank() > 0) return follow(own, [&](const std::string&, bool) { return input; });
    Watched watched(own);
    FlowLeader leader(watched);
    const auto flow = make_leading_flow(leader, input.settings, input.problem, "the file");
    const auto step = [&] {
      const StepReport report = flow->advance(0.01);
      EXPECT_TRUE(report.ok) << report.failure;
      (void)flow->diagnostics();
    };
    step();
    step();
    const std::int64_t messages = watched.messages, bytes = watched.bytes;
    count -= linalg::message_count();
    step();
    step();
    count += linalg::message_count();
    EXPECT_EQ(count.all().messages, watched.messages - messages);
    EXPECT_EQ(count.all().bytes, watched.bytes - bytes);
  });
  return count;
}

TEST(MessageCount, has_all_messages_of_steps_with_direct_solves) {
  for (const char* scheme : {"rk3", "bdf2"}) {
    SCOPED_TRACE(scheme);
    const MessageCount count =
        counted(box(scheme, {.method = "direct", .preconditioner = {"none"}}));
    EXPECT_GT(count[MessageKind::neighbours].bytes, 0);
    EXPECT_GT(count[MessageKind::reductions].calls, 0);
    EXPECT_GT(count[MessageKind::decisions].calls, 0);
    EXPECT_GT(count[MessageKind::line_ends].bytes, 0);
  }
}

TEST(MessageCount, has_all_messages_of_steps_with_iterations) {
  const MessageCount count =
      counted(box("bdf2", {.method = "cg", .preconditioner = {"multigrid"}}));
  EXPECT_EQ(count[MessageKind::line_ends].calls, 0);
  EXPECT_GT(count[MessageKind::gathers].bytes, 0);
}

TEST(MessageCount, a_message_counts_when_it_is_sent) {
  const linalg::MessageTotals before = linalg::message_count()[MessageKind::neighbours];
  const std::array<std::byte, 5> bytes{};
  const OutgoingMessage outgoing[] = {{1, bytes}, {2, std::span(bytes).first(3)}};
  {
    const linalg::CountedMessages counted(MessageKind::neighbours, outgoing);
    const linalg::CountedMessages waiting(MessageKind::neighbours);
    const linalg::CountedMessages none(MessageKind::neighbours, std::span<const OutgoingMessage>());
  }
  const linalg::MessageTotals& after = linalg::message_count()[MessageKind::neighbours];
  EXPECT_EQ(after.calls - before.calls, 1);
  EXPECT_EQ(after.messages - before.messages, 2);
  EXPECT_EQ(after.bytes - before.bytes, 8);
  EXPECT_GT(after.seconds, before.seconds);
}

}  // namespace
}  // namespace hodge::sim
