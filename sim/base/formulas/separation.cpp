#include "sim/base/formulas/separation.hpp"

#include <map>
#include <optional>
#include <utility>

#include "sim/base/formulas/tree.hpp"

namespace hodge::sim {
namespace {

// The factors of a term, as nodes of the tree.
struct Factors {
  int of_time, of_place;
};
using Sum = std::vector<Factors>;

class Separation {
 public:
  explicit Separation(ExpressionTree& tree) : tree_(tree), one_(tree.constant(1)) {}

  // None: it is no such sum.
  std::optional<Sum> of(int node) {
    if (!depends(node).on_place) return Sum{{node, one_}};
    if (!depends(node).on_time) return Sum{{one_, node}};
    std::optional<Sum> sum = by_rule(node);
    if (sum && sum->size() > most_separated_terms) return std::nullopt;
    return sum;
  }

 private:
  struct Dependence {
    bool on_place = false, on_time = false;
  };

  // Noise is a function of place.
  Dependence depends(int node) {
    const auto known = depends_.find(node);
    if (known != depends_.end()) return known->second;
    const Instruction instruction = tree_.instruction(node);
    Dependence found;
    found.on_place = instruction.operation == Operation::noise;
    if (instruction.operation == Operation::variable) {
      found.on_time = instruction.variable == time_variable;
      found.on_place = !found.on_time;
    }
    for (int k = 0; k < operand_count(instruction.operation); ++k) {
      const Dependence of_operand = depends(tree_.operands(node)[static_cast<std::size_t>(k)]);
      found.on_place = found.on_place || of_operand.on_place;
      found.on_time = found.on_time || of_operand.on_time;
    }
    depends_.emplace(node, found);
    return found;
  }

  std::optional<Sum> by_rule(int node) {
    const Operation operation = tree_.instruction(node).operation;
    const auto [a, b, c] = tree_.operands(node);
    if (operation == Operation::negate) return added(Sum{}, of(a), true);
    if (operation == Operation::add) return added(of(a), of(b), false);
    if (operation == Operation::subtract) return added(of(a), of(b), true);
    if (operation == Operation::multiply) return multiplied(of(a), of(b));
    if (operation == Operation::divide) return divided(of(a), b);
    if (operation == Operation::choose) return chosen(a, of(b), of(c));
    return std::nullopt;
  }

  std::optional<Sum> added(std::optional<Sum> a, const std::optional<Sum>& b, bool subtracts) {
    if (!a || !b) return std::nullopt;
    for (const Factors& term : *b)
      a->push_back({subtracts ? tree_.apply(Operation::negate, {term.of_time}) : term.of_time,
                    term.of_place});
    return a;
  }

  std::optional<Sum> multiplied(const std::optional<Sum>& a, const std::optional<Sum>& b) {
    if (!a || !b) return std::nullopt;
    Sum sum;
    for (const Factors& x : *a)
      for (const Factors& y : *b)
        sum.push_back({tree_.apply(Operation::multiply, {x.of_time, y.of_time}),
                       tree_.apply(Operation::multiply, {x.of_place, y.of_place})});
    return sum;
  }

  std::optional<Sum> divided(std::optional<Sum> a, int by) {
    const Dependence divisor = depends(by);
    if (!a || (divisor.on_place && divisor.on_time)) return std::nullopt;
    for (Factors& term : *a) {
      int& factor = divisor.on_time ? term.of_time : term.of_place;
      factor = tree_.apply(Operation::divide, {factor, by});
    }
    return a;
  }

  std::optional<Sum> chosen(int condition, std::optional<Sum> a, std::optional<Sum> b) {
    const Dependence on = depends(condition);
    if (!a || !b || (on.on_place && on.on_time)) return std::nullopt;
    const int none = tree_.constant(0);
    const auto factor_of = [&](Factors& term) -> int& {
      return on.on_place ? term.of_place : term.of_time;
    };
    for (Factors& term : *a)
      factor_of(term) = tree_.apply(Operation::choose, {condition, factor_of(term), none});
    for (Factors& term : *b)
      factor_of(term) = tree_.apply(Operation::choose, {condition, none, factor_of(term)});
    return added(std::move(a), b, false);
  }

  ExpressionTree& tree_;
  int one_;
  std::map<int, Dependence> depends_;
};

}  // namespace

std::vector<SeparatedTerm> separated(const Expression& formula) {
  if (!formula.depends_on_time()) return {};
  ExpressionTree tree;
  const int root = tree.read(formula.instructions());
  const std::optional<Sum> sum = Separation(tree).of(root);
  if (!sum) return {};
  std::vector<SeparatedTerm> terms;
  for (const Factors& term : *sum)
    terms.push_back({Expression::of_tree(tree, term.of_time, formula.text()),
                     Expression::of_tree(tree, term.of_place, formula.text())});
  return terms;
}

double SeparatedFormula::over(const MeanBox& box, double t, Smooth smooth) const {
  if (terms_.empty()) return mean_of(formula_.program(), box, t, smooth);
  double sum = 0;
  for (const SeparatedTerm& term : terms_) {
    const double factor = term.of_time({}, t);
    if (factor != 0) sum += factor * mean_of(term.of_place.program(), box, t, smooth);
  }
  return sum;
}

}  // namespace hodge::sim
