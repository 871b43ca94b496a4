// The processes that share a problem, and the messages between them.
//
// Every process runs the same program on its part of the rows. Calls marked `collective` have to be
// made by all processes, in the same order and with the same sizes. One process is the case with no
// neighbours: its sums are its own, and nothing is sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hodge::linalg {

// Bytes for process `to`. The memory has to stay as it is until finish_exchange().
struct OutgoingMessage {
  int to = 0;
  std::span<const std::byte> bytes;
};

// Where bytes from process `from` are stored; their number is known beforehand.
struct IncomingMessage {
  int from = 0;
  std::span<std::byte> bytes;
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  // 0 .. size() - 1
  virtual int size() const = 0;

  // Collective. Each value becomes its sum over all processes. Integers have no rounding, so the
  // order of the sum does not matter.
  virtual void sum(std::span<std::int64_t> values) = 0;
  // Collective. Each value becomes its maximum over all processes. No value may be NaN.
  virtual void maximum(std::span<double> values) = 0;
  // Collective. `bytes` of process `root` replaces that of the others.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  // Collective. all = the `own` of process 0, that of process 1, ...; sizes[p] is the number of
  // bytes of process p.
  virtual void gather(std::span<const std::byte> own, std::span<std::byte> all,
                      std::span<const std::size_t> sizes) = 0;
  // Messages between processes that name each other; those of a pair arrive in the order in which
  // they are listed. Work that does not touch them may be done between start and finish.
  virtual void start_exchange(std::span<const OutgoingMessage> outgoing,
                              std::span<const IncomingMessage> incoming) = 0;
  virtual void finish_exchange() = 0;

  // What a space keeps to send messages between these processes (space/message_primitives.hpp).
  std::shared_ptr<void>& kept_by_space() { return kept_by_space_; }

 private:
  std::shared_ptr<void> kept_by_space_;
};

// The communicator of a process that shares nothing.
Communicator& one_process();

}  // namespace hodge::linalg
