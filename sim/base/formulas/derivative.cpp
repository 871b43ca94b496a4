// The rules of differentiation, one line a function.
#include <map>
#include <numbers>

#include "sim/base/formulas/tree.hpp"

namespace hodge::sim {
namespace {

// A node with the operators of mathematics.
struct Term {
  ExpressionTree* tree;
  int node;

  friend Term apply(Operation f, Term a) { return {a.tree, a.tree->apply(f, {a.node})}; }
  friend Term apply(Operation f, Term a, Term b) {
    return {a.tree, a.tree->apply(f, {a.node, b.node})};
  }
  friend Term constant(Term like, double value) { return {like.tree, like.tree->constant(value)}; }
  friend Term operator+(Term a, Term b) { return apply(Operation::add, a, b); }
  friend Term operator-(Term a, Term b) { return apply(Operation::subtract, a, b); }
  friend Term operator-(Term a) { return apply(Operation::negate, a); }
  friend Term operator*(Term a, Term b) { return apply(Operation::multiply, a, b); }
  friend Term operator/(Term a, Term b) { return apply(Operation::divide, a, b); }
  friend Term operator+(double a, Term b) { return constant(b, a) + b; }
  friend Term operator-(double a, Term b) { return constant(b, a) - b; }
  friend Term operator*(double a, Term b) { return constant(b, a) * b; }
  friend Term square(Term a) { return {a.tree, a.tree->whole_power(a.node, 2)}; }
  friend Term root(Term a) { return apply(Operation::sqrt, a); }
  friend Term choose(Term condition, Term a, Term b) {
    return {a.tree, a.tree->apply(Operation::choose, {condition.node, a.node, b.node})};
  }
};

// df/da of f = operation(a), times da.
struct RuleOfOne {
  Operation operation;
  Term (*derivative)(Term f, Term a, Term da);
};
constexpr RuleOfOne rules_of_one[] = {
    {Operation::negate, [](Term, Term, Term da) { return -da; }},
    {Operation::exp, [](Term f, Term, Term da) { return f * da; }},
    {Operation::log, [](Term, Term a, Term da) { return da / a; }},
    {Operation::log2, [](Term, Term a, Term da) { return da / (std::numbers::ln2 * a); }},
    {Operation::log10, [](Term, Term a, Term da) { return da / (std::numbers::ln10 * a); }},
    {Operation::sqrt, [](Term f, Term, Term da) { return da / (2 * f); }},
    {Operation::cbrt, [](Term f, Term, Term da) { return da / (3 * square(f)); }},
    {Operation::sin, [](Term, Term a, Term da) { return apply(Operation::cos, a) * da; }},
    {Operation::cos, [](Term, Term a, Term da) { return -(apply(Operation::sin, a) * da); }},
    {Operation::tan, [](Term f, Term, Term da) { return (1 + square(f)) * da; }},
    {Operation::asin, [](Term, Term a, Term da) { return da / root(1 - square(a)); }},
    {Operation::acos, [](Term, Term a, Term da) { return -(da / root(1 - square(a))); }},
    {Operation::atan, [](Term, Term a, Term da) { return da / (1 + square(a)); }},
    {Operation::sinh, [](Term, Term a, Term da) { return apply(Operation::cosh, a) * da; }},
    {Operation::cosh, [](Term, Term a, Term da) { return apply(Operation::sinh, a) * da; }},
    {Operation::tanh, [](Term f, Term, Term da) { return (1 - square(f)) * da; }},
    {Operation::asinh, [](Term, Term a, Term da) { return da / root(1 + square(a)); }},
    {Operation::acosh, [](Term, Term a, Term da) { return da / root(square(a) - constant(a, 1)); }},
    {Operation::atanh, [](Term, Term a, Term da) { return da / (1 - square(a)); }},
    {Operation::abs, [](Term, Term a, Term da) { return apply(Operation::sign, a) * da; }},
    {Operation::erf,
     [](Term, Term a, Term da) {
       return 2 * std::numbers::inv_sqrtpi * apply(Operation::exp, -square(a)) * da;
     }},
};

Term of_one(Operation operation, Term f, Term a, Term da) {
  for (const RuleOfOne& rule : rules_of_one)
    if (rule.operation == operation) return rule.derivative(f, a, da);
  return constant(a, 0);  // round, floor, ceil, noise, sign
}

Term of_power(Term f, Term a, Term b, Term da, Term db) {
  const ExpressionTree& tree = *a.tree;
  if (tree.is_constant(b.node)) return b * apply(Operation::power, a, b - constant(b, 1)) * da;
  const Term logarithm = apply(Operation::log, a);
  if (tree.is_constant(a.node)) return f * logarithm * db;
  return f * (db * logarithm + b * da / a);
}

Term of_two(Operation operation, Term f, Term a, Term b, Term da, Term db) {
  if (operation == Operation::add) return da + db;
  if (operation == Operation::subtract) return da - db;
  if (operation == Operation::multiply) return da * b + a * db;
  if (operation == Operation::divide)
    return a.tree->is_constant(b.node) ? da / b : (da - f * db) / b;
  if (operation == Operation::power) return of_power(f, a, b, da, db);
  if (operation == Operation::modulo) return da - apply(Operation::floor, a / b) * db;
  if (operation == Operation::atan2) return (b * da - a * db) / (square(a) + square(b));
  if (operation == Operation::min) return choose(apply(Operation::less, a, b), da, db);
  if (operation == Operation::max) return choose(apply(Operation::less, b, a), da, db);
  return constant(a, 0);  // conditions
}

class Differentiation {
 public:
  Differentiation(ExpressionTree& tree, int variable) : tree_(tree), variable_(variable) {}

  Term of(int node) {
    const auto known = done_.find(node);
    if (known != done_.end()) return known->second;
    const Term result = by_rule(node);
    done_.emplace(node, result);
    return result;
  }

 private:
  Term by_rule(int node) {
    // Copies: the tree grows.
    const Instruction instruction = tree_.instruction(node);
    const auto [a, b, c] = tree_.operands(node);
    const Term f{&tree_, node}, term_a{&tree_, a}, term_b{&tree_, b};
    const Operation operation = instruction.operation;
    if (operation == Operation::constant) return constant(f, 0);
    if (operation == Operation::variable) return constant(f, instruction.variable == variable_);
    if (operation == Operation::choose) return choose(term_a, of(b), of(c));
    if (operation == Operation::whole_power) {
      const int n = instruction.variable;
      return n * Term{&tree_, tree_.whole_power(a, n - 1)} * of(a);
    }
    const Term da = of(a);
    if (operation == Operation::table) return Term{&tree_, tree_.slope_of_table(node)} * da;
    if (operand_count(operation) == 1) return of_one(operation, f, term_a, da);
    return of_two(operation, f, term_a, term_b, da, of(b));
  }

  ExpressionTree& tree_;
  int variable_;
  std::map<int, Term> done_;
};

}  // namespace

int ExpressionTree::derivative(int root, int variable) {
  return Differentiation(*this, variable).of(root).node;
}

}  // namespace hodge::sim
