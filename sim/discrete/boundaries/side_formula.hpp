// A formula on a side of the box: its means over the parts of the side that belong to the values of
// a location (grid/mean_boxes.hpp), over the padded layer of the side, in the space. One that does
// not depend on t is evaluated once; of one that separates (base/formulas/separation.hpp) the parts
// that depend on the place are, and every time costs a sum of at most four products.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/base/formulas/separation.hpp"
#include "sim/discrete/boundaries/closure.hpp"
#include "sim/discrete/grid/separated_means.hpp"

namespace hodge::sim {

// means := those of the formula
template <int Dim, class Space>
void evaluate_side_means(const SidePoints<Dim>& on, const ProgramView& formula, double time,
                         const Box<Dim>& layer, double* means) {
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    means[layer_position(on.grid.cells, on.axis, c)] = on.value_at(formula, time, c);
  });
}

template <int Dim, class Space>
class SideFormula {
 public:
  SideFormula() = default;
  SideFormula(const Expression& formula, const SidePoints<Dim>& on, const Box<Dim>& layer)
      : on_(on), layer_(layer), changes_(formula.depends_on_time()) {
    const auto size = static_cast<std::size_t>(layer.size());
    means_ = linalg::Buffer<double, Space>(size);
    std::vector<std::span<const Instruction>> programs;
    const std::vector<SeparatedTerm> terms = separated(formula);
    for (const SeparatedTerm& term : terms) {
      factors_.push_back(term.of_time);
      parts_.emplace_back(size);
      programs.push_back(term.of_place.instructions());
    }
    if (terms.empty()) programs.push_back(formula.instructions());
    programs_ = Programs<Space>(programs);
    for (std::size_t k = 0; k < parts_.size(); ++k)
      evaluate_side_means<Dim, Space>(on_, programs_.view(static_cast<int>(k)), 0.0, layer_,
                                      parts_[k].data());
  }

  // The means at a time, over the layer; null without a formula.
  const double* at(double time) {
    if (means_.size() > 0 && (!time_ || (changes_ && *time_ != time))) evaluate(time);
    return means_.data();
  }

 private:
  void evaluate(double time) {
    time_ = time;
    if (parts_.empty())
      return evaluate_side_means<Dim, Space>(on_, programs_.view(0), time, layer_, means_.data());
    SeparatedMeans terms;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      terms.add(factors_[k]({}, time), parts_[k].data());
    }
    sum_separated<Space>(terms, static_cast<int>(means_.size()), means_.data());
  }

  SidePoints<Dim> on_{};
  Box<Dim> layer_{};
  bool changes_ = false;
  Programs<Space> programs_;
  std::vector<Expression> factors_;                   // g_k
  std::vector<linalg::Buffer<double, Space>> parts_;  // means of the h_k
  linalg::Buffer<double, Space> means_;
  std::optional<double> time_;  // of the means
};

}  // namespace hodge::sim
