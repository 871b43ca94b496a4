// A formula of x, y, z, t and, where they are given, further variables: `1 -
// exp(lambda*x)*cos(2*pi*y)`.
//
// Parsed by muParser (its grammar, its functions, its messages) into instructions that run on the
// host and on the device (program.hpp). Names of constants are replaced by their values, so that a
// formula keeps none of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/formulas/csv_table.hpp"
#include "sim/base/formulas/mean.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {

class ExpressionTree;

class Expression {
 public:
  Expression(double value = 0);

  // Errors: ConfigError: what, at which character of the text, and the nearest known name.
  static Expression parse(const std::string& text, const FormulaNames& names = {});

  // A part of a formula. Errors: ConfigError for a program that is too long.
  static Expression of_tree(const ExpressionTree& tree, int root, std::string text);

  double operator()(const Point& x, double t) const;
  // `extra` in the order of FormulaNames::variables.
  double operator()(const Point& x, double t, std::span<const double> extra) const;
  // Over a box at time t; of x, y, z, t alone.
  double mean(const MeanBox& box, double t) const;
  double value_over(const MeanBox& box, double t) const;  // as the grid has it (mean.hpp)

  bool is_constant() const;
  bool is_zero() const;
  bool depends_on_time() const { return depends_on(3); }
  bool depends_on(int variable) const;
  bool has_noise() const;

  // The product with a number or another formula of x, y, z, t; its text is that of a product.
  Expression times(const Expression& factor) const;
  // The exact derivative with respect to a variable; 0 for the jumps of sign and conditions.
  Expression derivative(int variable) const;

  // As it was written, but with the absolute paths of files; the shortest decimal text of a
  // constant.
  const std::string& text() const { return text_; }
  const InputFiles& files() const { return files_; }  // of its tables
  std::span<const Instruction> instructions() const { return instructions_; }
  ProgramView program() const;

 private:
  std::string text_;
  std::vector<Instruction> instructions_;
  ProgramTraits traits_;
  InputFiles files_;
};

}  // namespace hodge::sim
