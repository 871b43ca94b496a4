// Means of a formula that separates (base/formulas/separation.hpp), at a time: sums of the means of
// its parts that depend on the place.
#pragma once

#include <cstddef>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/separation.hpp"

namespace hodge::sim {

// sum_k factor_k values_k; terms whose factor is 0 do not count.
struct SeparatedMeans {
  int terms = 0;
  double factor[most_separated_terms] = {};
  const double* values[most_separated_terms] = {};

  void add(double times, const double* means) {
    factor[terms] = times;
    values[terms++] = means;
  }
  HODGE_HD double at(int i) const {
    double sum = 0;
    for (int k = 0; k < terms; ++k)
      if (factor[k] != 0) sum += factor[k] * values[k][i];
    return sum;
  }
};

template <class Space>
void sum_separated(const SeparatedMeans& terms, int size, double* means) {
  linalg::for_each<Space>(size, [=] HODGE_LAMBDA(int i) { means[i] = terms.at(i); });
}

}  // namespace hodge::sim
