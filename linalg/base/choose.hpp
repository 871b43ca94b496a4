// Chooses by a number that is known at run time, or by a type.
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

// The function for T, out of those for double and float.
template <class T, class Double, class Float>
constexpr auto for_type(Double* of_double, Float* of_float) {
  if constexpr (std::is_same_v<T, double>) {
    return of_double;
  } else {
    return of_float;
  }
}

}  // namespace hodge::linalg
