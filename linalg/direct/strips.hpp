// Strips of an array: runs of adjacent values that begin a stride apart, and copies of many of them
// in one pass. Not guarded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "linalg/base/macros.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// `count` times `length` adjacent values, which begin `stride` apart.
struct Strips {
  std::ptrdiff_t first = 0, length = 0, count = 0, stride = 0;

  std::ptrdiff_t size() const { return length * count; }
  bool are_adjacent() const { return count <= 1 || stride == length; }
  Strips packed_at(std::ptrdiff_t place) const { return {place, length, count, length}; }
};

// By process: its strips of the own array, in the order in which they are sent.
using StripsOfProcesses = std::vector<std::vector<Strips>>;

// The strips of the two arrays of a move; `to` of another process has as many for this one as
// `from` has for it.
struct MovedStrips {
  StripsOfProcesses from, to;
};

// Strips of one array and as many of another, of the same length.
struct StripPair {
  struct Place {
    std::ptrdiff_t first, stride;
    HODGE_HD std::ptrdiff_t begin(int strip) const { return first + strip * stride; }
  };
  Place one, other;
  int length, count;

  StripPair(const Strips& a, const Strips& b)
      : one{a.first, a.stride},
        other{b.first, b.stride},
        length(static_cast<int>(a.length)),
        count(static_cast<int>(a.count)) {}
};

// A list of pairs in the memory of the space.
template <class Space>
class StripPairs {
 public:
  StripPairs() = default;
  explicit StripPairs(const std::vector<StripPair>& pairs)
      : pairs_(std::span<const StripPair>(pairs)) {
    for (const StripPair& pair : pairs) {
      longest_ = std::max(longest_, pair.length);
      most_ = std::max(most_, pair.count);
    }
  }

  const StripPair* data() const { return pairs_.data(); }
  int size() const { return static_cast<int>(pairs_.size()); }
  int longest() const { return longest_; }  // strip
  int most() const { return most_; }        // strips of a pair

 private:
  Buffer<StripPair, Space> pairs_;
  int longest_ = 0, most_ = 0;
};

// out(other strips) = in(strips) of each pair, or the same back.
template <class Space, class Value>
void copy_strips(const StripPairs<Space>& pairs, bool back, const Value* in, Value* out);

}  // namespace hodge::linalg
