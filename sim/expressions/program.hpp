// A formula as instructions for a stack machine, which runs on the host and in point functions.
//
//   variables   0 x, 1 y, 2 z, 3 t, then those that the formula was parsed with, in their order
//
// An instruction takes its operands from the stack and puts its value there; the last value is the
// formula's. Conditions are 1 or 0, and every number but 0 is true.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "linalg/buffer.hpp"

namespace hodge::sim {

enum class Operation : int {
  // no operand
  constant,
  variable,
  // one
  negate,
  exp,
  log,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
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
};

struct Instruction {
  Operation operation = Operation::constant;
  int variable = 0;  // of Operation::variable
  double value = 0;  // of Operation::constant
};

inline constexpr int first_extra_variable = 4;
inline constexpr int largest_stack = 16;  // a formula that needs more is refused when parsed

struct ProgramView {
  const Instruction* first = nullptr;
  int size = 0;
};

HODGE_HD double evaluate(const ProgramView& program, const double* variables);

// Several programs in the memory of a space, one after the other.
template <class Space>
class Programs {
 public:
  Programs() = default;
  explicit Programs(const std::vector<std::span<const Instruction>>& programs) {
    std::vector<Instruction> all;
    for (const auto& program : programs) {
      offsets_.push_back(static_cast<int>(all.size()));
      sizes_.push_back(static_cast<int>(program.size()));
      all.insert(all.end(), program.begin(), program.end());
    }
    if (!all.empty())
      instructions_ = linalg::Buffer<Instruction, Space>(std::span<const Instruction>(all));
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  ProgramView view(int i) const { return {instructions_.data() + offsets_[i], sizes_[i]}; }

 private:
  linalg::Buffer<Instruction, Space> instructions_;
  std::vector<int> offsets_, sizes_;
};

// Operands are checked to be there when a formula is parsed.
HODGE_HD inline double evaluate(const ProgramView& program, const double* variables) {
  double stack[largest_stack];
  int top = -1;
  for (int i = 0; i < program.size; ++i) {
    const Instruction instruction = program.first[i];
    const double a = top >= 0 ? stack[top] : 0.0;
    const double below = top >= 1 ? stack[top - 1] : 0.0;
    switch (instruction.operation) {
      case Operation::constant:
        stack[++top] = instruction.value;
        break;
      case Operation::variable:
        stack[++top] = variables[instruction.variable];
        break;
      case Operation::negate:
        stack[top] = -a;
        break;
      case Operation::exp:
        stack[top] = std::exp(a);
        break;
      case Operation::log:
        stack[top] = std::log(a);
        break;
      case Operation::sqrt:
        stack[top] = std::sqrt(a);
        break;
      case Operation::sin:
        stack[top] = std::sin(a);
        break;
      case Operation::cos:
        stack[top] = std::cos(a);
        break;
      case Operation::tan:
        stack[top] = std::tan(a);
        break;
      case Operation::asin:
        stack[top] = std::asin(a);
        break;
      case Operation::acos:
        stack[top] = std::acos(a);
        break;
      case Operation::atan:
        stack[top] = std::atan(a);
        break;
      case Operation::sinh:
        stack[top] = std::sinh(a);
        break;
      case Operation::cosh:
        stack[top] = std::cosh(a);
        break;
      case Operation::tanh:
        stack[top] = std::tanh(a);
        break;
      case Operation::abs:
        stack[top] = a < 0 ? -a : a;
        break;
      case Operation::sign:
        stack[top] = a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0);
        break;
      case Operation::add:
        stack[--top] = below + a;
        break;
      case Operation::subtract:
        stack[--top] = below - a;
        break;
      case Operation::multiply:
        stack[--top] = below * a;
        break;
      case Operation::divide:
        stack[--top] = below / a;
        break;
      case Operation::power:
        stack[--top] = std::pow(below, a);
        break;
      case Operation::atan2:
        stack[--top] = std::atan2(below, a);
        break;
      case Operation::min:
        stack[--top] = below < a ? below : a;
        break;
      case Operation::max:
        stack[--top] = below > a ? below : a;
        break;
      case Operation::less:
        stack[--top] = below < a ? 1.0 : 0.0;
        break;
      case Operation::less_equal:
        stack[--top] = below <= a ? 1.0 : 0.0;
        break;
      case Operation::equal:
        stack[--top] = below == a ? 1.0 : 0.0;
        break;
      case Operation::both:
        stack[--top] = below != 0 && a != 0 ? 1.0 : 0.0;
        break;
      case Operation::either:
        stack[--top] = below != 0 || a != 0 ? 1.0 : 0.0;
        break;
      case Operation::choose: {
        const double condition = stack[top - 2];
        stack[top - 2] = condition != 0 ? below : a;
        top -= 2;
        break;
      }
    }
  }
  return stack[0];
}

}  // namespace hodge::sim
