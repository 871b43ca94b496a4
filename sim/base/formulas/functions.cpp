#include "sim/base/formulas/functions.hpp"

#include <cmath>

#include "sim/base/formulas/csv_table.hpp"

namespace hodge::sim {
namespace {

using Arguments = std::span<const int>;

template <Operation operation>
int one(ExpressionTree& tree, Arguments a) {
  return tree.apply(operation, {a[0]});
}

template <Operation operation>
int two(ExpressionTree& tree, Arguments a) {
  return tree.apply(operation, {a[0], a[1]});
}

template <Operation operation>
int all(ExpressionTree& tree, Arguments a) {
  int result = a[0];
  for (const int argument : a.subspan(1)) result = tree.apply(operation, {result, argument});
  return result;
}

int mean(ExpressionTree& tree, Arguments a) {
  const int count = tree.constant(static_cast<double>(a.size()));
  return tree.apply(Operation::divide, {all<Operation::add>(tree, a), count});
}

int step(ExpressionTree& tree, Arguments a) {
  return tree.apply(Operation::less_equal, {tree.constant(0), a[0]});
}

int conditional(ExpressionTree& tree, Arguments a) {
  return tree.apply(Operation::choose, {a[0], a[1], a[2]});
}

// table("inflow.csv", y), table("inflow.csv", y, "u"), table("inflow.csv", y, 2)
int table_of_file(ExpressionTree& tree, std::span<const FormulaArgument> a) {
  const bool good = a.size() >= 2 && a.size() <= 3 && a[0].is_text() && !a[1].is_text();
  if (!good)
    throw CallMistake{
        "table expects a file in quotes, an argument and, where it is not the second, a column: "
        "table('inflow.csv', y, 'u')"};
  CsvColumn column = 2;
  if (a.size() == 3 && a[2].is_text()) column = a[2].text;
  if (a.size() == 3 && !a[2].is_text()) {
    const double number =
        tree.is_constant(a[2].node) ? tree.instruction(a[2].node).value : std::nan("");
    if (!(number >= 1 && number <= most_table_columns && number == std::rint(number)))
      throw CallMistake{"the column of table is its number or its name in quotes"};
    column = static_cast<int>(number);
  }
  return tree.table(a[0].text, column, a[1].node);
}

constexpr FormulaFunction table[] = {
    {"if", "if(condition, a, b): a where the condition holds, else b", 3, conditional},
    {"step", "step(a): 1 where a >= 0, else 0", 1, step},
    {"min", "the least of its arguments", 0, all<Operation::min>},
    {"max", "the largest of its arguments", 0, all<Operation::max>},
    {"sum", "the sum of its arguments", 0, all<Operation::add>},
    {"avg", "the mean of its arguments", 0, mean},
    {"abs", "the absolute value", 1, one<Operation::abs>},
    {"sign", "-1, 0 or 1", 1, one<Operation::sign>},
    {"rint", "the nearest whole number", 1, one<Operation::round>},
    {"floor", "the largest whole number that is not above", 1, one<Operation::floor>},
    {"ceil", "the smallest whole number that is not below", 1, one<Operation::ceil>},
    {"mod", "mod(a, b): a - b*floor(a/b), from 0 to b", 2, two<Operation::modulo>},
    {"sqrt", "the square root", 1, one<Operation::sqrt>},
    {"cbrt", "the cube root", 1, one<Operation::cbrt>},
    {"exp", "e to the power of its argument", 1, one<Operation::exp>},
    {"log", "the natural logarithm", 1, one<Operation::log>},
    {"ln", "the natural logarithm", 1, one<Operation::log>},
    {"log2", "the logarithm to base 2", 1, one<Operation::log2>},
    {"log10", "the logarithm to base 10", 1, one<Operation::log10>},
    {"sin", "of radians, as all of these", 1, one<Operation::sin>},
    {"cos", "the cosine", 1, one<Operation::cos>},
    {"tan", "the tangent", 1, one<Operation::tan>},
    {"asin", "the inverse of sin", 1, one<Operation::asin>},
    {"acos", "the inverse of cos", 1, one<Operation::acos>},
    {"atan", "the inverse of tan", 1, one<Operation::atan>},
    {"atan2", "atan2(y, x): the angle of the point (x, y)", 2, two<Operation::atan2>},
    {"sinh", "the hyperbolic sine", 1, one<Operation::sinh>},
    {"cosh", "the hyperbolic cosine", 1, one<Operation::cosh>},
    {"tanh", "the hyperbolic tangent", 1, one<Operation::tanh>},
    {"asinh", "the inverse of sinh", 1, one<Operation::asinh>},
    {"acosh", "the inverse of cosh", 1, one<Operation::acosh>},
    {"atanh", "the inverse of tanh", 1, one<Operation::atanh>},
    {"erf", "the error function", 1, one<Operation::erf>},
    {"noise", "noise(seed): white noise in [-1, 1), a value for each point and seed", 1,
     one<Operation::noise>},
    {"table", "table('file.csv', x, column): linear between the rows of a file", 0, nullptr,
     table_of_file},
};

}  // namespace

std::span<const FormulaFunction> formula_function_table() {
  return table;
}

}  // namespace hodge::sim
