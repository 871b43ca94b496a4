// The plans of all axes of a level (axis_plan.hpp), from the mean couplings of its slices or, if
// there is no matrix yet, from the widths of the cells.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/multigrid/axis_plan.hpp"
#include "linalg/multigrid/stencil.hpp"

namespace hodge::linalg::multigrid {

// A ring of less than 4 cells is not coarsened.
template <int Dim>
bool can_join(const LevelShape<Dim>& shape, int d) {
  return shape.extent[d] >= (shape.periodic[d] ? 4 : 2);
}

// The plans of all axes. If too few cells would be saved, larger spacings count as thin, too.
template <int Dim>
std::array<AxisPlan, Dim> plan_axes(const LevelShape<Dim>& fine,
                                    const std::array<std::vector<double>, Dim>& spacing) {
  double least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < Dim; ++d)
    if (can_join(fine, d))
      least = std::min(least, *std::min_element(spacing[d].begin(), spacing[d].end()));
  std::array<AxisPlan, Dim> plans;
  for (double weak = weak_coupling; weak > 1e-40; weak *= 0.5) {
    double cells = 1.0;
    for (int d = 0; d < Dim; ++d) {
      const double limit = can_join(fine, d) ? least / std::sqrt(weak) : -1.0;
      plans[d] = plan_axis(
          spacing[d], {fine.extent[d], fine.periodic[d], {fine.beyond[d][0], fine.beyond[d][1]}},
          limit);
      cells *= plans[d].coarse_extent;
    }
    if (cells <= least_saving * fine.cells()) break;
  }
  return plans;
}

template <int Dim>
std::array<AxisPlan, Dim> plan_by_couplings(const LevelShape<Dim>& fine,
                                            std::array<std::vector<double>, Dim> coupling) {
  double widest = 1.0;
  for (const auto& of_axis : coupling) widest = std::max(widest, spread(of_axis));
  for (auto& of_axis : coupling) {
    if (widest < worth_evening) even_out(of_axis);
    of_axis = spacings(of_axis);
  }
  return plan_axes<Dim>(fine, coupling);
}

using AxisWidths = std::vector<double>;  // of the cells along an axis

// The couplings of a box of cells of these widths, up to a common factor: m / (m_d s_i).
template <int Dim>
std::array<std::vector<double>, Dim> couplings(const LevelShape<Dim>& shape,
                                               const std::array<AxisWidths, Dim>& widths) {
  std::array<double, Dim> mean;
  double all = 1.0;
  for (int d = 0; d < Dim; ++d) {
    double sum = 0.0;
    for (const double h : widths[d]) sum += h;
    mean[d] = sum / shape.extent[d];
    all *= mean[d];
  }
  std::array<std::vector<double>, Dim> result;
  for (int d = 0; d < Dim; ++d) {
    const AxisWidths& h = widths[d];
    const std::size_t n = h.size(), faces = shape.periodic[d] ? n : n - 1;
    for (std::size_t i = 0; i < faces; ++i)
      result[d].push_back(all / mean[d] / (0.5 * (h[i] + h[(i + 1) % n])));
  }
  return result;
}

inline AxisWidths join_widths(const AxisWidths& fine, const AxisPlan& plan) {
  AxisWidths coarse(static_cast<std::size_t>(plan.coarse_extent), 0.0);
  for (std::size_t c = 0; c < coarse.size(); ++c)
    for (int i = plan.first[c]; i < plan.first[c + 1]; ++i)
      coarse[c] += fine[static_cast<std::size_t>(i)];
  return coarse;
}

// Cells of all coarser levels over those of the finest, for diffusion on cells of these widths.
template <int Dim>
double coarser_cells(LevelShape<Dim> shape, std::array<AxisWidths, Dim> widths,
                     int coarsest_cells) {
  const double finest = shape.cells();
  double sum = 0.0;
  while (shape.cells() > coarsest_cells) {
    const auto plans = plan_by_couplings<Dim>(shape, couplings<Dim>(shape, widths));
    const int before = shape.cells();
    for (int d = 0; d < Dim; ++d) {
      widths[d] = join_widths(widths[d], plans[d]);
      shape.extent[d] = plans[d].coarse_extent;
    }
    if (shape.cells() == before) break;
    sum += shape.cells();
  }
  return sum / finest;
}

}  // namespace hodge::linalg::multigrid
