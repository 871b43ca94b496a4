// Formulas by hand values, and what is said of wrong ones.
#include "sim/base/formulas/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <numbers>

#include "linalg/base/errors.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/noise.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim {
namespace {

const Point at{0.5, -2, 3};
constexpr double time = 0.25;

double value(const std::string& text) {
  return Expression::parse(text)(at, time);
}

std::string error_of(const std::string& text, const FormulaNames& names = {}) {
  return test::message_of<ConfigError>([&] { (void)Expression::parse(text, names); });
}

TEST(Expression, knows_space_time_and_constants) {
  EXPECT_EQ(value("x"), 0.5);
  EXPECT_EQ(value("y"), -2);
  EXPECT_EQ(value("z"), 3);
  EXPECT_EQ(value("t"), 0.25);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("1.5e-3"), 0.0015);
  EXPECT_EQ(value(" .5 +\n 2."), 2.5);
}

TEST(Expression, has_the_precedences_of_mathematics) {
  EXPECT_EQ(value("1 + 2*3^2"), 19);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-x^2"), -0.25);
  EXPECT_EQ(value("2^-y"), 4);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("16/4/2*x"), 1);
  EXPECT_EQ(value("-y*3"), 6);
  EXPECT_EQ(value("1 + x < 1 || y < 0 && t > 0"), 1);
  EXPECT_EQ(value("(x - y)*(x + y)"), 0.25 - 4);
}

TEST(Expression, has_every_comparison_and_condition) {
  for (const char* text : {"x < 1", "x <= 0.5", "x > 0", "x >= 0.5", "x == 0.5", "x != 0.4",
                           "x && y", "0 || x", "step(x - 0.5)", "if(x, 1, 0)"})
    EXPECT_EQ(value(text), 1) << text;
  for (const char* text : {"x < 0.5", "x <= 0.4", "x > 0.5", "x >= 0.6", "x == 0.4", "x != 0.5",
                           "x && 0*y", "(x < 0) || (y > 0)", "step(y)", "if(y > 0, 1, 0)"})
    EXPECT_EQ(value(text), 0) << text;
}

TEST(Expression, has_conditionals_within_conditionals) {
  EXPECT_EQ(value("x < 1 ? y : z"), -2);
  EXPECT_EQ(value("x > 1 ? y : z + 1"), 4);
  EXPECT_EQ(value("x > 1 ? y : t > 1 ? z : 7"), 7);
  EXPECT_EQ(value("x < 1 ? t > 1 ? 5 : 6 : 7"), 6);
  EXPECT_EQ(value("x < 1 ? t < 1 ? y < 0 ? 4 : 5 : 6 : 7"), 4);
  EXPECT_EQ(value("x > 1 ? t < 1 ? 5 : 6 : y < 0 ? 7 : 8"), 7);
  EXPECT_EQ(value("2*(x > 1 ? y : z) + 1"), 7);
  EXPECT_EQ(value("max(x < 1 ? 9 : 8, 1)"), 9);
}

TEST(Expression, has_every_function_of_its_table) {
  const std::map<std::string, std::pair<std::string, double>> expected{
      {"if", {"if(t < x, y, z)", -2}},
      {"step", {"step(x)", 1}},
      {"min", {"min(z, x, y, t)", -2}},
      {"max", {"max(y, z)", 3}},
      {"sum", {"sum(x, y, z)", 1.5}},
      {"avg", {"avg(x, y, z)", 0.5}},
      {"abs", {"abs(y)", 2}},
      {"sign", {"sign(y) + sign(z - 3)", -1}},
      {"rint", {"rint(x) + rint(x + 1) + rint(y/3)", 1}},
      {"floor", {"floor(x) + floor(-x)", -1}},
      {"ceil", {"ceil(x) + ceil(-x)", 1}},
      {"mod", {"mod(y, 1.5) + 10*mod(7, z) + 100*mod(x, y)", 11 - 150}},
      {"erf", {"erf(x)", std::erf(0.5)}},
      {"noise", {"noise(1)", noise(1, at.data())}},
      {"sqrt", {"sqrt(t)", 0.5}},
      {"cbrt", {"cbrt(y - 6)", -2}},
      {"exp", {"exp(x)", std::exp(0.5)}},
      {"log", {"log(x)", std::log(0.5)}},
      {"ln", {"ln(x)", std::log(0.5)}},
      {"log2", {"log2(t)", -2}},
      {"log10", {"log10(1997 + z)", std::log10(2000)}},
      {"sin", {"sin(x)", std::sin(0.5)}},
      {"cos", {"cos(x)", std::cos(0.5)}},
      {"tan", {"tan(x)", std::tan(0.5)}},
      {"asin", {"asin(x)", std::asin(0.5)}},
      {"acos", {"acos(x)", std::acos(0.5)}},
      {"atan", {"atan(x)", std::atan(0.5)}},
      {"atan2", {"atan2(x, y)", std::atan2(0.5, -2)}},
      {"sinh", {"sinh(x)", std::sinh(0.5)}},
      {"cosh", {"cosh(x)", std::cosh(0.5)}},
      {"tanh", {"tanh(x)", std::tanh(0.5)}},
      {"asinh", {"asinh(x)", std::asinh(0.5)}},
      {"acosh", {"acosh(z)", std::acosh(3)}},
      {"atanh", {"atanh(x)", std::atanh(0.5)}},
  };
  for (const FormulaFunction& function : formula_function_table()) {
    if (function.build_with_texts != nullptr) continue;  // csv_table_test.cpp
    ASSERT_TRUE(expected.contains(function.name)) << function.name;
    const auto& [text, result] = expected.at(function.name);
    EXPECT_DOUBLE_EQ(value(text), result) << text;
  }
}

TEST(Expression, replaces_constants_and_numbers_further_variables) {
  const FormulaNames names{{{"reynolds", 100}, {"e", 7}}, {"fuel", "heat"}};
  const Expression formula = Expression::parse("reynolds*heat + fuel*e", names);
  const double extra[] = {2, 3};
  EXPECT_EQ(formula(at, time, extra), 314);
  EXPECT_TRUE(formula.depends_on(4));
  EXPECT_TRUE(formula.depends_on(5));
  EXPECT_FALSE(formula.depends_on(0));
  EXPECT_FALSE(formula.depends_on_time());
  EXPECT_EQ(formula.text(), "reynolds*heat + fuel*e");
}

TEST(Expression, takes_more_variables_than_fit_its_fixed_array) {
  FormulaNames names;
  std::vector<double> extra;
  std::string text = "x";
  for (int i = 0; i < 50; ++i) {
    names.variables.push_back("c" + std::to_string(i));
    extra.push_back(i);
    text += " + c" + std::to_string(i);
  }
  EXPECT_EQ(Expression::parse(text, names)(at, time, extra), 0.5 + 49 * 50 / 2);
}

TEST(Expression, is_constant_where_nothing_varies) {
  EXPECT_TRUE(Expression(3).is_constant());
  EXPECT_EQ(Expression(0.1).text(), "0.1");
  EXPECT_TRUE(Expression::parse("2*sin(pi/6)").is_constant());
  EXPECT_TRUE(Expression::parse("0*x").is_zero());
  EXPECT_TRUE(Expression::parse("x*(1 - 1) + 0").is_zero());
  EXPECT_FALSE(Expression::parse("x - x").is_constant());
  EXPECT_FALSE(Expression::parse("1").is_zero());
}

TEST(Expression, leaves_out_what_0_and_1_make_superfluous) {
  for (const char* text : {"x + 0", "0 + x", "x - 0", "1*x", "x*1", "x/1", "x^1", "-(-x)",
                           "if(1 > 0, x, y)", "x^0*x"}) {
    EXPECT_EQ(Expression::parse(text).instructions().size(), 1u) << text;
  }
  EXPECT_EQ(Expression::parse("x^2").instructions().size(), 2u);
  EXPECT_EQ(Expression::parse("x^-2")(at, 0), 4);
  EXPECT_EQ(Expression::parse("z^0.5")(at, 0), std::pow(3, 0.5));
}

TEST(Expression, needs_a_small_stack_however_a_formula_is_nested) {
  std::string right = "x", left = "x", conditions = "z";
  for (int i = 0; i < 300; ++i) {
    right = "x - (" + right + ")";
    left = "(" + left + ") - x";
  }
  for (int i = 0; i < 50; ++i) conditions = "if(x < 0, y, " + conditions + ")";
  EXPECT_EQ(value(right), 0.5);
  EXPECT_EQ(value(left), -299 * 0.5);
  EXPECT_EQ(value(conditions), 3);
  EXPECT_EQ(value("if(if(y, x, z), if(x, if(y, t, 1), 2), 3)"), 0.25);
}

TEST(Expression, refuses_what_is_too_long) {
  std::string text = "x";
  for (int i = 0; i < 2500; ++i) text += "*x";
  EXPECT_NE(error_of(text).find("more than 4000 operations"), std::string::npos);
  EXPECT_NE(error_of(std::string(20000, '1')).find("20000 characters"), std::string::npos);
}

TEST(Expression, reads_decimal_points_in_every_locale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale previous = std::locale::global(std::locale(std::locale(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(value("max(1.5, 0.25)"), 1.5);
  EXPECT_EQ(Expression(0.1).text(), "0.1");
  std::locale::global(previous);
  std::setlocale(LC_ALL, before.c_str());
}

struct Wrong {
  const char *text, *message;
};

TEST(Expression, says_where_and_what_is_wrong) {
  const FormulaNames names{{{"reynolds", 100}}, {"heat"}};
  const Wrong wrong[] = {
      {"1 + reynold",
       "unknown name 'reynold' at character 5, did you mean 'reynolds'? known names: "
       "x, y, z, t, e, pi, reynolds, heat"},
      {"sni(x)",
       "unknown function 'sni' at character 1, did you mean 'sin'? known functions: if, "},
      {"2*sin", "sin at character 3 is a function, expected its arguments: sin(...)"},
      {"2x", "'x' at character 2 follows a value, expected an operator between them"},
      {"x cos(y)", "'cos' at character 3 follows a value, expected an operator between them"},
      {"1 +", "it ends where a value is expected"},
      {"(1 + 2", "a parenthesis is opened and not closed, expected ) before its end"},
      {"1 + 2)", "the parenthesis ')' at character 6 is not expected there, expected a value"},
      {"heat(2)", "the parenthesis '(' at character 5 is not expected there, expected an operator"},
      {"", "it is empty, expected a number or a formula"},
      {"atan2(1)", "too few arguments for atan2 at character 8, expected 2"},
      {"sin(1, 2)", "too many arguments for sin at character 9, expected 1"},
      {"min()", "too few arguments for min at character 6, expected at least 1"},
      {"1,5", "a comma at character 2 outside of a function, expected one value"},
      {"min(1,5), 2", "a comma at character 9 outside of a function"},
      {"min(, 1)", "a comma at character 5, expected a value"},
      {"x ? 1", "a ? and its : do not belong together, expected condition ? a : b"},
      {"sin(1 : x)", "a ? and its : do not belong together"},
      {"x ? (1 : 2) + 1", "a ? and its : do not belong together"},
      {"1 : 2", "a ? and its : do not belong together"},
      {"x = 2", "the operator '=' at character 3 is not expected there, expected =="},
      {"\"x\"", "a text in quotes is not expected there, expected it as the file or the column"},
      {"1 + 'a", "the quote at character 5 has no other one, expected ' at its end"},
      {"x ? 'a'", "a text in quotes is not expected there"},
      {"-'a'", "a text in quotes is not expected there"},
      {"x ? 1 : 'a'", "a text in quotes is not expected there"},
      {"noise('a')", "a text in quotes is not expected there"},
      {"table(x, y)",
       "table expects a file in quotes, an argument and, where it is not the second"},
      {"table('a.csv')", "table expects a file in quotes, an argument"},
      {"table('a.csv', x, y)", "the column of table is its number or its name in quotes"},
      {"table('a.csv', x, 1.5)", "the column of table is its number or its name in quotes"},
      {"table('/nowhere/a.csv', x)", "/nowhere/a.csv is no file, expected a table (CSV)"},
      {"\xc3\xa9", "character 1 is not expected"},
      {"x # 2", "'#' at character 3 is not expected there, expected a value or one of + - * /"},
      {"3**x", "the operator '**' at character 2 is not known, a power is written a^b"},
      {"(x) ** (y)", "the operator '**' at character 5 is not known, a power is written a^b"},
      {"np*x", "unknown name 'np' at character 1, known names: x, y, z, t, e, pi, reynolds, heat"},
      {"3* *x", "'*' at character 4 is not expected there"},
      {"pow(x, 2)",
       "unknown function 'pow' at character 1, a power is written a^b; known functions: if, "},
      {"arcsin(x)", "unknown function 'arcsin' at character 1, did you mean 'asin'? "},
      {"1e999*x", "'1e999' at character 1 is too large or too small for a number"},
      {"0x10", "unknown name 'x10' at character 2"},
      {"inf", "unknown name 'inf'"},
      {"x + 1/0", "a part of it without variables is infinite, expected finite numbers"},
      {"log(-1)", "a part of it without variables is not a number"},
  };
  for (const auto& [text, message] : wrong) {
    const std::string error = error_of(text, names);
    EXPECT_NE(error.find(message), std::string::npos) << text << "\n gave " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(Expression, refuses_names_that_formulas_know_already) {
  for (const char* name : {"x", "t", "sin", "pi", "2a", "a b", "", "caf\xc3\xa9"})
    EXPECT_NE(name_refusal(name), "") << name;
  for (const char* name : {"a", "T", "e", "heat_2", "_x"})
    EXPECT_EQ(name_refusal(name), "") << name;
  EXPECT_NE(error_of("1", {{{"sin", 1}}, {}}).find("'sin' cannot be used"), std::string::npos);
  EXPECT_NE(error_of("1", {{{"a", 1}}, {"a"}}).find("stands for two things"), std::string::npos);
}

}  // namespace
}  // namespace hodge::sim
