// Values for sums that lose nothing.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "linalg/base/exact_sum.hpp"

namespace hodge::tests {

inline double exact_sum(const std::vector<double>& values) {
  linalg::ExactSum sum;
  sum.add(values);
  return sum.value();
}

// Numbers of either sign whose exponents are anywhere in lowest .. highest.
inline std::vector<double> spread(int count, int lowest, int highest, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> fraction(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(lowest, highest);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = std::ldexp(fraction(generator), exponent(generator));
  return values;
}

}  // namespace hodge::tests
