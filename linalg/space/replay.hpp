// Work that is queued many times with the same arguments. A GPU launches a recording of many small
// kernels faster than the kernels one by one; on the Host the work simply runs.
//
// The work must queue the same kernels with the same arguments whenever its key is the same, and it
// must neither allocate nor wait. Where processes share the rows that it sums
// (processes/shared_rows.hpp), its messages are recorded, too, if they can be. A recording holds
// addresses of arrays, so every allocation and deallocation in the space makes all recordings
// invalid.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "linalg/processes/message_count.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <class Space>
class Recording;

template <>
class Recording<Host> {
 public:
  static constexpr bool is_possible = false;
  static bool is_in_progress() { return false; }
  bool exists() const { return false; }
  void make(const std::function<void()>&) {}
  void play() {}
};

// A CUDA graph.
template <>
class Recording<Cuda> {
 public:
  static constexpr bool is_possible = true;
  static bool is_in_progress();  // a recording is being made: kernels are recorded, not run
  Recording();
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  bool exists() const { return graph_ != nullptr; }
  // Records what `work` queues, instead of running it.
  void make(const std::function<void()>& work);
  void play();

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

// Identifies a recording by the addresses and numbers that its work depends on.
class ReplayKey {
 public:
  ReplayKey() = default;
  template <class... Parts>
  explicit ReplayKey(const Parts&... parts) : used_(true) {
    static_assert(sizeof...(parts) <= capacity);
    int i = 0;
    ((part_[i++] = number(parts)), ...);
  }
  bool operator==(const ReplayKey&) const = default;

 private:
  static constexpr int capacity = 12;
  static std::uint64_t number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
  }
  static std::uint64_t number(std::uint64_t value) { return value; }
  static std::uint64_t number(int value) { return static_cast<std::uint64_t>(value); }

  bool used_ = false;
  std::array<std::uint64_t, capacity> part_{};
};

// Changes with every allocation and deallocation in the space, and with its guard.
template <class Space>
ReplayKey replay_epoch();
template <>
inline ReplayKey replay_epoch<Host>() {
  return {};
}
template <>
ReplayKey replay_epoch<Cuda>();

// The recordings of the last eight keys.
template <class Space, class Recorded>
class RecordingsByKey {
 public:
  // A default-constructed one where the key is new; the oldest entry makes room for it.
  Recorded& of(const ReplayKey& key) {
    const ReplayKey epoch = replay_epoch<Space>();
    for (Entry& entry : entries_)
      if (entry.key == key && entry.epoch == epoch) return entry.recorded;
    Entry& oldest = entries_[next_];
    next_ = (next_ + 1) % entries_.size();
    oldest = Entry{key, epoch, Recorded{}};
    return oldest.recorded;
  }

 private:
  struct Entry {
    ReplayKey key, epoch;
    Recorded recorded;
  };
  std::array<Entry, 8> entries_;
  std::size_t next_ = 0;
};

// Runs the work of a key plainly the first time, when it may still allocate; records it the second
// time; replays the recording from then on.
template <class Space>
class Replay {
 public:
  template <class Work>
  void run(const ReplayKey& key, Work work) {
    if (!is_possible()) return work();
    Once& once = recordings_.of(key);
    if (once.recording.exists()) {
      count_messages(once.messages);
      return once.recording.play();
    }
    if (!once.seen) {
      once.seen = true;
      return work();
    }
    const MessageCount before = message_count();
    once.recording.make(work);
    once.messages = message_count();
    once.messages -= before;
    once.recording.play();
  }
  // Whether run(key, ...) would play a recording.
  bool has(const ReplayKey& key) { return is_possible() && recordings_.of(key).recording.exists(); }

 private:
  struct Once {
    bool seen = false;
    MessageCount messages;  // of one play
    Recording<Space> recording;
  };
  static bool is_possible() {
    if constexpr (Recording<Space>::is_possible) {
      const SharedRows& rows = shared_rows();
      return !Recording<Space>::is_in_progress() &&
             (!rows.is_shared() || Space::can_record_messages(*rows.processes));
    }
    return false;
  }
  RecordingsByKey<Space, Once> recordings_;
};

}  // namespace hodge::linalg
