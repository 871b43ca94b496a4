#include "linalg/base/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#ifdef __FAST_MATH__
#error "(s + x) - s has to be computed as it is written: compile without -ffast-math"
#endif

namespace hodge::linalg {

static_assert(FLT_EVAL_METHOD == 0, "expressions of doubles have to be rounded to double");
static_assert(std::numeric_limits<double>::is_iec559);

namespace {

constexpr int word_bits = 32;
constexpr std::int64_t low_bits = 0xFFFFFFFF;
constexpr int lowest_exponent = -1088;                      // of the bits of word 0
constexpr int smallest_position = -1074 - lowest_exponent;  // of the last bit of any double
constexpr int most_deposits = 1 << 30;
constexpr int block_values = 256;  // n + 2 <= 2^9 is what the 9 below stands for

int exponent_field(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7FF);
}

double power_of_two(int field) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(field) << 52);
}

// The largest |value|; NaN is ignored.
double largest_size_of(const double* values, int count) {
  double largest = 0.0;
#pragma omp simd reduction(max : largest)
  for (int i = 0; i < count; ++i) {
    const double size = std::fabs(values[i]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

// Two folds of a block of values below 2^(field - 1022): `high` and `low` are exact sums, and
// `rest` is 0 if they contain all.
struct Folds {
  double high_unit, low_unit;
  double high = 0.0, low = 0.0;
  std::uint64_t rest = 0;

  explicit Folds(int field)
      : high_unit(power_of_two(field + 1 + 9)),
        low_unit(power_of_two(std::max(1, field + 1 + 9 - 44))) {}

  void add(const double* values, int count) {
    const double s = high_unit, t = low_unit;
    double high_sum = 0.0, low_sum = 0.0;  // exact, so that the order does not matter
    std::uint64_t bits = 0;
#pragma omp simd reduction(+ : high_sum, low_sum) reduction(| : bits)
    for (int i = 0; i < count; ++i) {
      const double x = values[i];
      const double q = (s + x) - s;
      const double r = x - q;
      const double p = (t + r) - t;
      high_sum += q;
      low_sum += p;
      bits |= std::bit_cast<std::uint64_t>(r - p);
    }
    high = high_sum;
    low = low_sum;
    rest = bits << 1;  // a zero may be negative
  }

  double rest_of(double x) const {
    const double r = x - ((high_unit + x) - high_unit);
    return r - ((low_unit + r) - low_unit);
  }
};

}  // namespace

void ExactSum::add(double value) {
  if (std::isfinite(value)) return add_finite(value);
  const int kind = std::isnan(value) ? 2 : value < 0.0 ? 1 : 0;
  ++words_[static_cast<std::size_t>(number_words + kind)];
}

void ExactSum::add_finite(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int field = exponent_field(value);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  if (mantissa == 0) return;
  if (deposits_ >= most_deposits) settle();
  ++deposits_;
  const int position = smallest_position + std::max(field, 1) - 1;
  const int word = position / word_bits, shift = position % word_bits;
  first_ = std::min(first_, word);
  last_ = std::max(last_, word + 3);
  const std::uint64_t part[3] = {mantissa << shift & low_bits,
                                 mantissa >> (word_bits - shift) & low_bits,
                                 mantissa >> 1 >> (2 * word_bits - 1 - shift)};
  const std::int64_t sign = bits >> 63 != 0 ? -1 : 1;
  for (int i = 0; i < 3; ++i)
    words_[static_cast<std::size_t>(word + i)] += sign * static_cast<std::int64_t>(part[i]);
}

void ExactSum::add(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); i += block_values)
    add_block(&values[i], static_cast<int>(std::min<std::size_t>(block_values, values.size() - i)));
}

void ExactSum::add_block(const double* values, int count) {
  double remaining[block_values];
  for (;;) {
    const int field = exponent_field(largest_size_of(values, count));
    Folds folds(std::min(field, 2000));
    if (field <= 2000) folds.add(values, count);
    if (field > 2000 || std::isnan(folds.high)) {
      for (int i = 0; i < count; ++i) add(values[i]);
      return;
    }
    add_finite(folds.high);
    add_finite(folds.low);
    if (folds.rest == 0) return;
    for (int i = 0; i < count; ++i) remaining[i] = folds.rest_of(values[i]);
    values = remaining;
  }
}

void ExactSum::merge(const ExactSum& other) {
  if (deposits_ > most_deposits - other.deposits_) {
    ExactSum settled = other;
    settled.settle();
    settle();
    if (deposits_ <= most_deposits - settled.deposits_) merge(settled);
    return;
  }
  deposits_ += other.deposits_;
  first_ = std::min(first_, other.first_);
  last_ = std::max(last_, other.last_);
  for (int i = other.first_; i < other.last_; ++i)
    words_[static_cast<std::size_t>(i)] += other.words_[static_cast<std::size_t>(i)];
  for (int i = number_words; i < word_count; ++i)
    words_[static_cast<std::size_t>(i)] += other.words_[static_cast<std::size_t>(i)];
}

void ExactSum::clear() {
  if (first_ < last_) std::fill(words_.begin() + first_, words_.begin() + last_, 0);
  std::fill(words_.begin() + number_words, words_.end(), 0);
  first_ = number_words;
  last_ = 0;
  deposits_ = 0;
}

// Propagates the carries: then all words lie in 0 .. 2^32 - 1 but the last one, which has the sign.
void ExactSum::settle() {
  deposits_ = 1;
  if (first_ >= last_) return;
  auto word = [this](int i) -> std::int64_t& { return words_[static_cast<std::size_t>(i)]; };
  for (int i = first_; i + 1 < last_; ++i) {
    word(i + 1) += word(i) >> word_bits;
    word(i) &= low_bits;
  }
  while (last_ < number_words && std::abs(word(last_ - 1)) > low_bits / 2) {
    word(last_) = word(last_ - 1) >> word_bits;
    word(last_ - 1) &= low_bits;
    ++last_;
  }
}

void ExactSum::negate() {
  for (int i = first_; i < last_; ++i)
    words_[static_cast<std::size_t>(i)] = -words_[static_cast<std::size_t>(i)];
}

std::span<std::int64_t, ExactSum::word_count> ExactSum::words() {
  settle();
  first_ = 0;
  last_ = number_words;
  deposits_ = most_deposits;
  return words_;
}

namespace {

// 64 bits of a number of settled words, from `position` on.
std::uint64_t bits_from(std::span<const std::int64_t> words, int position) {
  const int shift = position % word_bits;
  const auto word = [&](int i) {
    const auto at = static_cast<std::size_t>(position / word_bits + i);
    return at < words.size() ? static_cast<std::uint64_t>(words[at]) : 0;
  };
  return word(0) >> shift | word(1) << (word_bits - shift) |
         word(2) << 1 << (2 * word_bits - 1 - shift);
}

// The nearest double to a number of settled words without a sign, ties to even.
double nearest_double(std::span<const std::int64_t> words, int first, int top) {
  const auto top_word = static_cast<std::uint64_t>(words[static_cast<std::size_t>(top)]);
  const int top_position = top * word_bits + static_cast<int>(std::bit_width(top_word)) - 1;
  const int last_position = std::max(top_position - 52, smallest_position);
  const std::uint64_t kept = bits_from(words, last_position) & ((std::uint64_t{1} << 53) - 1);
  const int half_position = last_position - 1;
  const bool half = (bits_from(words, half_position) & 1) != 0;
  bool more =
      (static_cast<std::uint64_t>(words[static_cast<std::size_t>(half_position / word_bits)]) &
       ((std::uint64_t{1} << half_position % word_bits) - 1)) != 0;
  for (int i = first; i < half_position / word_bits; ++i)
    more = more || words[static_cast<std::size_t>(i)] != 0;
  const bool up = half && (more || kept % 2 != 0);
  return std::ldexp(static_cast<double>(kept + (up ? 1 : 0)), last_position + lowest_exponent);
}

}  // namespace

double ExactSum::value() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto counted = [this](int k) { return words_[static_cast<std::size_t>(number_words + k)]; };
  if (counted(2) != 0 || (counted(0) != 0 && counted(1) != 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (counted(0) != 0) return infinity;
  if (counted(1) != 0) return -infinity;
  if (first_ >= last_) return 0.0;
  ExactSum size = *this;
  size.settle();
  const bool negative = size.words_[static_cast<std::size_t>(size.last_ - 1)] < 0;
  if (negative) {
    size.negate();
    size.settle();
  }
  int top = size.last_ - 1;
  while (top > size.first_ && size.words_[static_cast<std::size_t>(top)] == 0) --top;
  if (size.words_[static_cast<std::size_t>(top)] == 0) return 0.0;
  const double result =
      top == number_words - 1 ? infinity : nearest_double(size.words_, size.first_, top);
  return negative ? -result : result;
}

}  // namespace hodge::linalg
