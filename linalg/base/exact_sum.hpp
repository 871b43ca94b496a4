// The exact sum of doubles: neither the order of the values nor how they were divided among several
// sums changes a bit of the result.
//
//   ExactSum sum;
//   sum.add(values);            // any number of times, in any order
//   double total = sum.value();  // the exact sum, rounded once to the nearest double, ties to even
//
// A long fixed-point number holds the sum (U. Kulisch, Computer Arithmetic and Validity, 2nd ed.,
// 2013, ch. 8): 64-bit words of which each value uses 32 bits, so that carries can wait for a
// billion additions, and sums of several processes are added word by word.
//
// Many values are added block by block: with s = 2^k above the largest of n values x,
// q = (s + x) - s is x cut to a multiple of 2^-53 s, x - q is exact, and so is the sum of all q
// (Algorithm 3.3, ExtractVector, of S. M. Rump, T. Ogita & S. Oishi, SIAM J. Sci. Comput. 31, 2008;
// for reproducible sums: J. Demmel & H. D. Nguyen, ARITH 21, 2013). The sum of all q goes to the
// long number, then x - q is treated in the same way until nothing remains: two such folds take
// 88 bits. Cost of a block of 256 values: about 0.3 us.
//
// A sum beyond the largest double is +inf or -inf. Infinities and NaN are counted: both infinities,
// or a NaN, give NaN. A sum of zero is +0.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace hodge::linalg {

class ExactSum {
 public:
  static constexpr int word_count = 70;

  void add(double value);
  void add(std::span<const double> values);
  void merge(const ExactSum& other);
  void clear();
  double value() const;

  // The sum as integers: where the words of several sums were added one by one and stored here,
  // this is the sum of all of them. For at most 2^30 sums.
  std::span<std::int64_t, word_count> words();

 private:
  void add_block(const double* values, int count);
  void add_finite(double value);
  void settle();
  void negate();

  // Word i counts multiples of 2^(32 i - 1088). The last ones count +inf, -inf and NaN.
  static constexpr int number_words = word_count - 3;

  std::array<std::int64_t, word_count> words_{};
  int first_ = number_words, last_ = 0;  // words outside first_ .. last_-1 are 0
  int deposits_ = 0;                     // additions to a word since the carries were propagated
};

}  // namespace hodge::linalg
