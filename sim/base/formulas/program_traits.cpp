#include "sim/base/formulas/program_traits.hpp"

#include <array>
#include <utility>

namespace hodge::sim {
namespace {

// Of the operations that take one of several branches. Conditions of `choose` are of these.
bool is_branch(Operation operation) {
  switch (operation) {
    case Operation::round:
    case Operation::floor:
    case Operation::ceil:
    case Operation::table:
    case Operation::slope:
    case Operation::abs:
    case Operation::sign:
    case Operation::modulo:
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::both:
    case Operation::either:
    case Operation::choose:
      return true;
    default:
      return false;
  }
}

unsigned bit_of(int variable) {
  return variable < first_extra_variable ? 1u << variable : 0u;
}

}  // namespace

ProgramTraits program_traits(std::span<const Instruction> program) {
  std::array<unsigned, largest_stack + 1> stack{};  // what each place depends on
  unsigned branches = 0;
  std::size_t top = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const Instruction& instruction = program[i];
    const Operation operation = instruction.operation;
    if (operation <= Operation::variable) {
      stack[++top] = operation == Operation::variable ? bit_of(instruction.variable) : 0u;
    } else if (operation == Operation::exchange) {
      std::swap(stack[top - 1], stack[top]);
    } else if (operation == Operation::rotate) {
      std::swap(stack[top - 2], stack[top - 1]);
      std::swap(stack[top - 1], stack[top]);
    } else if (operation == Operation::choose) {
      top -= 2;
      branches |= stack[top];
      stack[top] |= stack[top + 1] | stack[top + 2];
    } else {
      if (operation > Operation::sign) {
        --top;
        stack[top] |= stack[top + 1];
      }
      if (is_branch(operation)) branches |= stack[top];
      if (operation == Operation::table || operation == Operation::slope)
        i += 2 * static_cast<std::size_t>(instruction.variable);
    }
  }
  return {stack[1], branches};
}

}  // namespace hodge::sim
