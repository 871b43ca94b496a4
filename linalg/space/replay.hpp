// Work that is queued again and again with the same arguments: many small kernels, of which a GPU
// takes a recording faster than one by one. On the Host it is just done.
//
// What the work queues must depend on nothing but its key and the values in memory, and it must
// neither allocate nor wait. Every allocation and deallocation in the space makes all recordings
// invalid, since a recording holds addresses of arrays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

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
  static bool is_in_progress();  // what is queued now belongs to a recording
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

// Names what is recorded: addresses and numbers.
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

// The recordings of the last few keys.
template <class Space, class Recorded>
class RecordingsByKey {
 public:
  // Empty where there is none for the key yet.
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

// Done as it is when it comes for the first time, recorded at the second, replayed from then on.
// The first time may still allocate.
template <class Space>
class Replay {
 public:
  template <class Work>
  void run(const ReplayKey& key, Work work) {
    if (!is_possible()) return work();
    Once& once = recordings_.of(key);
    if (once.recording.exists()) return once.recording.play();
    if (!once.seen) {
      once.seen = true;
      return work();
    }
    once.recording.make(work);
    once.recording.play();
  }
  // Whether run(key, ...) would play a recording.
  bool has(const ReplayKey& key) { return is_possible() && recordings_.of(key).recording.exists(); }

 private:
  struct Once {
    bool seen = false;
    Recording<Space> recording;
  };
  static bool is_possible() {
    return Recording<Space>::is_possible && !Recording<Space>::is_in_progress();
  }
  RecordingsByKey<Space, Once> recordings_;
};

}  // namespace hodge::linalg
