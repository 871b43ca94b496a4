// Bounds of formulas over boxes against their values at points of these.
#include "sim/base/formulas/interval.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/functions.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using Variables = std::array<double, 4>;

// Every operator and every function, of arguments that vary together or apart.
std::vector<std::string> formulas_with_bounds() {
  std::vector<std::string> texts{"-x", "x^2", "x^3", "x^-1", "x^-2", "x^0.5", "x > y ? z : -t"};
  for (const char* sign : {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"})
    for (const char* right : {"y", "2.5", "(y < z)"})
      texts.push_back(std::string("x ") + sign + " " + right);
  for (const FormulaFunction& function : formula_function_table()) {
    if (function.build_with_texts != nullptr) continue;  // of files: below
    const std::string call = function.name + std::string("(");
    for (const char* first : {"x", "x*y", "1 + x/4"}) {
      std::string arguments = first;
      for (int i = 1; i < (function.arguments == 0 ? 3 : function.arguments); ++i)
        arguments += i == 1 ? ", y" : ", z - t";
      texts.push_back(call + arguments + ")");
    }
  }
  for (const char* divisor : {"0.75", "-2"})
    texts.push_back(std::string("mod(x, ") + divisor + ")");
  texts.push_back("table('a.csv', x)");
  return texts;
}

TEST(Intervals, hold_the_values_of_every_function_and_operator) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "a.csv", "-1,3\n0.25,-4\n0.75,1\n");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-3, 3), width(0, 3), share(0, 1);
  for (const std::string& text : formulas_with_bounds()) {
    const Expression formula = Expression::parse(text, {.folder = folder.path()});
    const Expression slope = formula.derivative(0);
    for (const Expression* const of : {&formula, &slope})
      for (int box = 0; box < 60; ++box) {
        Variables lower, upper;
        for (std::size_t v = 0; v < 4; ++v) {
          lower[v] = box % 3 == 0 ? std::abs(place(random)) : place(random);
          upper[v] = lower[v] + (box % 5 == 0 ? 0 : width(random));
        }
        const Interval bounds =
            evaluate_interval(of->program(), lower.data(), upper.data(), lower.data()).bounds;
        for (int sample = 0; sample < 20; ++sample) {
          Variables at;
          for (std::size_t v = 0; v < 4; ++v)
            at[v] = sample < 4 ? (sample >> (v % 2) & 1 ? upper : lower)[v]
                               : std::lerp(lower[v], upper[v], share(random));
          const double value = evaluate(of->program(), at.data(), lower.data());
          const double rounding = 1e-12 * (1 + std::abs(value));
          if (std::isnan(value)) continue;
          ASSERT_GE(value, bounds.lower - rounding) << of->text() << " of " << text;
          ASSERT_LE(value, bounds.upper + rounding) << of->text() << " of " << text;
        }
      }
  }
}

// No wider than need be where every variable stands once.
TEST(Intervals, of_powers_end_at_the_values_of_corners) {
  const Expression power = Expression::parse("x^y");
  const auto bounds = [&](double a, double b, double c, double d) {
    const Variables lower{a, c, 0, 0}, upper{b, d, 0, 0};
    return evaluate_interval(power.program(), lower.data(), upper.data(), lower.data()).bounds;
  };
  EXPECT_EQ(bounds(1, 2, -1, 1).lower, 0.5);
  EXPECT_EQ(bounds(1, 2, -1, 1).upper, 2);
  EXPECT_EQ(bounds(0.5, 4, 1, 2).lower, 0.25);
  EXPECT_EQ(bounds(0.5, 4, 1, 2).upper, 16);
}

}  // namespace
}  // namespace hodge::sim
