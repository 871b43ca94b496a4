// Doubles as integers of many bits, for exact sums on the host and on a GPU.
//
// The long number of exact_sum.hpp has 67 words of 32 bits each, kept in 64: word i counts
// multiples of 2^(32 i - 1088). Positions of bits are counted from the lowest bit of word 0. Values
// that are not far from each other are added as 128-bit integers first (WideInteger), and their sum
// goes to four words.
#pragma once

#include <bit>
#include <cstdint>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

namespace fixed_point {

inline constexpr int number_words = 67;
inline constexpr int lowest_exponent = -1088;  // of bit 0 of word 0
inline constexpr int smallest_position = 14;   // of the lowest bit of any double: 2^-1074
inline constexpr int reach = 43;               // 53 + 43 bits: see wide_value()

HODGE_HD inline std::uint64_t bits_of(double value) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  return std::bit_cast<std::uint64_t>(value);
#endif
}

HODGE_HD inline double double_of(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return std::bit_cast<double>(bits);
#endif
}

// Of a number that is not 0.
HODGE_HD inline int leading_zeros(std::uint64_t number) {
#ifdef __CUDA_ARCH__
  return __clzll(static_cast<long long>(number));
#else
  return std::countl_zero(number);
#endif
}

HODGE_HD inline int exponent_field(double value) {
  return static_cast<int>(bits_of(value) >> 52 & 0x7FF);
}

// Of the lowest bit of a double with this exponent field.
HODGE_HD inline int position_of(int field) {
  return smallest_position + (field > 1 ? field - 1 : 0);
}

// Where wide integers begin whose largest value has this exponent field: `reach` bits below its
// lowest one, but not below word 0. The sum of 2^11 values then has at most 53 + reach + 11 bits.
HODGE_HD inline int base_for(int field) {
  const int base = position_of(field) - reach;
  return base > 0 ? base : 0;
}

}  // namespace fixed_point

// Of 128 bits, in two's complement.
struct WideInteger {
  std::uint64_t low = 0, high = 0;

  HODGE_HD bool is_negative() const { return high >> 63 != 0; }
  HODGE_HD WideInteger operator-() const {
    return {~low + 1, ~high + (low == 0 ? std::uint64_t{1} : std::uint64_t{0})};
  }
  HODGE_HD void operator+=(const WideInteger& other) {
    low += other.low;
    high += other.high + (low < other.low ? std::uint64_t{1} : std::uint64_t{0});
  }
  // Bits from `shift` on, 0 <= shift < 128, of a number without a sign.
  HODGE_HD std::uint64_t bits_from(int shift) const {
    if (shift >= 64) return high >> (shift - 64);
    return shift == 0 ? low : low >> shift | high << (64 - shift);
  }
};

namespace fixed_point {

// A finite double as a multiple of the unit at position `base`, where its own lowest bit is at most
// `reach` above.
HODGE_HD inline WideInteger wide_value(double value, int base) {
  const std::uint64_t bits = bits_of(value);
  const int field = exponent_field(value), shift = position_of(field) - base;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const WideInteger size{mantissa << shift, shift == 0 ? 0 : mantissa >> (64 - shift)};
  return bits >> 63 != 0 ? -size : size;
}

// What a wide integer at position `base` adds to word base / 32 + i, i = 0 .. 3: 32 bits without a
// sign, and to the last one the rest with its sign.
HODGE_HD inline std::int64_t part_for_word(const WideInteger& number, int base, int i) {
  const int shift = base % 32;
  constexpr std::uint64_t low_bits = 0xFFFFFFFF;
  if (i == 0) return static_cast<std::int64_t>(number.low << shift & low_bits);
  if (i == 1) return static_cast<std::int64_t>(number.low >> (32 - shift) & low_bits);
  if (i == 2)
    return static_cast<std::int64_t>((number.high << shift | number.low >> 1 >> (63 - shift)) &
                                     low_bits);
  return static_cast<std::int64_t>(number.high) >> (32 - shift);
}

// The nearest double to size * 2^exponent, ties to even; `more`: some bits below were cut off. The
// size has no sign, and with `more` at least 65 bits.
HODGE_HD inline double nearest_double(const WideInteger& size, bool more, int exponent) {
  if (size.low == 0 && size.high == 0) return 0.0;
  const int top = size.high != 0 ? 127 - leading_zeros(size.high) : 63 - leading_zeros(size.low);
  constexpr int least = -1074, most = 971;  // exponents of the last bit of doubles
  int last = exponent + top - 52;
  if (last < least) last = least;
  if (last > most) return double_of(std::uint64_t{0x7FF} << 52);
  const int shift = last - exponent;
  std::uint64_t kept = shift <= 0 ? size.low << -shift : size.bits_from(shift);
  if (shift > 0) {
    const int half_place = shift - 1;
    const bool half = (size.bits_from(half_place) & 1) != 0;
    const std::uint64_t below_low =
        half_place >= 64 ? size.low : size.low & ((std::uint64_t{1} << half_place) - 1);
    const std::uint64_t below_high =
        half_place > 64 ? size.high & ((std::uint64_t{1} << (half_place - 64)) - 1) : 0;
    if (half && (more || below_low != 0 || below_high != 0 || kept % 2 != 0)) ++kept;
  }
  // The leading bit of a normal number raises the exponent field by one, and so does a carry.
  return double_of((static_cast<std::uint64_t>(last - least) << 52) + kept);
}

// The top 128 bits of a number of 32-bit digits that come from the lowest to the highest one.
class TopDigits {
 public:
  HODGE_HD void push(std::uint32_t digit) {
    ++count_;
    if (digit == 0) return;
    for (; pushed_ + 1 < count_; ++pushed_) shift_in(0);
    shift_in(digit);
    ++pushed_;
  }
  // `first`: the word of the first digit.
  HODGE_HD double nearest(int first) const {
    return nearest_double(window_, more_, 32 * (first + pushed_ - 4) + lowest_exponent);
  }

 private:
  HODGE_HD void shift_in(std::uint32_t digit) {
    more_ = more_ || (window_.low & 0xFFFFFFFF) != 0;
    window_.low = window_.low >> 32 | window_.high << 32;
    window_.high = window_.high >> 32 | static_cast<std::uint64_t>(digit) << 32;
  }

  WideInteger window_;
  bool more_ = false;
  int count_ = 0, pushed_ = 0;  // pushed_: but for zeros that no other digit has followed yet
};

// The nearest double to the number of the words first .. last, word(i) being the sum of what was
// added to word i, below 2^62 in size; all others are 0.
template <class Word>
HODGE_HD double nearest_of_words(const Word& word, int first, int last) {
  std::int64_t carry = 0;
  for (int i = first; i <= last; ++i) carry = (word(i) + carry) >> 32;
  const bool negative = carry < 0;
  carry = 0;
  TopDigits digits;
  for (int i = first; i <= last; ++i) {
    carry += negative ? -word(i) : word(i);
    digits.push(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  for (; carry != 0; carry >>= 32) digits.push(static_cast<std::uint32_t>(carry));
  const double size = digits.nearest(first);
  return negative ? -size : size;
}

}  // namespace fixed_point

}  // namespace hodge::linalg
