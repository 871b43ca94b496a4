// Programs of formulas (instructions.hpp) evaluated over a box: bounds of the values, and whether
// all points of the box, but for a set of measure 0, take the same branches.
//
// A branch is what makes a formula piecewise: the truth of a condition, the smaller of min, the
// sign in abs, the whole part in floor, the rows of a table. Where every branch is decided the
// formula is smooth in the box. Branches that a decided condition leaves out do not count. Bounds
// are those of interval arithmetic (R. E. Moore, Interval Analysis, 1966) without outward rounding.
#pragma once

#include <cmath>

#include "sim/base/formulas/instructions.hpp"

#ifdef __CUDACC__
#define HODGE_APART __noinline__
#else
#define HODGE_APART __attribute__((noinline))
#endif

namespace hodge::sim {

struct Interval {
  double lower, upper;

  HODGE_HD bool is_point() const { return lower == upper; }
  HODGE_HD bool contains(double x) const { return lower <= x && x <= upper; }
  // As a truth value: what is no 0, and 0.
  HODGE_HD bool is_true() const { return lower > 0 || upper < 0; }
  HODGE_HD bool is_false() const { return lower == 0 && upper == 0; }
};

HODGE_HD inline Interval anything() {
  return {-INFINITY, INFINITY};
}

// The bounds in order; where one of them is no number nothing is known.
HODGE_HD inline Interval between_values(double a, double b) {
  if (a <= b) return {a, b};
  if (b <= a) return {b, a};
  return anything();
}

HODGE_HD inline Interval hull(const Interval& a, const Interval& b) {
  return {a.lower < b.lower ? a.lower : b.lower, a.upper > b.upper ? a.upper : b.upper};
}

HODGE_HD inline Interval of_corners(double a, double b, double c, double d) {
  if (!(a == a && b == b && c == c && d == d)) return anything();
  return hull(between_values(a, b), between_values(c, d));
}

// The steps of floor, ceil and round: decided where both ends are on the same one. An end that only
// touches the next step does not count.
HODGE_HD inline Interval of_steps(Operation operation, const Interval& a, bool& undecided) {
  const double below = value_of_one(operation, a.lower), above = value_of_one(operation, a.upper);
  if (below == above) return {below, above};
  const double within = value_of_one(operation, 0.5 * a.lower + 0.5 * a.upper);
  const bool touches_above = operation == Operation::floor && above == a.upper && within == below;
  const bool touches_below = operation == Operation::ceil && below == a.lower && within == above;
  if ((touches_above && above - below == 1) || (touches_below && above - below == 1))
    return {within, within};
  undecided = true;
  return between_values(below, above);
}

HODGE_HD inline Interval of_whole_power(const Interval& a, int n) {
  const double below = whole_power(a.lower, n), above = whole_power(a.upper, n);
  if (!a.contains(0) || (n > 0 && n % 2 != 0)) return between_values(below, above);
  if (n < 0) return anything();
  return {0.0, below > above ? below : above};
}

// sin, cos: no steeper than 1.
HODGE_HD inline Interval of_wave(Operation operation, const Interval& a) {
  const double reach = 0.5 * (a.upper - a.lower);
  if (!(reach < 2)) return {-1.0, 1.0};
  const double middle = value_of_one(operation, 0.5 * a.lower + 0.5 * a.upper);
  const double lower = middle - reach, upper = middle + reach;
  return {lower < -1 ? -1.0 : lower, upper > 1 ? 1.0 : upper};
}

HODGE_HD inline Interval interval_of_one(Operation operation, Interval a, bool& undecided) {
  constexpr double pi = 3.14159265358979323846;
  if (operation == Operation::sin || operation == Operation::cos) return of_wave(operation, a);
  if (operation == Operation::floor || operation == Operation::ceil ||
      operation == Operation::round)
    return of_steps(operation, a, undecided);
  if (operation == Operation::tan &&
      std::floor(a.lower / pi - 0.5) != std::floor(a.upper / pi - 0.5))
    return anything();
  if (operation == Operation::sqrt && a.lower < 0 && a.upper >= 0) a.lower = 0;
  const Interval ends =
      between_values(value_of_one(operation, a.lower), value_of_one(operation, a.upper));
  if (operation == Operation::cosh && a.contains(0)) return {1.0, ends.upper};
  const bool crosses_zero = a.lower < 0 && a.upper > 0;
  if (operation == Operation::abs && crosses_zero) {
    undecided = true;
    return {0.0, ends.upper};
  }
  if (operation != Operation::sign || a.is_point()) return ends;
  undecided = undecided || crosses_zero;
  return crosses_zero ? ends : (a.lower < 0 ? Interval{-1.0, -1.0} : Interval{1.0, 1.0});
}

HODGE_HD inline Interval interval_of_power(const Interval& a, const Interval& b) {
  if (b.is_point() && b.lower == std::floor(b.lower) && std::fabs(b.lower) < 1e6)
    return of_whole_power(a, static_cast<int>(b.lower));
  if (!(a.lower >= 0)) return anything();
  return of_corners(std::pow(a.lower, b.lower), std::pow(a.lower, b.upper),
                    std::pow(a.upper, b.lower), std::pow(a.upper, b.upper));
}

HODGE_HD inline Interval interval_of_modulo(const Interval& a, const Interval& b, bool& undecided) {
  if (!b.is_point() || b.lower == 0) {
    undecided = true;
    return anything();
  }
  const Interval turns =
      of_steps(Operation::floor, between_values(a.lower / b.lower, a.upper / b.lower), undecided);
  if (turns.is_point())
    return between_values(a.lower - turns.lower * b.lower, a.upper - turns.lower * b.lower);
  return between_values(0.0, b.lower);
}

HODGE_HD inline Interval interval_of_condition(Operation operation, const Interval& a,
                                               const Interval& b, bool& undecided) {
  const bool points = a.is_point() && b.is_point();
  if (operation == Operation::equal) {
    if (a.upper < b.lower || b.upper < a.lower) return {0.0, 0.0};
    if (points) return {1.0, 1.0};
  } else if (points) {
    const double truth = value_of_two(operation, a.lower, b.lower);
    return {truth, truth};
  } else {
    if (a.upper <= b.lower) return {1.0, 1.0};
    if (b.upper <= a.lower) return {0.0, 0.0};
  }
  undecided = true;
  return {0.0, 1.0};
}

HODGE_HD inline Interval interval_of_two(Operation operation, const Interval& a, const Interval& b,
                                         bool& undecided) {
  if (operation == Operation::add) return between_values(a.lower + b.lower, a.upper + b.upper);
  if (operation == Operation::subtract) return between_values(a.lower - b.upper, a.upper - b.lower);
  if (operation == Operation::multiply)
    return of_corners(a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper);
  if (operation == Operation::divide) {
    if (b.contains(0)) return anything();
    return of_corners(a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper);
  }
  if (operation == Operation::power) return interval_of_power(a, b);
  if (operation == Operation::modulo) return interval_of_modulo(a, b, undecided);
  if (operation == Operation::atan2) {
    undecided = undecided || (b.lower < 0 && a.lower < 0 && a.upper > 0);
    if (undecided || a.contains(0)) return {-3.15, 3.15};
    return of_corners(std::atan2(a.lower, b.lower), std::atan2(a.lower, b.upper),
                      std::atan2(a.upper, b.lower), std::atan2(a.upper, b.upper));
  }
  return interval_of_condition(operation, a, b, undecided);
}

// `rows` as in value_of_table.
HODGE_HD inline Interval interval_of_table(Operation operation, const Instruction* rows, int count,
                                           const Interval& a, bool& undecided) {
  const bool steps = operation == Operation::slope;
  const double middle = 0.5 * a.lower + 0.5 * a.upper;
  Interval result = steps ? between_values(slope_of_table(rows, count, middle),
                                           slope_of_table(rows, count, middle))
                          : between_values(value_of_table(rows, count, a.lower),
                                           value_of_table(rows, count, a.upper));
  for (int i = 0; i < count; ++i) {
    const double x = rows[i].value;
    if (!(x > a.lower && x < a.upper)) continue;
    undecided = true;
    const double here = steps ? slope_of_table(rows, count, x) : rows[count + i].value;
    result = hull(result, {here, here});
  }
  if (steps && undecided) {
    const double first = slope_of_table(rows, count, a.lower);
    result = hull(result, {first, first});
  }
  return result;
}

// The stack of bounds; bit i of `undecided`: place i depends on a branch that is not decided.
struct IntervalStack {
  Interval place[largest_stack + 1];
  unsigned undecided = 0;

  HODGE_HD bool is_undecided(int i) const { return (undecided >> i & 1u) != 0; }
  HODGE_HD void put(int i, const Interval& value, bool is_open) {
    place[i] = value;
    undecided = is_open ? undecided | (1u << i) : undecided & ~(1u << i);
  }
  HODGE_HD void move(int to, int from) { put(to, place[from], is_undecided(from)); }
  HODGE_HD void exchange(int i, int k) {
    const Interval value = place[i];
    const bool is_open = is_undecided(i);
    move(i, k);
    put(k, value, is_open);
  }
};

// The smaller (or larger) of places top and top + 1.
HODGE_HD inline void put_extreme(IntervalStack& stack, int top, bool smallest) {
  const Interval a = stack.place[top], b = stack.place[top + 1];
  const bool a_below = a.upper <= b.lower, b_below = b.upper <= a.lower;
  if (a_below || b_below) {
    if (a_below != smallest) stack.move(top, top + 1);
    return;
  }
  const bool lower_is_a = a.lower < b.lower, upper_is_a = a.upper < b.upper;
  stack.put(
      top, {lower_is_a == smallest ? a.lower : b.lower, upper_is_a == smallest ? a.upper : b.upper},
      true);
}

HODGE_HD inline void put_logic(IntervalStack& stack, int top, bool both) {
  const Interval a = stack.place[top], b = stack.place[top + 1];
  const bool one_decides = both ? a.is_false() || b.is_false() : a.is_true() || b.is_true();
  const bool all_agree = both ? a.is_true() && b.is_true() : a.is_false() && b.is_false();
  if (one_decides)
    stack.put(top, both ? Interval{0.0, 0.0} : Interval{1.0, 1.0}, false);
  else if (all_agree)
    stack.put(top, both ? Interval{1.0, 1.0} : Interval{0.0, 0.0}, false);
  else
    stack.put(top, {0.0, 1.0}, true);
}

HODGE_HD inline void put_choice(IntervalStack& stack, int top) {
  const Interval condition = stack.place[top];
  if (condition.is_true()) return stack.move(top, top + 1);
  if (condition.is_false()) return stack.move(top, top + 2);
  stack.put(top, hull(stack.place[top + 1], stack.place[top + 2]), true);
}

HODGE_HD inline void put_of_two(Operation operation, IntervalStack& stack, int top) {
  if (operation == Operation::min || operation == Operation::max)
    return put_extreme(stack, top, operation == Operation::min);
  if (operation == Operation::both || operation == Operation::either)
    return put_logic(stack, top, operation == Operation::both);
  bool undecided = stack.is_undecided(top) || stack.is_undecided(top + 1);
  bool here = false;
  const Interval value = interval_of_two(operation, stack.place[top], stack.place[top + 1], here);
  // Truth that is the same for all values does not depend on the branches of these.
  const bool is_condition = operation == Operation::less || operation == Operation::less_equal ||
                            operation == Operation::equal;
  undecided = here || (undecided && !(is_condition && value.is_point()));
  stack.put(top, value, undecided);
}

struct IntervalValue {
  Interval bounds;
  bool undecided;  // not all points take the same branches
};

// Over the variables x, y, z, t between `lower` and `upper`. Noise is that of `place`.
HODGE_HD HODGE_APART inline IntervalValue evaluate_interval(const ProgramView& program,
                                                            const double* lower,
                                                            const double* upper,
                                                            const double* place) {
  IntervalStack stack;
  stack.place[0] = {0.0, 0.0};
  int top = 0;
  for (int i = 0; i < program.size; ++i) {
    const Instruction instruction = program.first[i];
    const Operation operation = instruction.operation;
    if (operation == Operation::constant) {
      stack.put(++top, {instruction.value, instruction.value}, false);
    } else if (operation == Operation::variable) {
      const int v = instruction.variable;
      stack.put(++top, {lower[v], upper[v]}, false);
    } else if (operation == Operation::whole_power) {
      stack.place[top] = of_whole_power(stack.place[top], instruction.variable);
    } else if (operation == Operation::noise) {
      const double seed = stack.place[top].lower, value = noise(seed, place);
      stack.place[top] = stack.place[top].is_point() ? Interval{value, value} : Interval{-1.0, 1.0};
    } else if (operation <= Operation::sign) {
      bool undecided = stack.is_undecided(top);
      const bool is_table = operation == Operation::table || operation == Operation::slope;
      const Interval value =
          is_table ? interval_of_table(operation, program.first + i + 1, instruction.variable,
                                       stack.place[top], undecided)
                   : interval_of_one(operation, stack.place[top], undecided);
      stack.put(top, value, undecided);
      if (is_table) i += 2 * instruction.variable;
    } else if (operation <= Operation::either) {
      put_of_two(operation, stack, --top);
    } else if (operation == Operation::exchange) {
      stack.exchange(top - 1, top);
    } else if (operation == Operation::choose) {
      put_choice(stack, top -= 2);
    } else {  // rotate
      stack.exchange(top - 2, top - 1);
      stack.exchange(top - 1, top);
    }
  }
  return {stack.place[1], stack.is_undecided(1)};
}

}  // namespace hodge::sim
