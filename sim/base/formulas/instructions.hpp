// The instructions of formulas and the stack machine that runs them, on the host and in point
// functions.
//
//   variables   0 x, 1 y, 2 z, 3 t, then those that the formula was parsed with, in their order
//
// An instruction takes its operands from the stack and puts its value there; the last value is the
// formula's. Conditions are 1 or 0, and every number but 0 is true.
#pragma once

#include <cfloat>
#include <cmath>

#include "linalg/base/macros.hpp"
#include "sim/base/formulas/noise.hpp"

namespace hodge::sim {

// clang-format off
enum class Operation : int {
  // no operand
  constant, variable,
  // one; round: to the nearest whole number, halves to even ones; noise: a seed, and the point;
  // table, slope: linear between the rows of a table, and its derivative
  negate, exp, log, log2, log10, sqrt, cbrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh,
  asinh, acosh, atanh, erf, round, floor, ceil, noise, table, slope, whole_power, abs, sign,
  // two; both: a and b, either: a or b
  add, subtract, multiply, divide, power, modulo, atan2, min, max, less, less_equal, equal, both,
  either,
  // three: condition, value if true, value if false
  choose,
  // any: they only move what is on the stack, a b -> b a and a b c -> b c a
  exchange, rotate,
};
// clang-format on

struct Instruction {
  Operation operation = Operation::constant;
  int variable = 0;  // of Operation::variable; of whole_power the exponent; of a table its rows
  double value = 0;  // of Operation::constant
};

// A table of n rows follows its instruction as 2n constants, the arguments first: a program is all
// that its evaluation needs.

inline constexpr int first_extra_variable = 4;
inline constexpr int largest_stack = 16;
inline constexpr int largest_program = 4000;  // instructions; a longer formula is refused

// What means over boxes need to know of a program (mean.hpp). Bit i: variable i.
struct ProgramTraits {
  unsigned depends_on = 0;      // x, y, z, t; noise counts as a constant
  unsigned branches_along = 0;  // on which of them a branch depends: there it is piecewise
};

struct ProgramView {
  const Instruction* first = nullptr;
  int size = 0;
  ProgramTraits traits{};
};

// The value, for variables as above. Noise is that of `place`, without one of these variables.
HODGE_HD double evaluate(const ProgramView& program, const double* variables,
                         const double* place = nullptr);

// x^n by repeated squaring.
HODGE_HD inline double whole_power(double x, int n) {
  double power = 1;
  for (int left = n < 0 ? -n : n; left > 0; left /= 2) {
    if (left % 2 == 1) power *= x;
    x *= x;
  }
  return n < 0 ? 1 / power : power;
}

// The last row whose argument is not above x, but not the last of all; x is between the ends.
HODGE_HD inline int row_of_table(const Instruction* arguments, int rows, double x) {
  int below = 0, above = rows - 1;
  while (above - below > 1) {
    const int middle = below + (above - below) / 2;
    (arguments[middle].value <= x ? below : above) = middle;
  }
  return below;
}

// Whether a difference of two numbers is one: those of a user may be as far apart as doubles are.
HODGE_HD inline bool is_number(double difference) {
  return std::abs(difference) <= DBL_MAX;
}

// Linear between the rows, and beyond the ends the value there.
HODGE_HD inline double value_of_table(const Instruction* arguments, int rows, double x) {
  const Instruction* const values = arguments + rows;
  if (x <= arguments[0].value) return values[0].value;
  if (x >= arguments[rows - 1].value) return values[rows - 1].value;
  if (!(x == x)) return x;
  const int i = row_of_table(arguments, rows, x);
  const double a = arguments[i].value, b = arguments[i + 1].value;
  const double low = values[i].value, high = values[i + 1].value;
  const double share =
      is_number(b - a) ? (x - a) / (b - a) : (0.5 * x - 0.5 * a) / (0.5 * b - 0.5 * a);
  return is_number(high - low) ? low + share * (high - low) : (1 - share) * low + share * high;
}

// d/dx of it; in a row that of the interval above.
HODGE_HD inline double slope_of_table(const Instruction* arguments, int rows, double x) {
  if (!(x >= arguments[0].value && x < arguments[rows - 1].value)) return 0.0;
  const Instruction* const values = arguments + rows;
  const int i = row_of_table(arguments, rows, x);
  const double width = arguments[i + 1].value - arguments[i].value;
  const double rise = values[i + 1].value - values[i].value;
  if (is_number(width) && is_number(rise)) return rise / width;
  return (0.5 * values[i + 1].value - 0.5 * values[i].value) /
         (0.5 * arguments[i + 1].value - 0.5 * arguments[i].value);
}

// a - b floor(a/b): of the sign of b. fmod is exact.
HODGE_HD inline double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

HODGE_HD inline double value_of_one(Operation operation, double a) {
  if (operation == Operation::negate) return -a;
  if (operation == Operation::exp) return std::exp(a);
  if (operation == Operation::log) return std::log(a);
  if (operation == Operation::log2) return std::log2(a);
  if (operation == Operation::log10) return std::log10(a);
  if (operation == Operation::sqrt) return std::sqrt(a);
  if (operation == Operation::cbrt) return std::cbrt(a);
  if (operation == Operation::sin) return std::sin(a);
  if (operation == Operation::cos) return std::cos(a);
  if (operation == Operation::tan) return std::tan(a);
  if (operation == Operation::asin) return std::asin(a);
  if (operation == Operation::acos) return std::acos(a);
  if (operation == Operation::atan) return std::atan(a);
  if (operation == Operation::sinh) return std::sinh(a);
  if (operation == Operation::cosh) return std::cosh(a);
  if (operation == Operation::tanh) return std::tanh(a);
  if (operation == Operation::asinh) return std::asinh(a);
  if (operation == Operation::acosh) return std::acosh(a);
  if (operation == Operation::atanh) return std::atanh(a);
  if (operation == Operation::erf) return std::erf(a);
  if (operation == Operation::round) return std::rint(a);
  if (operation == Operation::floor) return std::floor(a);
  if (operation == Operation::ceil) return std::ceil(a);
  if (operation == Operation::abs) return a < 0 ? -a : a;
  return a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0);  // sign
}

HODGE_HD inline double value_of_two(Operation operation, double a, double b) {
  if (operation == Operation::add) return a + b;
  if (operation == Operation::subtract) return a - b;
  if (operation == Operation::multiply) return a * b;
  if (operation == Operation::divide) return a / b;
  if (operation == Operation::power) return std::pow(a, b);
  if (operation == Operation::modulo) return modulo(a, b);
  if (operation == Operation::atan2) return std::atan2(a, b);
  if (operation == Operation::min) return b < a ? b : a;
  if (operation == Operation::max) return a < b ? b : a;
  if (operation == Operation::less) return a < b;
  if (operation == Operation::less_equal) return a <= b;
  if (operation == Operation::equal) return a == b;
  if (operation == Operation::both) return a != 0 && b != 0;
  return a != 0 || b != 0;  // either
}

// The tree that a program comes from has its operands (tree.hpp).
HODGE_HD inline double evaluate(const ProgramView& program, const double* variables,
                                const double* place) {
  double stack[largest_stack + 1] = {};  // the first place stays empty
  double* top = stack;
  for (int i = 0; i < program.size; ++i) {
    const Instruction instruction = program.first[i];
    const Operation operation = instruction.operation;
    if (operation == Operation::constant) {
      *++top = instruction.value;
    } else if (operation == Operation::variable) {
      *++top = variables[instruction.variable];
    } else if (operation == Operation::whole_power) {
      *top = whole_power(*top, instruction.variable);
    } else if (operation == Operation::noise) {
      *top = noise(*top, place != nullptr ? place : variables);
    } else if (operation == Operation::table || operation == Operation::slope) {
      const Instruction* const rows = program.first + i + 1;
      const int count = instruction.variable;
      *top = operation == Operation::table ? value_of_table(rows, count, *top)
                                           : slope_of_table(rows, count, *top);
      i += 2 * count;
    } else if (operation <= Operation::sign) {
      *top = value_of_one(operation, *top);
    } else if (operation <= Operation::either) {
      --top;
      *top = value_of_two(operation, *top, top[1]);
    } else if (operation == Operation::exchange) {
      const double a = top[-1];
      top[-1] = *top;
      *top = a;
    } else if (operation == Operation::choose) {
      top -= 2;
      *top = *top != 0 ? top[1] : top[2];
    } else {  // rotate
      const double a = top[-2];
      top[-2] = top[-1];
      top[-1] = *top;
      *top = a;
    }
  }
  return stack[1];
}

}  // namespace hodge::sim
