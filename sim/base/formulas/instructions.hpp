// The instructions of formulas and the stack machine that runs them, on the host and in point
// functions.
//
//   variables   0 x, 1 y, 2 z, 3 t, then those that the formula was parsed with, in their order
//
// An instruction takes its operands from the stack and puts its value there; the last value is the
// formula's. Conditions are 1 or 0, and every number but 0 is true.
#pragma once

#include <cmath>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

enum class Operation : int {
  // no operand
  constant,
  variable,
  // one
  negate,
  exp,
  log,
  log2,
  log10,
  sqrt,
  cbrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  round,  // to the nearest whole number, halves to even ones
  whole_power,
  abs,
  sign,
  // two
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  less_equal,
  equal,
  both,    // a and b
  either,  // a or b
  // three
  choose,  // condition, value if true, value if false
  // any: they only move what is on the stack
  exchange,  // a b -> b a
  rotate,    // a b c -> b c a
};

struct Instruction {
  Operation operation = Operation::constant;
  int variable = 0;  // of Operation::variable; of whole_power the exponent
  double value = 0;  // of Operation::constant
};

inline constexpr int first_extra_variable = 4;
inline constexpr int largest_stack = 16;
inline constexpr int largest_program = 4000;  // instructions; a longer formula is refused

struct ProgramView {
  const Instruction* first = nullptr;
  int size = 0;
};

// The value, for variables as above.
HODGE_HD double evaluate(const ProgramView& program, const double* variables);

// x^n by repeated squaring.
HODGE_HD inline double whole_power(double x, int n) {
  double power = 1;
  for (int left = n < 0 ? -n : n; left > 0; left /= 2) {
    if (left % 2 == 1) power *= x;
    x *= x;
  }
  return n < 0 ? 1 / power : power;
}

HODGE_HD inline double value_of_one(Operation operation, double a) {
  switch (operation) {
    case Operation::negate:
      return -a;
    case Operation::exp:
      return std::exp(a);
    case Operation::log:
      return std::log(a);
    case Operation::log2:
      return std::log2(a);
    case Operation::log10:
      return std::log10(a);
    case Operation::sqrt:
      return std::sqrt(a);
    case Operation::cbrt:
      return std::cbrt(a);
    case Operation::sin:
      return std::sin(a);
    case Operation::cos:
      return std::cos(a);
    case Operation::tan:
      return std::tan(a);
    case Operation::asin:
      return std::asin(a);
    case Operation::acos:
      return std::acos(a);
    case Operation::atan:
      return std::atan(a);
    case Operation::sinh:
      return std::sinh(a);
    case Operation::cosh:
      return std::cosh(a);
    case Operation::tanh:
      return std::tanh(a);
    case Operation::asinh:
      return std::asinh(a);
    case Operation::acosh:
      return std::acosh(a);
    case Operation::atanh:
      return std::atanh(a);
    case Operation::round:
      return std::rint(a);
    case Operation::abs:
      return a < 0 ? -a : a;
    default:  // sign
      return a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0);
  }
}

HODGE_HD inline double value_of_two(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return std::pow(a, b);
    case Operation::atan2:
      return std::atan2(a, b);
    case Operation::min:
      return b < a ? b : a;
    case Operation::max:
      return a < b ? b : a;
    case Operation::less:
      return a < b;
    case Operation::less_equal:
      return a <= b;
    case Operation::equal:
      return a == b;
    case Operation::both:
      return a != 0 && b != 0;
    default:  // either
      return a != 0 || b != 0;
  }
}

HODGE_HD inline void work_on_three(Operation operation, double* top) {
  const double a = top[-2], b = top[-1], c = top[0];
  if (operation == Operation::choose) {
    top[-2] = a != 0 ? b : c;
  } else {  // rotate
    top[-2] = b;
    top[-1] = c;
    top[0] = a;
  }
}

// The tree that a program comes from has its operands (tree.hpp).
HODGE_HD inline double evaluate(const ProgramView& program, const double* variables) {
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
    } else if (operation <= Operation::sign) {
      *top = value_of_one(operation, *top);
    } else if (operation <= Operation::either) {
      --top;
      *top = value_of_two(operation, *top, top[1]);
    } else if (operation == Operation::exchange) {
      const double a = top[-1];
      top[-1] = *top;
      *top = a;
    } else {
      work_on_three(operation, top);
      if (operation == Operation::choose) top -= 2;
    }
  }
  return stack[1];
}

}  // namespace hodge::sim
