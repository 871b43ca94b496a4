#include "sim/discrete/reactions/formulas.hpp"

#include <algorithm>
#include <string>

#include "linalg/base/errors.hpp"

namespace hodge::sim {

ReactionFormulas reaction_formulas(std::span<const Expression> rates) {
  if (rates.size() > most_scalars)
    throw ConfigError("reactions: " + std::to_string(rates.size()) + " scalars, expected at most " +
                      std::to_string(most_scalars));
  ReactionFormulas formulas;
  formulas.scalars = static_cast<int>(rates.size());
  for (int i = 0; i < formulas.scalars; ++i) {
    if (rates[i].is_zero()) continue;
    formulas.reacting.push_back(i);
    formulas.rates.push_back(rates[i]);
    formulas.autonomous = formulas.autonomous && !rates[i].depends_on_time();
  }
  for (int row = 0; row < formulas.unknowns(); ++row) {
    for (int column = 0; column < formulas.unknowns(); ++column) {
      const int variable = first_extra_variable + formulas.reacting[column];
      if (!formulas.rates[row].depends_on(variable)) continue;
      Expression derivative = formulas.rates[row].derivative(variable);
      if (derivative.is_zero()) continue;
      formulas.entries.push_back({row, column});
      formulas.derivatives.push_back(std::move(derivative));
    }
  }
  return formulas;
}

std::vector<Expression> reaction_rates(const Problem& problem) {
  std::vector<Expression> rates;
  for (const ScalarProblem& scalar : problem.scalars)
    rates.push_back(scalar.reaction.value_or(Expression(0)));
  const bool none = std::all_of(rates.begin(), rates.end(),
                                [](const Expression& rate) { return rate.is_zero(); });
  return none ? std::vector<Expression>{} : rates;
}

}  // namespace hodge::sim
