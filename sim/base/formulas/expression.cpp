#include "sim/base/formulas/expression.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// A part without variables that is no number (1/0, log(-1)) is a mistake, wherever it stands.
void check_constants(const std::vector<Instruction>& program, const std::string& text) {
  for (const Instruction& instruction : program) {
    if (std::isfinite(instruction.value)) continue;
    throw ConfigError("the formula " + quote(text) + ": a part of it without variables is " +
                      (std::isnan(instruction.value) ? "not a number" : "infinite") +
                      ", expected finite numbers");
  }
}

}  // namespace

Expression::Expression(double value) : text_(number_text(value)) {
  instructions_.push_back({Operation::constant, 0, value});
}

Expression Expression::parse(const std::string& text, const FormulaNames& names) {
  ExpressionTree tree;
  const int root = tree.parse(text, names);
  Expression expression;
  expression.text_ = tree.parsed_text();
  expression.files_ = tree.files();
  expression.instructions_ = tree.program(root);
  check_constants(expression.instructions_, text);
  return expression;
}

Expression Expression::derivative(int variable) const {
  ExpressionTree tree;
  const int root = tree.derivative(tree.read(instructions_), variable);
  Expression result;
  result.instructions_ = tree.program(root);
  const auto& known = space_and_time();
  const std::string name =
      variable < first_extra_variable ? known[variable] : "variable " + std::to_string(variable);
  result.text_ = "d/d" + name + " (" + text_ + ")";
  return result;
}

double Expression::operator()(const Point& x, double t) const {
  return (*this)(x, t, {});
}

double Expression::operator()(const Point& x, double t, std::span<const double> extra) const {
  constexpr std::size_t most_without_allocation = 32;
  const ProgramView program{instructions_.data(), static_cast<int>(instructions_.size())};
  std::array<double, first_extra_variable + most_without_allocation> few{x[0], x[1], x[2], t};
  if (extra.size() <= most_without_allocation) {
    std::copy(extra.begin(), extra.end(), few.begin() + first_extra_variable);
    return evaluate(program, few.data());
  }
  std::vector<double> many{x[0], x[1], x[2], t};
  many.insert(many.end(), extra.begin(), extra.end());
  return evaluate(program, many.data());
}

bool Expression::is_constant() const {
  return instructions_.size() == 1 && instructions_[0].operation == Operation::constant;
}

bool Expression::is_zero() const {
  return is_constant() && instructions_[0].value == 0;
}

bool Expression::depends_on(int variable) const {
  return std::any_of(instructions_.begin(), instructions_.end(), [variable](const Instruction& i) {
    return i.operation == Operation::variable && i.variable == variable;
  });
}

}  // namespace hodge::sim
