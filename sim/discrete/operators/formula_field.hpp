// A formula as a field: over the cells, or over the control volumes of the faces of a
// component (grid/mean_boxes.hpp), those in sides too, in the space. Evaluated when it is asked for
// another time than before; once, where it does not depend on t; of one that separates
// (base/formulas/separation.hpp) the parts that depend on the place are evaluated once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/base/formulas/separation.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/mean_boxes.hpp"
#include "sim/discrete/grid/separated_means.hpp"

namespace hodge::sim {

// In the cells of a box; `flat` as in mean_box().
template <int Dim, class Space>
void evaluate_means(const GridView<Dim>& grid, const BoxBounds<Dim>& bounds,
                    const ProgramView& formula, int location, int flat, double time,
                    const Box<Dim>& box, Field<Dim, Space>& result) {
  const FieldView<Dim> f = result.view();
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    f(c) = value_over(formula, mean_box(grid, bounds, location, flat, c), time);
  });
}

template <int Dim, class Space>
class FormulaField {
 public:
  // `location`: a component, or at_cells. A formula of t alone takes no field.
  FormulaField(int location, const Expression& formula, const DeviceGrid<Dim, Space>& grid)
      : location_(location), formula_(formula), grid_(grid.view()), bounds_(grid.bounds()) {
    if (!depends_on_place(formula)) return;
    std::vector<std::span<const Instruction>> programs;
    const std::vector<SeparatedTerm> terms = separated(formula);
    for (const SeparatedTerm& term : terms) {
      factors_.push_back(term.of_time);
      programs.push_back(term.of_place.instructions());
    }
    if (terms.empty()) programs.push_back(formula.instructions());
    programs_ = Programs<Space>(programs);
    values_.emplace(grid.layout());
    for (std::size_t k = 0; k < terms.size(); ++k) {
      parts_.emplace_back(grid.layout());
      evaluate(static_cast<int>(k), 0.0, parts_[k]);
    }
  }

  // The fields that it takes.
  static std::size_t fields_of(const Expression& formula) {
    return depends_on_place(formula) ? 1 + separated(formula).size() : 0;
  }

  // At a time; null where it is the same everywhere: uniform().
  ConstFieldView<Dim> at(double time) {
    if (!values_) return {};
    if (!time_ || (formula_.depends_on_time() && *time_ != time)) evaluate(time);
    return std::as_const(*values_).view();
  }
  double uniform(double time) const { return values_ ? 0.0 : formula_({}, time); }

 private:
  static bool depends_on_place(const Expression& f) {
    return f.has_noise() || f.depends_on(0) || f.depends_on(1) || f.depends_on(2);
  }

  void evaluate(double time) {
    time_ = time;
    if (parts_.empty()) return evaluate(0, time, *values_);
    SeparatedMeans terms;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      terms.add(factors_[k]({}, time), std::as_const(parts_[k]).values().data());
    sum_separated<Space>(terms, static_cast<int>(values_->layout().size()),
                         values_->values().data());
  }
  void evaluate(int program, double time, Field<Dim, Space>& result) const {
    Box<Dim> box = result.layout().interior();
    if (location_ != at_cells) ++box.upper[location_];
    evaluate_means(grid_, bounds_, programs_.view(program), location_, -1, time, box, result);
  }

  int location_;
  Expression formula_;
  GridView<Dim> grid_;
  BoxBounds<Dim> bounds_;
  Programs<Space> programs_;
  std::vector<Expression> factors_;       // of time
  std::vector<Field<Dim, Space>> parts_;  // means of the parts that depend on the place
  std::optional<Field<Dim, Space>> values_;
  std::optional<double> time_;  // of the values
};

}  // namespace hodge::sim
