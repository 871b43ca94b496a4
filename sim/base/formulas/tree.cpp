#include "sim/base/formulas/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/base/errors.hpp"

namespace hodge::sim {

constexpr double largest_whole_exponent = 8;  // beyond it pow is more exact

namespace {

bool is_table(const Instruction& instruction) {
  return instruction.operation == Operation::table || instruction.operation == Operation::slope;
}

// The rows of tables are none.
std::size_t operations_of(const std::vector<Instruction>& program) {
  std::size_t operations = 0;
  for (std::size_t i = 0; i < program.size(); ++i, ++operations)
    if (is_table(program[i])) i += 2 * static_cast<std::size_t>(program[i].variable);
  return operations;
}

}  // namespace

int operand_count(Operation operation) {
  if (operation <= Operation::variable) return 0;
  if (operation <= Operation::sign) return 1;
  return operation < Operation::choose ? 2 : 3;
}

bool ExpressionTree::is_constant(int node) const {
  return nodes_[node].instruction.operation == Operation::constant;
}

bool ExpressionTree::has_value(int node, double value) const {
  return is_constant(node) && nodes_[node].instruction.value == value;
}

int ExpressionTree::constant(double value) {
  return add({Operation::constant, 0, value}, {});
}

int ExpressionTree::variable(int index) {
  return add({Operation::variable, index, 0}, {});
}

int ExpressionTree::whole_power(int base, int exponent) {
  if (exponent == 0) return constant(1);
  if (exponent == 1) return base;
  return folded({Operation::whole_power, exponent, 0}, {base});
}

int ExpressionTree::apply(Operation operation, Operands operands) {
  const int simple = simplified(operation, operands);
  if (simple >= 0) return simple;
  const auto [a, b, c] = operands;
  if (operation == Operation::multiply && (has_value(a, 0) || has_value(b, 0))) return constant(0);
  if (operation == Operation::subtract && has_value(a, 0)) return apply(Operation::negate, {b});
  if (operation == Operation::power) {
    const double exponent = is_constant(b) ? nodes_[b].instruction.value : 0.5;
    if (std::abs(exponent) <= largest_whole_exponent && exponent == std::rint(exponent))
      return whole_power(a, static_cast<int>(exponent));
  }
  return folded({operation, 0, 0}, operands);
}

int ExpressionTree::simplified(Operation operation, const Operands& operands) const {
  const auto [a, b, c] = operands;
  if (operation == Operation::negate)
    return nodes_[a].instruction.operation == operation ? nodes_[a].operands[0] : -1;
  if (operation == Operation::add) return has_value(a, 0) ? b : has_value(b, 0) ? a : -1;
  if (operation == Operation::subtract) return has_value(b, 0) ? a : -1;
  if (operation == Operation::multiply) return has_value(a, 1) ? b : has_value(b, 1) ? a : -1;
  if (operation == Operation::divide)
    return has_value(b, 1) || (has_value(a, 0) && !has_value(b, 0)) ? a : -1;
  if (operation == Operation::choose) return !is_constant(a) ? -1 : has_value(a, 0) ? c : b;
  return -1;
}

int ExpressionTree::folded(const Instruction& instruction, const Operands& operands) {
  if (instruction.operation == Operation::noise) return add(instruction, operands);  // of x, y, z
  const int count = operand_count(instruction.operation);
  std::vector<Instruction> program;
  for (int i = 0; i < count; ++i) {
    if (!is_constant(operands[i])) return add(instruction, operands);
    program.push_back(nodes_[operands[i]].instruction);
  }
  emit(instruction, program);
  return constant(evaluate({program.data(), static_cast<int>(program.size())}, nullptr));
}

int ExpressionTree::add_table(std::shared_ptr<const Rows> rows) {
  tables_.push_back(std::move(rows));
  return static_cast<int>(tables_.size()) - 1;
}

int ExpressionTree::table(const std::string& file, const CsvColumn& column, int argument) {
  const CsvTable table = read_csv_table(path_of_file(folder_, file), column);
  if (std::find(files_.begin(), files_.end(), table.source) == files_.end())
    files_.push_back(table.source);
  Rows rows;
  for (const double value : table.arguments) rows.push_back({Operation::constant, 0, value});
  for (const double value : table.values) rows.push_back({Operation::constant, 0, value});
  const int index = add_table(std::make_shared<const Rows>(std::move(rows)));
  return folded({Operation::table, index, 0}, {argument});
}

int ExpressionTree::slope_of_table(int table) {
  const Node node = nodes_[table];
  return folded({Operation::slope, node.instruction.variable, 0}, node.operands);
}

int ExpressionTree::add(const Instruction& instruction, const Operands& operands) {
  Node node{instruction, operands};
  const std::vector<int> parts = order(node);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node& part = nodes_[operands[parts[i]]];
    node.length += part.length;
    node.stack = std::max(node.stack, static_cast<int>(i) + part.stack);
  }
  nodes_.push_back(node);
  return size() - 1;
}

// Operands as they are put on the stack: those that need more of it first.
std::vector<int> ExpressionTree::order(const Node& node) const {
  std::vector<int> order(operand_count(node.instruction.operation));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return nodes_[node.operands[a]].stack > nodes_[node.operands[b]].stack;
  });
  return order;
}

void ExpressionTree::emit(int index, std::vector<Instruction>& program) const {
  const Node& node = nodes_[index];
  std::vector<int> parts = order(node);
  for (const int part : parts) emit(node.operands[part], program);
  if (parts.size() == 3)
    for (; parts[0] != 0; std::rotate(parts.begin(), parts.begin() + 1, parts.end()))
      program.push_back({Operation::rotate});
  if (parts.size() > 1 && parts.back() != static_cast<int>(parts.size()) - 1)
    program.push_back({Operation::exchange});
  emit(node.instruction, program);
}

void ExpressionTree::emit(const Instruction& instruction, std::vector<Instruction>& program) const {
  program.push_back(instruction);
  if (!is_table(instruction)) return;
  const Rows& rows = *tables_[instruction.variable];
  program.back().variable = static_cast<int>(rows.size() / 2);
  program.insert(program.end(), rows.begin(), rows.end());
}

std::vector<Instruction> ExpressionTree::program(int root) const {
  std::vector<Instruction> program;
  if (nodes_[root].length <= largest_program) emit(root, program);
  if (program.empty() || operations_of(program) > largest_program)
    throw ConfigError("it takes more than " + std::to_string(largest_program) +
                      " operations, expected a shorter formula");
  return program;
}

int ExpressionTree::read(std::span<const Instruction> program) {
  std::vector<int> stack;
  for (std::size_t at = 0; at < program.size(); ++at) {
    Instruction instruction = program[at];
    if (is_table(instruction)) {
      const auto rows = program.subspan(at + 1, 2 * static_cast<std::size_t>(instruction.variable));
      instruction.variable = add_table(std::make_shared<const Rows>(rows.begin(), rows.end()));
      at += rows.size();
    }
    const auto end = stack.end();
    if (instruction.operation == Operation::exchange) {
      std::iter_swap(end - 2, end - 1);
    } else if (instruction.operation == Operation::rotate) {
      std::rotate(end - 3, end - 2, end);
    } else {
      Operands operands{};
      const int count = operand_count(instruction.operation);
      std::copy(end - count, end, operands.begin());
      stack.resize(stack.size() - count);
      stack.push_back(add(instruction, operands));
    }
  }
  return stack.back();
}

}  // namespace hodge::sim
