// Random formulas against muParser's own evaluation, and their derivatives against differences.
#include <gtest/gtest.h>
#include <muParser.h>

#include <cmath>
#include <random>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {
namespace {

// Formulas of the whole grammar, with and without parentheses, so that precedence counts.
class Formulas {
 public:
  explicit Formulas(unsigned seed, bool smooth) : random_(seed), smooth_(smooth) {}

  std::string formula(int depth) {
    switch (depth == 0 ? pick(2) : 2 + pick(smooth_ ? 5 : 8)) {
      case 0:
        return names_[pick(4)];
      case 1:
        return std::to_string(pick(40)) + "." + std::to_string(pick(100));
      case 2:
      case 3:
        return formula(depth - 1) + " " + one_of({"+", "-", "*", "/", "+", "-", "*"}) + " " +
               formula(depth - 1);
      case 4:
        return "(" + formula(depth - 1) + ")";
      case 5:
        return one_of({"sin", "cos", "tanh", "exp", "atan", "asinh", "sinh", "cosh", "cbrt", "sqrt",
                       "log", "log2", "log10", "tan", "asin", "acos", "acosh", "atanh", "erf"}) +
               "(" + formula(depth - 1) + ")";
      case 6:
        return one_of({"-(", "atan2(1.5, ", "-sqrt("}) + formula(depth - 1) + ")^" +
               one_of({"2", "3", "-1", "0.5", "-2", "2.5", "x"});
      case 7:  // muParser takes 0.5 for false: conditions are comparisons
        return formula(depth - 1) + " < " + formula(depth - 1) + one_of({" && ", " || "}) +
               formula(depth - 1) + one_of({" <= ", " > ", " >= ", " == ", " != "}) +
               formula(depth - 1);
      case 8:
        return "(" + formula(depth - 1) + " > " + formula(depth - 1) + " ? " + formula(depth - 1) +
               " : " + formula(depth - 1) + ")";
      default:
        return one_of({"min", "max", "sum", "avg", "atan2"}) + "(" + formula(depth - 1) + ", " +
               formula(depth - 1) + ")";
    }
  }

  double number() { return std::uniform_real_distribution<double>(-2, 2)(random_); }

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string one_of(std::vector<std::string> texts) {
    return texts[pick(static_cast<int>(texts.size()))];
  }

  const char* names_[4] = {"x", "y", "z", "t"};
  std::mt19937 random_;
  bool smooth_;
};

double by_muparser(const std::string& text, Point at, double t) {
  mu::Parser parser;
  parser.DefineVar("x", &at[0]);
  parser.DefineVar("y", &at[1]);
  parser.DefineVar("z", &at[2]);
  parser.DefineVar("t", &t);
  parser.DefineFun(
      "cbrt", +[](double a) { return std::cbrt(a); });
  parser.DefineFun(
      "erf", +[](double a) { return std::erf(a); });
  parser.SetExpr(text);
  return parser.Eval();
}

TEST(RandomFormulas, have_the_values_that_muparser_gives_them) {
  Formulas formulas(1, false);
  int finite = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = formulas.formula(1 + i % 5);
    const Point at{formulas.number(), formulas.number(), formulas.number()};
    const double t = formulas.number();
    const double expected = by_muparser(text, at, t);
    Expression formula;
    try {
      formula = Expression::parse(text);
    } catch (const ConfigError&) {
      continue;  // a constant part that is no number
    }
    if (!std::isfinite(expected)) continue;
    ++finite;
    EXPECT_NEAR(formula(at, t), expected, 1e-9 * (1 + std::abs(expected))) << text;
  }
  EXPECT_GT(finite, 2000);
}

// Where the differences for two steps agree, the derivative agrees with them.
TEST(RandomFormulas, have_the_derivatives_of_their_differences) {
  Formulas formulas(2, true);
  int compared = 0, singular = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = formulas.formula(1 + i % 4);
    const Point at{formulas.number(), formulas.number(), formulas.number()};
    const double t = formulas.number();
    const int variable = i % 3;
    try {
      const Expression formula = Expression::parse(text);
      const auto difference = [&](double h) {
        Point above = at, below = at;
        above[variable] += h;
        below[variable] -= h;
        return (formula(above, t) - formula(below, t)) / (2 * h);
      };
      const double coarse = difference(1e-4), fine = difference(1e-5);
      const double scale = 1 + std::abs(fine);
      if (!(std::abs(coarse - fine) < 1e-6 * scale) || std::abs(formula(at, t)) > 1e4) continue;
      const double derivative = formula.derivative(variable)(at, t);
      if (!std::isfinite(derivative)) {
        ++singular;  // 0/0, as of acosh(y/y)
        continue;
      }
      EXPECT_NEAR(derivative, fine, 1e-5 * scale) << text;
      ++compared;
    } catch (const ConfigError&) {
      continue;
    }
  }
  EXPECT_GT(compared, 1500);
  EXPECT_LT(singular, 20);
}

TEST(Derivative, follows_the_branch_that_holds) {
  const FormulaNames names{{}, {"c"}};
  const auto slope = [&](const std::string& text, double c) {
    const double extra[] = {c};
    return Expression::parse(text, names).derivative(4)({}, 0, extra);
  };
  EXPECT_EQ(slope("if(c > 1, 3*c, c^2)", 2), 3);
  EXPECT_EQ(slope("if(c > 1, 3*c, c^2)", 0.5), 1);
  EXPECT_EQ(slope("min(c, 2*c)", 1), 1);
  EXPECT_EQ(slope("max(c, 2*c)", 1), 2);
  EXPECT_EQ(slope("abs(c)", -1), -1);
  EXPECT_EQ(slope("sign(c) + step(c) + (c < 2) + rint(c)", 1), 0);
  EXPECT_EQ(slope("atan2(c, 2)", 0), 0.5);
  EXPECT_EQ(slope("atan2(2, c)", 0), -0.5);
  EXPECT_NEAR(slope("2^c", 3), 8 * std::log(2), 1e-14);
  EXPECT_NEAR(slope("c^c", 2), 4 * (std::log(2) + 1), 1e-14);
  EXPECT_EQ(slope("c^2.5/c^0.5", 4), 8);
}

TEST(Derivative, of_what_does_not_vary_is_zero) {
  EXPECT_TRUE(Expression::parse("sin(y)^2 + 3").derivative(0).is_zero());
  EXPECT_TRUE(Expression(5).derivative(3).is_zero());
  EXPECT_TRUE(Expression::parse("3*x").derivative(0).is_constant());
}

TEST(Derivative, of_second_order_is_exact) {
  const Expression second = Expression::parse("sin(3*x)*y").derivative(0).derivative(0);
  EXPECT_NEAR(second({0.3, 2, 0}, 0), -9 * std::sin(0.9) * 2, 1e-13);
}

}  // namespace
}  // namespace hodge::sim
