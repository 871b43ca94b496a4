// Second moments of the fluctuations of cell values over time, accumulated where the fields are:
// Reynolds stresses <u_d' u_e'>, fluxes <u_d' c'>, squares <c' c'>.
//
//   <a'b'> = 1/W sum_n w_n (a_n - <a>)(b_n - <b>),   <a> = 1/W sum_n w_n a_n,   W = sum_n w_n
//
// Each new weight w, with W the sum that includes it, updates the means and the sums S = W <a'b'>:
//
//   delta_a = a - <a>,   S_ab += w (1 - w/W) delta_a delta_b,   <a> += w/W delta_a
//
// (D. H. D. West, Comm. ACM 22, 1979; T. F. Chan, G. H. Golub, R. J. LeVeque, Am. Stat. 37, 1983).
// No difference of large sums is taken, so small fluctuations of large means keep their digits.
//
// Velocities are those of the cells, the means of two faces. Memory: MomentPlan::arrays, unpadded.
// A pass over the cells per scalar and one for the velocity; nothing is allocated, and nothing
// waits for the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/flow/moment_plan.hpp"

namespace hodge::sim {

// Of one quantity in its space; null where a moment is not asked for.
template <int Dim>
struct ScalarMomentView {
  double* mean = nullptr;
  double* square = nullptr;
  double* flux[Dim] = {};
  const double* velocity_mean[Dim] = {};  // of before
};
template <int Dim>
struct VelocityMomentView {
  double* mean[Dim] = {};
  static constexpr int stresses = stress_count(Dim);
  double* stress[stresses] = {};
};

// w/W and w (1 - w/W).
struct MomentWeights {
  double of_mean, of_product;
};

template <int Dim, class Space>
void add_scalar_moments(const PresentFields<Dim>& fields, const ConstFieldView<Dim>& scalar,
                        const ScalarMomentView<Dim>& of, const MomentWeights& weights) {
  const Box<Dim> cells{Index<Dim>::filled(0), fields.grid.cells};
  linalg::for_each<Space>(cells, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const auto i = cells.position(c);
    const double delta = scalar(c) - of.mean[i];
    if (of.square) of.square[i] += weights.of_product * delta * delta;
    for (int d = 0; d < Dim; ++d)
      if (of.flux[d])
        of.flux[d][i] += weights.of_product * delta *
                         (cell_velocity(fields.velocity, d, c) - of.velocity_mean[d][i]);
    of.mean[i] += weights.of_mean * delta;
  });
}

template <int Dim, class Space>
void add_velocity_moments(const PresentFields<Dim>& fields, const VelocityMomentView<Dim>& of,
                          const MomentWeights& weights) {
  const Box<Dim> cells{Index<Dim>::filled(0), fields.grid.cells};
  linalg::for_each<Space>(cells, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const auto i = cells.position(c);
    double delta[Dim];
    for (int d = 0; d < Dim; ++d) delta[d] = cell_velocity(fields.velocity, d, c) - of.mean[d][i];
    for (int k = 0; k < VelocityMomentView<Dim>::stresses; ++k)
      if (of.stress[k])
        of.stress[k][i] +=
            weights.of_product * delta[stress_row<Dim>(k)] * delta[stress_column<Dim>(k)];
    for (int d = 0; d < Dim; ++d) of.mean[d][i] += weights.of_mean * delta[d];
  });
}

template <int Dim, class Space>
class Moments {
 public:
  using Array = linalg::Buffer<double, Space>;

  // `fields`: the output fields of the settings.
  Moments(const Layout<Dim>& layout, const std::vector<std::string>& fields)
      : plan_(moment_plan(fields)), layout_(layout) {
    const auto cells = static_cast<std::size_t>(layout.interior().size());
    for (int d = 0; d < Dim && plan_.has_velocity(); ++d) velocity_mean_.emplace_back(cells);
    for (int k = 0; k < stress_count(Dim) && plan_.has_stress; ++k) stress_.emplace_back(cells);
    for (const MomentPlan::OfScalar& scalar : plan_.scalars) {
      OfScalar& of = scalars_.emplace_back();
      of.mean = Array(cells);
      if (scalar.has_square) of.square = Array(cells);
      for (int d = 0; d < Dim && scalar.has_flux; ++d) of.flux.emplace_back(cells);
    }
  }

  bool any() const { return plan_.any(); }

  // Adds the present values; a negative weight takes some away that was added too much.
  // view_of(name): the values of a scalar, or of the pressure.
  template <class ViewOf>
  void add(double weight, const PresentFields<Dim>& fields, ViewOf view_of) {
    if (!any() || weight == 0) return;
    if (!(weight_ + weight > 0)) return clear();
    weight_ += weight;
    const double share = weight / weight_;
    const MomentWeights weights{share, weight * (1 - share)};
    for (std::size_t k = 0; k < scalars_.size(); ++k)
      add_scalar_moments<Dim, Space>(fields, view_of(plan_.scalars[k].name), view(scalars_[k]),
                                     weights);
    if (plan_.has_velocity()) add_velocity_moments<Dim, Space>(fields, velocity_view(), weights);
  }

  // What MomentOutput makes a field of. 0 before anything was added. The statistic must be one of
  // the fields.
  MomentArrays arrays_of(const Statistic& statistic) const {
    MomentArrays arrays{.factor = weight_ > 0 ? 1 / weight_ : 1.0,
                        .is_root = statistic.kind == StatisticKind::rms};
    arrays.of_velocity = statistic.kind == StatisticKind::flux;
    for (std::size_t k = 0; k < scalars_.size(); ++k) {
      if (plan_.scalars[k].name != statistic.of) continue;
      if (statistic.kind == StatisticKind::rms) arrays.of[0] = scalars_[k].square.data();
      for (std::size_t d = 0; statistic.kind == StatisticKind::flux && d < Dim; ++d)
        arrays.of[d] = scalars_[k].flux[d].data();
      return arrays;
    }
    arrays.of_velocity = true;
    const bool is_rms = statistic.kind == StatisticKind::rms;
    for (int k = 0; k < (is_rms ? Dim : stress_count(Dim)); ++k)
      arrays.of[k < Dim ? k : k + 3 - Dim] = stress_[static_cast<std::size_t>(k)].data();
    return arrays;
  }

  // `weight`: the time that has been added.
  void visit_state(StateVisitor& visitor, double weight) {
    if (!any()) return;
    StateGroup group(visitor, "moments");
    const double rounding = 1e-9 * std::abs(weight);
    group.visit("weight", weight_, {std::max(0.0, weight - rounding), weight + rounding});
    visit_arrays(group, "velocity", velocity_mean_);
    visit_arrays(group, "stress", stress_);
    for (std::size_t k = 0; k < scalars_.size(); ++k) {
      StateGroup of(group, "of_" + plan_.scalars[k].name);
      visit_array(of, "mean", scalars_[k].mean);
      if (plan_.scalars[k].has_square) visit_array(of, "square", scalars_[k].square);
      visit_arrays(of, "flux", scalars_[k].flux);
    }
  }

 private:
  struct OfScalar {
    Array mean, square;
    std::vector<Array> flux;
  };

  void visit_array(StateVisitor& visitor, const std::string& name, Array& array) const {
    visit_list_in_space(visitor, name, layout_, listed_cells, array);
  }
  void visit_arrays(StateVisitor& visitor, const std::string& name,
                    std::vector<Array>& arrays) const {
    for (std::size_t k = 0; k < arrays.size(); ++k)
      visit_array(visitor, name + "/" + std::to_string(k), arrays[k]);
  }

  ScalarMomentView<Dim> view(OfScalar& of) {
    ScalarMomentView<Dim> view;
    view.mean = of.mean.data();
    view.square = of.square.data();
    for (std::size_t d = 0; d < of.flux.size(); ++d) {
      view.flux[d] = of.flux[d].data();
      view.velocity_mean[d] = velocity_mean_[d].data();
    }
    return view;
  }
  VelocityMomentView<Dim> velocity_view() {
    VelocityMomentView<Dim> view;
    for (std::size_t d = 0; d < Dim; ++d) view.mean[d] = velocity_mean_[d].data();
    for (std::size_t k = 0; k < stress_.size(); ++k) view.stress[k] = stress_[k].data();
    return view;
  }

  // As it was before anything was added.
  void clear() {
    weight_ = 0;
    const auto clear_all = [](std::vector<Array>& arrays) {
      for (Array& array : arrays) Space::clear(array.data(), array.bytes());
    };
    clear_all(velocity_mean_);
    clear_all(stress_);
    for (OfScalar& of : scalars_) {
      Space::clear(of.mean.data(), of.mean.bytes());
      if (of.square.size() > 0) Space::clear(of.square.data(), of.square.bytes());
      clear_all(of.flux);
    }
  }

  MomentPlan plan_;
  Layout<Dim> layout_;  // whose cells all arrays have values of
  std::vector<Array> velocity_mean_, stress_;
  std::vector<OfScalar> scalars_;  // in the order of the plan
  double weight_ = 0;              // W
};

}  // namespace hodge::sim
