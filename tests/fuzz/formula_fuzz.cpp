// A formula: parsed, evaluated, differentiated by everything that it may have in it.
#include <array>

#include "sim/base/formulas/expression.hpp"
#include "tests/fuzz/target.hpp"

using hodge::sim::Expression;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hodge::sim::FormulaNames names{{{"reynolds", 100}, {"h", 0.5}}, {"fuel", "heat"}};
  return hodge::fuzz::expect_errors_of_hodge([&] {
    const Expression formula = Expression::parse(hodge::fuzz::text_of(data, size), names);
    const std::array<double, 2> scalars{0.25, 300};
    const double value = formula({0.1, 0.2, 0.3}, 1.5, scalars);
    if (formula.is_constant() && !(value == formula({}, 0, scalars))) __builtin_trap();
    for (int variable = 0; variable < 6; ++variable)
      (void)formula.derivative(variable)({0.1, 0.2, 0.3}, 1.5, scalars);
  });
}
