#include "sim/base/formulas/expression.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/program_traits.hpp"
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
  expression.traits_ = program_traits(expression.instructions_);
  check_constants(expression.instructions_, text);
  return expression;
}

Expression Expression::of_tree(const ExpressionTree& tree, int root, std::string text) {
  Expression part;
  part.text_ = std::move(text);
  part.instructions_ = tree.program(root);
  part.traits_ = program_traits(part.instructions_);
  return part;
}

Expression Expression::derivative(int variable) const {
  ExpressionTree tree;
  const int root = tree.derivative(tree.read(instructions_), variable);
  const auto& known = space_and_time();
  const std::string name =
      variable < first_extra_variable ? known[variable] : "variable " + std::to_string(variable);
  return of_tree(tree, root, "d/d" + name + " (" + text_ + ")");
}

double Expression::operator()(const Point& x, double t) const {
  return (*this)(x, t, {});
}

double Expression::operator()(const Point& x, double t, std::span<const double> extra) const {
  constexpr std::size_t most_without_allocation = 32;
  const ProgramView program = this->program();
  std::array<double, first_extra_variable + most_without_allocation> few{x[0], x[1], x[2], t};
  if (extra.size() <= most_without_allocation) {
    std::copy(extra.begin(), extra.end(), few.begin() + first_extra_variable);
    return evaluate(program, few.data());
  }
  std::vector<double> many{x[0], x[1], x[2], t};
  many.insert(many.end(), extra.begin(), extra.end());
  return evaluate(program, many.data());
}

ProgramView Expression::program() const {
  return {instructions_.data(), static_cast<int>(instructions_.size()), traits_};
}

double Expression::mean(const MeanBox& box, double t) const {
  return mean_of(program(), box, t);
}

double Expression::value_over(const MeanBox& box, double t) const {
  return sim::value_over(program(), box, t);
}

Expression Expression::times(const Expression& factor) const {
  ExpressionTree tree;
  const int a = tree.read(factor.instructions_), b = tree.read(instructions_);
  Expression result = of_tree(tree, tree.apply(Operation::multiply, {a, b}),
                              "(" + factor.text_ + ")*(" + text_ + ")");
  result.files_ = files_;
  result.files_.insert(result.files_.end(), factor.files_.begin(), factor.files_.end());
  return result;
}

bool Expression::is_constant() const {
  return instructions_.size() == 1 && instructions_[0].operation == Operation::constant;
}

bool Expression::is_zero() const {
  return is_constant() && instructions_[0].value == 0;
}

bool Expression::has_noise() const {
  return std::ranges::any_of(instructions_,
                             [](const Instruction& i) { return i.operation == Operation::noise; });
}

bool Expression::depends_on(int variable) const {
  return std::any_of(instructions_.begin(), instructions_.end(), [variable](const Instruction& i) {
    return i.operation == Operation::variable && i.variable == variable;
  });
}

}  // namespace hodge::sim
