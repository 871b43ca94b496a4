// Formulas as trees, between text and instructions: where they are simplified and differentiated.
//
// Nodes are numbered; a subtree may belong to several formulas of one tree. Every node is folded
// when it is made: constants are computed by evaluate() itself, and what 0 and 1 make superfluous
// is left out (0 * a is 0, whatever a is).
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/formulas/csv_table.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/program.hpp"

namespace hodge::sim {

int operand_count(Operation operation);

class ExpressionTree {
 public:
  using Operands = std::array<int, 3>;  // of which operand_count() are meant

  int constant(double value);
  int variable(int index);
  int whole_power(int base, int exponent);
  int apply(Operation operation, Operands operands);
  // The table of a column of a file, at the argument. Errors: those of read_csv_table.
  int table(const std::string& file, const CsvColumn& column, int argument);
  int slope_of_table(int table);  // by its argument

  // The root of a formula that is given as text, by muParser (formula_parser.cpp). Errors:
  // ConfigError, which says where in the text and what was expected.
  int parse(const std::string& text, const FormulaNames& names);
  // As it was parsed, but with the absolute paths of files.
  const std::string& parsed_text() const { return parsed_text_; }
  // The files that were read, each once.
  const InputFiles& files() const { return files_; }

  // The formula that a program evaluates.
  int read(std::span<const Instruction> program);

  // The program of a formula. Operands that need more of the stack come first, so that a program of
  // largest_program instructions never needs more than largest_stack: a need of n takes at least
  // 3^((n - 1) / 2) of them. Errors: ConfigError for a longer one.
  std::vector<Instruction> program(int root) const;

  // d root / d variable. Jumps have the derivative 0, kinks that of one side.
  int derivative(int root, int variable);

  bool has_value(int node, double value) const;  // it is that constant
  bool is_constant(int node) const;
  const Instruction& instruction(int node) const { return nodes_[node].instruction; }
  const Operands& operands(int node) const { return nodes_[node].operands; }
  int size() const { return static_cast<int>(nodes_.size()); }

 private:
  struct Node {
    Instruction instruction;
    Operands operands{};
    double length = 1;  // instructions, those that move operands aside
    int stack = 1;      // the places on the stack that it needs
  };

  using Rows = std::vector<Instruction>;  // of a table, as they follow its instruction

  int add(const Instruction& instruction, const Operands& operands);
  int folded(const Instruction& instruction, const Operands& operands);
  int simplified(Operation operation, const Operands& operands) const;  // a node, or -1
  std::vector<int> order(const Node& node) const;
  void emit(int node, std::vector<Instruction>& program) const;
  void emit(const Instruction& instruction, std::vector<Instruction>& program) const;
  int add_table(std::shared_ptr<const Rows> rows);

  std::vector<Node> nodes_;
  std::vector<std::shared_ptr<const Rows>> tables_;  // which instructions number in the tree
  std::filesystem::path folder_;
  std::string parsed_text_;
  InputFiles files_;
};

}  // namespace hodge::sim
