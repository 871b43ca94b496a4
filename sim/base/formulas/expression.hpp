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
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {

class Expression {
 public:
  Expression(double value = 0);

  // Errors: ConfigError: what, at which character of the text, and the nearest known name.
  static Expression parse(const std::string& text, const FormulaNames& names = {});

  double operator()(const Point& x, double t) const;
  // `extra` in the order of FormulaNames::variables.
  double operator()(const Point& x, double t, std::span<const double> extra) const;

  bool is_constant() const;
  bool is_zero() const;
  bool depends_on_time() const { return depends_on(3); }
  bool depends_on(int variable) const;

  // The exact derivative with respect to a variable; 0 for the jumps of sign and conditions.
  Expression derivative(int variable) const;

  // As it was written, but with the absolute paths of files; the shortest decimal text of a
  // constant.
  const std::string& text() const { return text_; }
  const std::vector<TableFile>& files() const { return files_; }  // of its tables
  std::span<const Instruction> instructions() const { return instructions_; }

 private:
  std::string text_;
  std::vector<Instruction> instructions_;
  std::vector<TableFile> files_;
};

}  // namespace hodge::sim
