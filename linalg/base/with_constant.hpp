// Makes a number that is known at run time a constant for the compiler.
#pragma once

#include <type_traits>

namespace hodge::linalg {

// Calls f(std::integral_constant<int, N>{}) with the N of the list that equals `value`, or with the
// last of them if none does.
template <int First, int... Rest, class F>
void with_constant(int value, F f) {
  if constexpr (sizeof...(Rest) > 0) {
    if (value != First) return with_constant<Rest...>(value, f);
  }
  f(std::integral_constant<int, First>{});
}

}  // namespace hodge::linalg
