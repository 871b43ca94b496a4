// Exact sums on a GPU: a warp adds its values as wide integers (base/fixed_point.hpp) to the words
// of a long number in memory, which several warps, blocks and processes fill in any order, and
// turns the words into the nearest double. Integers have no rounding: no order changes a bit.
//
// Words are those of ExactSum (base/exact_sum.hpp): 67 of the number, then how often +inf, -inf
// and NaN were added.
#pragma once

#include <cstdint>

#include "linalg/base/exact_sum.hpp"
#include "linalg/base/fixed_point.hpp"

namespace hodge::linalg::cuda {

using Word = unsigned long long;  // a signed number; the type of atomic additions

inline constexpr int words_of_sum = ExactSum::word_count;
static_assert(words_of_sum == fixed_point::number_words + 3);
inline constexpr unsigned all_lanes = 0xffffffffu;

__device__ inline int lane_of_warp() {
  return static_cast<int>(threadIdx.x % 32);
}

__device__ inline int warp_maximum(int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(all_lanes, value);
#else
  for (int offset = 16; offset > 0; offset /= 2)
    value = max(value, __shfl_xor_sync(all_lanes, value, offset));
  return value;
#endif
}

__device__ inline unsigned warp_sum(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(all_lanes, value, offset);
  return value;
#endif
}

// Of numbers below 2^103 in size: in limbs of 26 bits, of which 32 lanes have sums of 31 bits.
__device__ inline WideInteger warp_sum(const WideInteger& value) {
  constexpr std::uint64_t limb = (1u << 26) - 1;
  const auto sum_of = [](std::uint64_t part) {
    return static_cast<std::uint64_t>(warp_sum(static_cast<unsigned>(part & limb)));
  };
  const std::uint64_t first = sum_of(value.low), second = sum_of(value.low >> 26);
  const std::uint64_t third = sum_of(value.low >> 52 | value.high << 12);
  // 14 = 3 * 26 - 64; in 32 bits with its sign, which holds for the sum as well.
  const auto rest = static_cast<std::int64_t>(value.high) >> 14;
  const auto fourth = static_cast<std::int64_t>(
      static_cast<int>(warp_sum(static_cast<unsigned>(static_cast<int>(rest)))));
  WideInteger sum{first, 0};
  sum += {second << 26, 0};
  sum += {third << 52, third >> 12};
  sum += {0, static_cast<std::uint64_t>(fourth) << 14};
  return sum;
}

// The values of a warp, PerLane in each lane, that are not in a sum yet.
template <int PerLane>
struct WarpValues {
  static_assert(PerLane <= 8, "sums of 53 + 43 + 3 + 5 bits");
  double value[PerLane];

  // Takes those away that are not finite and counts them; false if there are none.
  __device__ bool count_not_finite(Word* words) {
    bool any = false;
#pragma unroll
    for (int j = 0; j < PerLane; ++j) any = any || fixed_point::exponent_field(value[j]) == 0x7FF;
    if (!__any_sync(all_lanes, any)) return false;
#pragma unroll
    for (int j = 0; j < PerLane; ++j) {
      const double v = value[j];
      if (fixed_point::exponent_field(v) != 0x7FF) continue;
      const int kind = v != v ? 2 : v < 0.0 ? 1 : 0;
      atomicAdd(words + fixed_point::number_words + kind, Word{1});
      value[j] = 0.0;
    }
    return true;
  }

  // The sum of the values that are near the largest one, as a multiple of the unit at position
  // `base`; false where others are left.
  __device__ bool take(WideInteger& sum, int& base) {
    int field = 0;
#pragma unroll
    for (int j = 0; j < PerLane; ++j) field = max(field, fixed_point::exponent_field(value[j]));
    base = fixed_point::base_for(warp_maximum(field));
    WideInteger own;
    bool left = false;
#pragma unroll
    for (int j = 0; j < PerLane; ++j) {
      if (fixed_point::position_of(fixed_point::exponent_field(value[j])) >= base) {
        own += fixed_point::wide_value(value[j], base);
        value[j] = 0.0;
      } else {
        left = left || value[j] != 0.0;
      }
    }
    sum = warp_sum(own);
    return !__any_sync(all_lanes, left);
  }
};

__device__ inline void add_to_words(const WideInteger& sum, int base, Word* words) {
  const int lane = lane_of_warp();
  if (lane >= 4) return;
  const std::int64_t part = fixed_point::part_for_word(sum, base, lane);
  if (part != 0) atomicAdd(words + base / 32 + lane, static_cast<Word>(part));
}

// Adds the values of a warp. If `alone`, and one round takes all of them, then nothing is added,
// and the result is true, with the sum rounded to the nearest double.
template <int PerLane>
__device__ bool add_exactly(WarpValues<PerLane> values, Word* words, bool alone, double& total) {
  if (values.count_not_finite(words)) alone = false;
  WideInteger sum;
  int base = 0;
  bool done = values.take(sum, base);
  if (done && alone) {
    const bool negative = sum.is_negative();
    total = fixed_point::nearest_double(negative ? -sum : sum, false,
                                        base + fixed_point::lowest_exponent);
    if (negative) total = -total;
    return true;
  }
  add_to_words(sum, base, words);
  while (!done) {
    done = values.take(sum, base);
    add_to_words(sum, base, words);
  }
  return false;
}

// The words of a sum, in the lanes of a warp. What was added before has to be seen by the warp.
struct WarpWords {
  static constexpr int rounds = (words_of_sum + 31) / 32;
  long long word[rounds];

  __device__ explicit WarpWords(const Word* words) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const int i = 32 * r + lane_of_warp();
      word[r] = i < words_of_sum ? static_cast<long long>(__ldcg(words + i)) : 0;
    }
  }
  // The words become 0 in memory, as the next sum needs them.
  __device__ void clear(Word* words) const {
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      if (word[r] != 0) words[32 * r + lane_of_warp()] = 0;
  }
  __device__ std::int64_t at(int i) const {
    const long long own = i < 32 ? word[0] : i < 64 ? word[1] : word[2];
    return static_cast<std::int64_t>(__shfl_sync(all_lanes, own, i % 32));
  }
  // The nearest double, in all lanes.
  __device__ double nearest() const {
    int first = words_of_sum, last = 0;
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const bool in_number = word[r] != 0 && 32 * r + lane_of_warp() < fixed_point::number_words;
      const unsigned used = __ballot_sync(all_lanes, in_number);
      if (used == 0) continue;
      first = min(first, 32 * r + __ffs(static_cast<int>(used)) - 1);
      last = 32 * r + 31 - __clz(static_cast<int>(used));
    }
    constexpr int counts = fixed_point::number_words;
    const bool positive = at(counts) != 0, negative = at(counts + 1) != 0;
    const bool nan = at(counts + 2) != 0;
    const double sum = fixed_point::nearest_of_words([this](int i) { return at(i); }, first, last);
    const double infinity = fixed_point::double_of(std::uint64_t{0x7FF} << 52);
    if (nan || (positive && negative)) return fixed_point::double_of(std::uint64_t{0xFFF} << 51);
    return positive ? infinity : negative ? -infinity : sum;
  }
};

}  // namespace hodge::linalg::cuda
