// How many messages this process has sent, by kind, and how long it has waited for them. For
// measurements: whoever sends messages in every step or iteration counts them here.
//
//   const CountedMessages counted(MessageKind::neighbours, outgoing);   // lives until they arrived
//
// The counts are those of the calling thread. A recording counts its messages each time that it is
// played (space/replay.hpp). Where NCCL carries messages from GPU to GPU they are only queued, so
// that the seconds say nothing there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "linalg/base/timing.hpp"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

enum class MessageKind {
  neighbours,  // to the processes that have the layers beside the own ones
  line_ends,   // in rounds of few processes: values at the cuts of lines
  gathers,     // each process gets the values of all
  reductions,  // sums and maxima over all processes
  decisions,   // what process 0 says to all, in memory of the host
};
inline constexpr std::size_t message_kinds = 5;
inline constexpr std::array<const char*, message_kinds> message_kind_names{
    "neighbours", "line_ends", "gathers", "reductions", "decisions"};

struct MessageTotals {
  std::int64_t calls = 0;     // each of one message or more
  std::int64_t messages = 0;  // to one process each; of a collective call one
  std::int64_t bytes = 0;     // sent by this process; of a reduction those of its values
  double seconds = 0;         // from the start of the calls until the messages have arrived
};

struct MessageCount {
  std::array<MessageTotals, message_kinds> of_kind{};

  MessageTotals& operator[](MessageKind kind) { return of_kind[static_cast<std::size_t>(kind)]; }
  const MessageTotals& operator[](MessageKind kind) const {
    return of_kind[static_cast<std::size_t>(kind)];
  }
  MessageTotals all() const {
    MessageTotals sum;
    for (const MessageTotals& one : of_kind) add(sum, one, 1);
    return sum;
  }
  MessageCount& operator+=(const MessageCount& other) { return add(other, 1); }
  MessageCount& operator-=(const MessageCount& other) { return add(other, -1); }

 private:
  static void add(MessageTotals& sum, const MessageTotals& one, int sign) {
    sum.calls += sign * one.calls;
    sum.messages += sign * one.messages;
    sum.bytes += sign * one.bytes;
    sum.seconds += sign * one.seconds;
  }
  MessageCount& add(const MessageCount& other, int sign) {
    for (std::size_t k = 0; k < message_kinds; ++k) add(of_kind[k], other.of_kind[k], sign);
    return *this;
  }
};

namespace detail {
inline thread_local MessageCount messages_of_this_thread;
}

// Since the start of the thread.
inline const MessageCount& message_count() {
  return detail::messages_of_this_thread;
}

// Messages that are sent without a call of their sender: those of a recording.
inline void count_messages(const MessageCount& sent) {
  detail::messages_of_this_thread += sent;
}

// Counts messages when it is made, and the time until its end.
class CountedMessages {
 public:
  // Waits for messages that are counted already.
  explicit CountedMessages(MessageKind kind) : totals_(detail::messages_of_this_thread[kind]) {}
  CountedMessages(MessageKind kind, std::span<const OutgoingMessage> outgoing)
      : CountedMessages(kind) {
    for (const OutgoingMessage& message : outgoing) {
      ++totals_.messages;
      totals_.bytes += static_cast<std::int64_t>(message.bytes.size());
    }
    totals_.calls += outgoing.empty() ? 0 : 1;
  }
  // A collective call, to which this process gives so many bytes.
  CountedMessages(MessageKind kind, std::size_t bytes) : CountedMessages(kind) {
    ++totals_.calls;
    ++totals_.messages;
    totals_.bytes += static_cast<std::int64_t>(bytes);
  }
  ~CountedMessages() { totals_.seconds += clock_.seconds(); }
  CountedMessages(const CountedMessages&) = delete;
  CountedMessages& operator=(const CountedMessages&) = delete;

 private:
  MessageTotals& totals_;
  Clock clock_;
};

}  // namespace hodge::linalg
