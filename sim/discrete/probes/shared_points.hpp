// Values at points of a box that processes share: who computes what of them, and how the parts
// become the values that one process computes, bit for bit.
//
// A point whose corners all belong to one process is interpolated there. Of any other point each
// process gives the values at its corners, and the weighted sum is made of them in the order of the
// corners. A corner belongs to the process that has its cell; one in the ghosts beyond a side of
// the box belongs to the process beside that side.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "sim/discrete/probes/point_stencil.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

// How the values of some points follow from what the processes have computed. The same on all
// processes but for `own`.
template <int Dim>
struct DividedPoints {
  struct Term {
    int process;
    std::size_t position;  // among the values of that process
    double weight;
  };
  std::vector<PointStencil<Dim>> own;  // what this process computes, in the indices of its part
  std::vector<std::size_t> counts;     // values that each process computes
  std::vector<Term> terms;             // of all points, one point after the other
  std::vector<std::size_t> ends{};     // of the terms of each point
};

template <int Dim>
class SharedPoints {
 public:
  // Of a layout with a halo. Collective.
  explicit SharedPoints(const Layout<Dim>& part)
      : processes_(&part.halo->processes()), before_(part.before), whole_(part.whole_box()) {
    const Box<Dim> own{part.before, part.in_whole(part.cells)};
    parts_ = linalg::gather_one(*processes_, own);
  }

  // `stencils`: in the indices of the whole box, the same on all processes.
  DividedPoints<Dim> divide(const std::vector<PointStencil<Dim>>& stencils) const {
    DividedPoints<Dim> points{{}, std::vector<std::size_t>(parts_.size()), {}};
    for (const PointStencil<Dim>& stencil : stencils) {
      if (is_of_one_process(stencil))
        add(stencil, 1.0, points);
      else
        for (int k = 0; k < PointStencil<Dim>::corners; ++k)
          if (stencil.weight[k] != 0.0) add(corner_of(stencil, k), stencil.weight[k], points);
      points.ends.push_back(points.terms.size());
    }
    return points;
  }

  // Of several sets of points one after the other: `own` has the values of the stencils of each,
  // `values` gets those of the points. Collective, one message.
  void bring_together(std::span<const DividedPoints<Dim>* const> sets, std::span<const double> own,
                      std::span<double> values) const {
    std::vector<std::size_t> counts(parts_.size());
    for (const DividedPoints<Dim>* const set : sets)
      for (std::size_t p = 0; p < counts.size(); ++p) counts[p] += set->counts[p];
    std::vector<const double*> next;  // value of each process
    std::size_t total = 0;
    for (const std::size_t count : counts) total += count;
    std::vector<double> all(total);
    linalg::gather_known(*processes_, own, std::span<const std::size_t>(counts), std::span(all));
    for (std::size_t p = 0, first = 0; p < counts.size(); first += counts[p++])
      next.push_back(all.data() + first);
    double* value = values.data();
    for (const DividedPoints<Dim>* const set : sets) {
      value = add_up(*set, next, value);
      for (std::size_t p = 0; p < counts.size(); ++p) next[p] += set->counts[p];
    }
  }

 private:
  int process_of(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) c[d] = std::clamp(c[d], 0, whole_.upper[d] - 1);
    const auto has = [&](const Box<Dim>& part) { return part.contains(c); };
    return static_cast<int>(std::ranges::find_if(parts_, has) - parts_.begin());
  }

  // Also of a stencil without any weight, in a solid.
  bool is_of_one_process(const PointStencil<Dim>& stencil) const {
    int process = -1;
    for (int k = 0; k < PointStencil<Dim>::corners; ++k) {
      if (stencil.weight[k] == 0.0) continue;
      const int of_corner = process_of(stencil.at[k]);
      if (process >= 0 && of_corner != process) return false;
      process = of_corner;
    }
    return true;
  }

  static PointStencil<Dim> corner_of(const PointStencil<Dim>& stencil, int k) {
    PointStencil<Dim> corner{};
    corner.at[0] = stencil.at[k];
    corner.weight[0] = 1.0;
    return corner;
  }

  // One more value, which the process of the stencil's corners computes.
  void add(const PointStencil<Dim>& stencil, double weight, DividedPoints<Dim>& points) const {
    const auto weighs = std::ranges::find_if(stencil.weight, [](double w) { return w != 0.0; });
    const auto k = weighs == std::end(stencil.weight) ? 0 : weighs - std::begin(stencil.weight);
    const int process = process_of(stencil.at[k]);
    points.terms.push_back({process, points.counts[static_cast<std::size_t>(process)]++, weight});
    if (process != processes_->rank()) return;
    points.own.push_back(stencil);
    for (Index<Dim>& c : points.own.back().at)
      for (int d = 0; d < Dim; ++d) c[d] -= before_[d];
  }

  static double* add_up(const DividedPoints<Dim>& points,
                        const std::vector<const double*>& of_process, double* value) {
    std::size_t term = 0;
    for (const std::size_t end : points.ends) {
      double sum = 0.0;
      for (; term < end; ++term) {
        const auto& [process, position, weight] = points.terms[term];
        sum += weight * of_process[static_cast<std::size_t>(process)][position];
      }
      *value++ = sum;
    }
    return value;
  }

  linalg::Communicator* processes_;
  Index<Dim> before_;
  Box<Dim> whole_;
  std::vector<Box<Dim>> parts_;  // the cells of each process
};

}  // namespace hodge::sim
