// Work that is queued again and again with the same arguments: many small kernels, of which a GPU
// takes a recording faster than one by one. On the Host it is just done.
//
// What the work queues must depend on nothing but its key and the values in memory, and it must
// neither allocate nor wait. Whatever is allocated or given back makes all recordings invalid:
// nobody asks where their arrays are now.
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
  bool exists() const { return false; }
  void make(const std::function<void()>&) {}
  void play() {}
};

// A CUDA graph.
template <>
class Recording<Cuda> {
 public:
  static constexpr bool is_possible = true;
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

// Whether something is being recorded or is about to be: what is inside of it is not recorded
// apart.
template <class Space>
bool& is_within_recording() {
  static bool within = false;
  return within;
}

// Done as it is when it comes for the first time, recorded at the second, replayed from then on.
template <class Space>
class Replay {
 public:
  template <class Work>
  void run(const ReplayKey& key, Work work) {
    if (!Recording<Space>::is_possible || is_within_recording<Space>()) return work();
    Once& once = recordings_.of(key);
    if (!once.seen) {
      once.seen = true;
      return work();
    }
    if (!once.recording.exists()) once.recording.make(work);
    once.recording.play();
  }

 private:
  struct Once {
    bool seen = false;
    Recording<Space> recording;
  };
  RecordingsByKey<Space, Once> recordings_;
};

// A loop whose iterations queue the same work, but for scalars that may change places from one to
// the next and are back after two: even and odd iterations are recorded apart.
//
// more(replays) says whether another iteration is to be queued, places() where the scalars are,
// counted() is told of an iteration that was replayed.
template <class Space>
class ReplayedLoop {
 public:
  template <class More, class Places, class Counted, class Body>
  void run(const ReplayKey& key, More more, Places places, Counted counted, Body body) {
    if (!Recording<Space>::is_possible || is_within_recording<Space>()) {
      while (more(false)) body();
      return;
    }
    Pair& pair = recordings_.of(key);
    const auto start = places();
    for (int i = 0; more(pair.is_recorded()); ++i) {
      Recording<Space>& recording = pair.recording[i % 2];
      // With both recorded the body is run no more, and what it moves stays where it is.
      if (pair.is_recorded()) {
        counted();
        recording.play();
        continue;
      }
      if (i == 2 && places() != start) pair.repeats = false;
      const WithinRecording within;
      if (i < 2 || !pair.repeats) {
        body();
      } else {
        recording.make(body);
        recording.play();
      }
    }
  }

 private:
  struct Pair {
    std::array<Recording<Space>, 2> recording;
    bool repeats = true;
    bool is_recorded() const { return recording[0].exists() && recording[1].exists(); }
  };
  struct WithinRecording {
    WithinRecording() { is_within_recording<Space>() = true; }
    ~WithinRecording() { is_within_recording<Space>() = false; }
  };
  RecordingsByKey<Space, Pair> recordings_;
};

}  // namespace hodge::linalg
