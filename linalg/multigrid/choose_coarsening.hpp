// Chooses which cells of a level are joined to cells of the next: a plan for each axis
// (axis_plan.hpp) from the mean couplings of its slices, computed in the space. Chosen once, when
// the levels are made; new values of the matrix do not change the plan.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/multigrid/coarsening.hpp"
#include "linalg/multigrid/plan_axes.hpp"
#include "linalg/multigrid/slice_couplings.hpp"

namespace hodge::linalg::multigrid {

// The lists of all axes in the memory of a space.
template <int Dim, class Space>
class AxisLists {
 public:
  AxisJoin take(int d, AxisPlan plan) {
    plans_[d] = std::move(plan);
    return in_space(d);
  }
  // The same coarsening with lists that the host can read.
  Coarsening<Dim> on_host(Coarsening<Dim> to) const {
    for (int d = 0; d < Dim; ++d) {
      const AxisPlan& plan = plans_[d];
      if (plan.kind != AxisPlan::Kind::listed) continue;
      to.axis[d] = {false,           plan.first.data(),  plan.parent.data(), plan.other.data(),
                    plan.own.data(), plan.across.data(), plan.gather.data(), plan.scale.data()};
    }
    return to;
  }

 private:
  AxisJoin in_space(int d) {
    const AxisPlan& plan = plans_[d];
    if (plan.kind != AxisPlan::Kind::listed) return {plan.kind == AxisPlan::Kind::pairs};
    const auto upload = [](const auto& list, auto& buffer) {
      using List = std::decay_t<decltype(buffer)>;
      buffer = List(std::span(list));
      return std::as_const(buffer).data();
    };
    return {false,
            upload(plan.first, first_[d]),
            upload(plan.parent, parent_[d]),
            upload(plan.other, other_[d]),
            upload(plan.own, own_[d]),
            upload(plan.across, across_[d]),
            upload(plan.gather, gather_[d]),
            upload(plan.scale, scale_[d])};
  }

  AxisPlan plans_[Dim];
  Buffer<int, Space> first_[Dim], parent_[Dim], other_[Dim];
  Buffer<float, Space> own_[Dim], across_[Dim], gather_[Dim], scale_[Dim];
};

// coupling: the means of all axes (slice_couplings.hpp).
template <int Dim, class Space>
Coarsening<Dim> coarsening_by(const LevelShape<Dim>& fine,
                              std::array<std::vector<double>, Dim> coupling,
                              AxisLists<Dim, Space>& lists) {
  for (int d = 0; d < Dim; ++d)
    if (!fine.periodic[d]) coupling[d].pop_back();
  const std::array<AxisPlan, Dim> plans = plan_by_couplings<Dim>(fine, std::move(coupling));
  Coarsening<Dim> to{fine, fine, {}};
  for (int d = 0; d < Dim; ++d) {
    to.axis[d] = lists.take(d, plans[d]);
    to.coarse.extent[d] = plans[d].coarse_extent;
  }
  return to;
}

template <int Dim, class Space, class View>
Coarsening<Dim> coarsening_of(const View& a, AxisLists<Dim, Space>& lists) {
  return coarsening_by<Dim>(a.shape, slice_couplings<Dim, Space>(a), lists);
}

}  // namespace hodge::linalg::multigrid
