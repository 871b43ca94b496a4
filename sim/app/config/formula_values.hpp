// Readers of values that may be formulas. A number is a formula, too.
//
// Errors: ConfigError `file:line:column: path: the formula '...': what, at which character`.
#pragma once

#include <array>
#include <optional>

#include "sim/app/config/schema.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/model/custom_settings.hpp"

namespace hodge::sim {

// What formulas at one place of a file may be made of.
struct FormulaScope {
  FormulaNames names;
  int dim = 3;                 // 2: not of z
  bool varies_in_time = true;  // false: not of t
};

ValueReader formula(Expression& out, const FormulaScope& scope);
ValueReader formula(std::optional<Expression>& out, const FormulaScope& scope);
// A list of one formula per axis; those beyond scope.dim stay 0.
ValueReader formulas(Formulas3& out, const FormulaScope& scope);
ValueReader formulas(std::optional<Formulas3>& out, const FormulaScope& scope);

// Numbers, or formulas of the constants alone, of which the value is taken.
ValueReader constant(double& out, Range range, const FormulaScope& scope);
ValueReader constants(std::array<double, 3>& out, const FormulaScope& scope);

}  // namespace hodge::sim
