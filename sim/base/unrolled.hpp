// Loops that the compiler unrolls. The body gets its counter as a constant, so that small arrays
// stay in registers and common subexpressions of two rounds are computed once.
//
//   unrolled<Dim>([&](auto axis) { sum += u[axis](c.shifted(axis, 1)); });
#pragma once

#include <utility>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

template <int Value>
struct Fixed {
  HODGE_HD constexpr operator int() const { return Value; }
};

template <class F, int... Value>
HODGE_HD void unrolled_over(std::integer_sequence<int, Value...>, F& f) {
  (f(Fixed<Value>{}), ...);
}

// f(Fixed<0>) ... f(Fixed<Count - 1>)
template <int Count, class F>
HODGE_HD void unrolled(F f) {
  unrolled_over(std::make_integer_sequence<int, Count>(), f);
}

// f(axis, side) for the sides of a point, in the order of unknowns.hpp.
template <int Dim, class F>
HODGE_HD void for_each_side(F f) {
  unrolled<Dim>([&](auto axis) { unrolled<2>([&](auto side) { f(axis, side); }); });
}

}  // namespace hodge::sim
