// Threads that act as processes: each has a Communicator of its own, and they run the same
// function. For tests of what processes do together, without a launcher.
//
//   run_in_processes(3, [](linalg::Communicator& own) { ...; });
//
// An exception of one of them is thrown again after all have ended; the others then get
// `ProcessEnded` at their next call that waits. EXPECT_... may be used in all of them.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::tests {

struct ProcessEnded : std::runtime_error {
  ProcessEnded() : std::runtime_error("another process has ended") {}
};

// What the threads share: a meeting point for collective calls, and the messages on their way.
class ThreadHub {
 public:
  explicit ThreadHub(int size) : size_(size), parts_(static_cast<std::size_t>(size)) {}

  int size() const { return size_; }

  // Everyone brings `part`; `use` sees all parts, by rank, before anyone goes on.
  template <class Use>
  void meet(int rank, std::span<const std::byte> part, Use use) {
    std::unique_lock lock(mutex_);
    parts_[static_cast<std::size_t>(rank)].assign(part.begin(), part.end());
    wait_for_all(lock);
    use(parts_);
    wait_for_all(lock);
  }

  void send(int from, int to, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    mail_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }

  void receive(int from, int to, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    auto& box = mail_[{from, to}];
    wait_until(lock, [&] { return !box.empty(); });
    if (box.front().size() != bytes.size())
      throw std::logic_error("a message of " + std::to_string(box.front().size()) +
                             " bytes where " + std::to_string(bytes.size()) + " were expected");
    std::copy(box.front().begin(), box.front().end(), bytes.begin());
    box.pop_front();
  }

  void end_all() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  template <class Condition>
  void wait_until(std::unique_lock<std::mutex>& lock, Condition condition) {
    changed_.wait(lock, [&] { return ended_ || condition(); });
    if (ended_ && !condition()) throw ProcessEnded();
  }

  void wait_for_all(std::unique_lock<std::mutex>& lock) {
    const long long round = rounds_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++rounds_;
      changed_.notify_all();
    } else {
      wait_until(lock, [&] { return rounds_ != round; });
    }
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::byte>> parts_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> mail_;
  int arrived_ = 0;
  long long rounds_ = 0;
  bool ended_ = false;
};

class ThreadCommunicator : public linalg::Communicator {
 public:
  ThreadCommunicator(ThreadHub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_.size(); }

  void sum(std::span<std::int64_t> values) override {
    combine(values, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void maximum(std::span<double> values) override {
    combine(values, [](double a, double b) { return std::max(a, b); });
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    hub_.meet(rank_, bytes, [&](const auto& parts) {
      const auto& from = parts[static_cast<std::size_t>(root)];
      if (from.size() != bytes.size()) throw std::logic_error("broadcasts of unequal sizes");
      std::copy(from.begin(), from.end(), bytes.begin());
    });
  }
  void gather(std::span<const std::byte> own, std::span<std::byte> all,
              std::span<const std::size_t> sizes) override {
    hub_.meet(rank_, own, [&](const auto& parts) {
      auto at = all.begin();
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (parts[p].size() != sizes[p]) throw std::logic_error("a part of another size");
        at = std::copy(parts[p].begin(), parts[p].end(), at);
      }
    });
  }
  void start_exchange(std::span<const linalg::OutgoingMessage> outgoing,
                      std::span<const linalg::IncomingMessage> incoming) override {
    for (const auto& message : outgoing) hub_.send(rank_, message.to, message.bytes);
    expected_.assign(incoming.begin(), incoming.end());
  }
  void finish_exchange() override {
    for (const auto& message : expected_) hub_.receive(message.from, rank_, message.bytes);
    expected_.clear();
  }

 private:
  template <class Value, class Operation>
  void combine(std::span<Value> values, Operation operation) {
    hub_.meet(rank_, std::as_bytes(values), [&](const auto& parts) {
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (parts[p].size() != values.size_bytes())
          throw std::logic_error("lists of unequal sizes");
        for (std::size_t i = 0; i < values.size(); ++i) {
          Value other;
          std::copy_n(parts[p].data() + i * sizeof(Value), sizeof(Value),
                      reinterpret_cast<std::byte*>(&other));
          values[i] = p == 0 ? other : operation(values[i], other);
        }
      }
    });
  }

  ThreadHub& hub_;
  const int rank_;
  std::vector<linalg::IncomingMessage> expected_;
};

inline void run_in_processes(int count, const std::function<void(linalg::Communicator&)>& program) {
  ThreadHub hub(count);
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&](int rank) {
    try {
      ThreadCommunicator own(hub, rank);
      program(own);
    } catch (const ProcessEnded&) {
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      hub.end_all();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hodge::tests
