#include "sim/expressions/expression.hpp"

#include <algorithm>

#include "linalg/errors.hpp"
#include "sim/config/text.hpp"

namespace hodge::sim {

Expression::Expression(double value) : text_(number_text(value)) {
  instructions_.push_back({Operation::constant, 0, value});
}

Expression Expression::parse(const std::string& text, const FormulaNames& names) {
  (void)names;
  throw ConfigError("formulas are not read yet: " + text);
}

double Expression::operator()(const Point& x, double t) const {
  return (*this)(x, t, {});
}

double Expression::operator()(const Point& x, double t, std::span<const double> extra) const {
  std::vector<double> variables{x[0], x[1], x[2], t};
  variables.insert(variables.end(), extra.begin(), extra.end());
  return evaluate({instructions_.data(), static_cast<int>(instructions_.size())}, variables.data());
}

bool Expression::is_constant() const {
  return std::none_of(instructions_.begin(), instructions_.end(),
                      [](const Instruction& i) { return i.operation == Operation::variable; });
}

bool Expression::is_zero() const {
  return instructions_.size() == 1 && instructions_[0].operation == Operation::constant &&
         instructions_[0].value == 0;
}

bool Expression::depends_on(int variable) const {
  return std::any_of(instructions_.begin(), instructions_.end(), [variable](const Instruction& i) {
    return i.operation == Operation::variable && i.variable == variable;
  });
}

}  // namespace hodge::sim
