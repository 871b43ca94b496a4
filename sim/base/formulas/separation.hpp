// Formulas of place and time as sums of products, f(x, t) = sum_k g_k(t) h_k(x): a profile with a
// ramp, a window that opens at some time. Means over space are then needed of the h_k alone, once.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {

struct SeparatedTerm {
  Expression of_time, of_place;
};

inline constexpr std::size_t most_separated_terms = 4;

// Of a formula that depends on t. Empty: there is no such sum, or it has more terms. Where a g_k is
// 0 its h_k does not count, as values that a condition leaves out do not.
std::vector<SeparatedTerm> separated(const Expression& formula);

// A formula over boxes as the fields have it, on the host: by its terms where it separates.
class SeparatedFormula {
 public:
  explicit SeparatedFormula(const Expression& formula)
      : formula_(formula), terms_(separated(formula)) {}
  double over(const MeanBox& box, double t, Smooth smooth) const;

 private:
  Expression formula_;
  std::vector<SeparatedTerm> terms_;
};

}  // namespace hodge::sim
