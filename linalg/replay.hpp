// Work that is queued again and again with the same arguments: many small kernels, of which a GPU
// takes a recording faster than one by one. On the Host it is just done.
//
// What the work does must depend on nothing but its key and the values in memory, and it must not
// allocate or wait. It is done as it is at first, recorded when it comes again, and replayed from
// then on; the last few keys are kept.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "linalg/space.hpp"

namespace hodge::linalg {

struct ReplayKey {
  std::array<const void*, 2> arguments{};
  int variant = 0;
  bool operator==(const ReplayKey&) const = default;
};

template <class Space>
class Replay;

template <>
class Replay<Host> {
 public:
  template <class Work>
  void run(const ReplayKey&, Work work) {
    work();
  }
  void forget() {}
};

// As CUDA graphs.
template <>
class Replay<Cuda> {
 public:
  Replay();
  ~Replay();
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;

  void run(const ReplayKey& key, const std::function<void()>& work);
  void forget();

 private:
  struct Recordings;
  std::unique_ptr<Recordings> recordings_;
};

}  // namespace hodge::linalg
