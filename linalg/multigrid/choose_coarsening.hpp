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

namespace hodge::linalg::multigrid {

// The lists of all axes in the memory of a space.
template <int Dim, class Space>
class AxisLists {
 public:
  AxisJoin take(int d, const AxisPlan& plan) {
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

 private:
  Buffer<int, Space> first_[Dim], parent_[Dim], other_[Dim];
  Buffer<float, Space> own_[Dim], across_[Dim], gather_[Dim], scale_[Dim];
};

// The mean of |upper_d| over each slice across axis d, over the cells that have this coupling. Of a
// large slice only a sample of evenly spread cells is taken.
template <int Dim, class Space, class View>
std::vector<double> slice_couplings(const View& a, int d) {
  constexpr int most = Dim == 2 ? 1024 : 32;  // along each axis of the slice
  const int extent = a.shape.extent[d];
  Buffer<double, Space> means(static_cast<std::size_t>(extent));
  double* const mean = means.data();
  for_each<Space>(extent, [=] HODGE_LAMBDA(int i) {
    Index<Dim> count{}, c{};
    int samples = 1;
    for (int e = 0; e < Dim; ++e) {
      const int n = a.shape.extent[e];
      count[e] = e == d ? 1 : (n < most ? n : most);
      samples *= count[e];
    }
    double sum = 0.0;
    int coupled = 0;
    for (int k = 0; k < samples; ++k) {
      for (int e = 0, rest = k; e < Dim; rest /= count[e], ++e)
        c[e] = e == d ? i
                      : static_cast<int>(static_cast<long long>(rest % count[e]) *
                                         a.shape.extent[e] / count[e]);
      const double v = a.shape.has_above(c, d) ? static_cast<double>(a.upper_of(c, d)) : 0.0;
      sum += v < 0.0 ? -v : v;
      coupled += v != 0.0 ? 1 : 0;
    }
    mean[i] = coupled > 0 ? sum / coupled : 0.0;
  });
  std::vector<double> host = means.to_host();
  if (!a.shape.periodic[d]) host.pop_back();
  return host;
}

template <int Dim, class Space, class View>
Coarsening<Dim> coarsening_of(const View& a, AxisLists<Dim, Space>& lists) {
  std::array<std::vector<double>, Dim> coupling;
  for (int d = 0; d < Dim; ++d) coupling[d] = slice_couplings<Dim, Space>(a, d);
  const std::array<AxisPlan, Dim> plans = plan_by_couplings<Dim>(a.shape, std::move(coupling));
  Coarsening<Dim> to{a.shape, a.shape, {}};
  for (int d = 0; d < Dim; ++d) {
    to.axis[d] = lists.take(d, plans[d]);
    to.coarse.extent[d] = plans[d].coarse_extent;
  }
  return to;
}

}  // namespace hodge::linalg::multigrid
