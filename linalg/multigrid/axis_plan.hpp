// Decides which cells along one axis are joined, by the spacing of the cells.
//
// The spacing of cells i and i + 1 along axis d follows from the couplings: on a box of cells with
// widths h their mean over slice i is m / (m_d s_i), m the product of the mean widths of all axes,
// so that in common units of length
//
//   s_i = (1 / X_i) / sqrt(mean_i 1 / X_i),    X_i = mean of |a_i,i+1| over the slice
//
// Two cells are joined if (s_min / s_i)^2 >= weak_coupling, s_min the least spacing of all axes:
// thin cells first, and only along the axis in which they are thin. So each level is more even than
// the finer one, and on an even grid all axes are coarsened by two. With this coarsening a point
// smoother suffices on stretched grids: the error that it leaves in thin cells is smooth across
// them. Semi-coarsening (U. Trottenberg, C. W. Oosterlee & A. Schueller, Multigrid, 2001, Sec. 5.1)
// coarsens one axis everywhere instead.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hodge::linalg::multigrid {

// Cells whose spacing exceeds the least one by a factor of more than 1 / sqrt(this) are not joined.
inline constexpr double weak_coupling = 0.3;
// A coarser level has at most this fraction of the cells; otherwise larger spacings are joined too.
inline constexpr double least_saving = 0.8;
// If couplings along no axis differ by this factor, all cells of an axis are treated alike.
inline constexpr double worth_evening = 8;
// Spacings that differ by a smaller factor count as even.
inline constexpr double even = 1.1;

struct AxisPlan {
  enum class Kind { alone, pairs, listed };
  Kind kind = Kind::alone;
  int coarse_extent = 0;
  // The first child of each coarse cell, and the extent of the fine axis.
  std::vector<int> first;
  // Only with Kind::listed. For each fine cell: its coarse cell (parent) and the coarse cell beyond
  // its nearer side (other; the parent if there is none), and the weights of their values.
  std::vector<int> parent, other;
  std::vector<float> own, across;
  // For each coarse cell: the weights of the 4 fine cells from first - 1 on.
  std::vector<float> gather;
  // For each fine cell i: the factor of its coupling with i + 1 across two coarse cells.
  std::vector<float> scale;
};

// s_i from X_i. A slice without couplings, inside a solid, gets the least spacing.
inline std::vector<double> spacings(const std::vector<double>& coupling) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> s;
  double sum = 0.0, least = infinity;
  int count = 0;
  for (const double x : coupling) {
    s.push_back(x > 0.0 ? 1.0 / x : infinity);
    if (x <= 0.0) continue;
    sum += s.back();
    least = std::min(least, s.back());
    ++count;
  }
  if (count == 0) return s;
  const double unit = std::sqrt(sum / count);
  for (double& value : s) value = (value == infinity ? least : value) / unit;
  return s;
}

// The largest positive value over the least.
inline double spread(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const double value : values) {
    if (!(value > 0.0)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most > 0.0 ? most / least : 1.0;
}

// Replaces all values by their mean.
inline void even_out(std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  std::fill(values.begin(), values.end(), sum / static_cast<double>(values.size()));
}

// Joins pairs from the lower end on; see AxisPlan::first.
inline std::vector<int> first_children(const std::vector<double>& s, int extent, double limit) {
  std::vector<int> first;
  for (int i = 0; i < extent;) {
    first.push_back(i);
    i += i + 1 < extent && s[static_cast<std::size_t>(i)] <= limit ? 2 : 1;
  }
  first.push_back(extent);
  return first;
}

inline bool is_even(const std::vector<double>& s, std::size_t inner) {
  const auto [least, most] =
      std::minmax_element(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(inner));
  return *most <= even * *least;
}

// An axis of a level's box.
struct AxisShape {
  int extent;
  bool periodic;
  double beyond[2];
};

// From the centre of a coarse cell to that of its children: half their distance, 0 with one child.
inline double half_pair(const std::vector<double>& s, const AxisPlan& plan, int c) {
  const auto at = static_cast<std::size_t>(c);
  const int i = plan.first[at];
  return plan.first[at + 1] - i == 2 ? 0.5 * s[static_cast<std::size_t>(i)] : 0.0;
}

// Parents, and the weights of cells at a side of the box, which are interpolated with the value
// beyond the side, `beyond` times their own. interpolate_between_parents() sets the other weights.
inline void list_parents(const AxisShape& axis, AxisPlan& plan) {
  for (int c = 0; c < plan.coarse_extent; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const bool pair = plan.first[at + 1] - plan.first[at] == 2;
    for (int i = plan.first[at]; i < plan.first[at + 1]; ++i) {
      const bool up = i > plan.first[at];
      const bool at_side = pair && !axis.periodic && i == (up ? axis.extent - 1 : 0);
      plan.parent.push_back(c);
      plan.own.push_back(at_side ? static_cast<float>(0.75 + 0.25 * axis.beyond[up ? 1 : 0])
                                 : 1.0F);
    }
  }
  plan.other = plan.parent;
  plan.across.assign(plan.parent.size(), 0.0F);
}

inline void interpolate_between_parents(const std::vector<double>& s, AxisPlan& plan) {
  const std::size_t n = plan.parent.size();
  plan.scale.assign(n, 1.0F);
  for (std::size_t i = 0; i < s.size(); ++i) {  // the face between i and the one above
    const std::size_t above = (i + 1) % n;
    const int here = plan.parent[i], there = plan.parent[above];
    const double from_here = half_pair(s, plan, here), from_there = half_pair(s, plan, there);
    const double apart = from_here + s[i] + from_there;
    if (here == there || !std::isfinite(apart)) continue;
    plan.scale[i] = static_cast<float>(s[i] / apart);
    const auto interpolate = [&](std::size_t cell, int other, double distance) {
      if (!(distance > 0)) return;
      plan.other[cell] = other;
      plan.across[cell] = static_cast<float>(distance / apart);
      plan.own[cell] = 1.0F - plan.across[cell];
    };
    interpolate(i, there, from_here);
    interpolate(above, here, from_there);
  }
}

// The transpose of the weights own and across.
inline void list_gather(const AxisShape& axis, AxisPlan& plan) {
  for (int c = 0; c < plan.coarse_extent; ++c) {
    const int first = plan.first[static_cast<std::size_t>(c)],
              end = plan.first[static_cast<std::size_t>(c) + 1];
    for (int k = -1; k < 3; ++k) {
      int i = first + k;
      if (axis.periodic) i += i < 0 ? axis.extent : i >= axis.extent ? -axis.extent : 0;
      const bool counts = first + k <= end && i >= 0 && i < axis.extent;
      const auto at = static_cast<std::size_t>(counts ? i : 0);
      float weight = counts && plan.parent[at] == c ? plan.own[at] : 0.0F;
      if (counts && plan.other[at] == c) weight += plan.across[at];
      plan.gather.push_back(weight);
    }
  }
}

inline AxisPlan plan_axis(const std::vector<double>& s, const AxisShape& axis, double limit) {
  AxisPlan plan;
  plan.first = first_children(s, axis.extent, limit);
  plan.coarse_extent = static_cast<int>(plan.first.size()) - 1;
  if (plan.coarse_extent == axis.extent) return plan;
  const bool all = plan.coarse_extent == (axis.extent + 1) / 2;
  plan.kind = all && is_even(s, static_cast<std::size_t>(axis.extent - 1)) ? AxisPlan::Kind::pairs
                                                                           : AxisPlan::Kind::listed;
  if (plan.kind != AxisPlan::Kind::listed) return plan;
  list_parents(axis, plan);
  interpolate_between_parents(s, plan);
  list_gather(axis, plan);
  return plan;
}

}  // namespace hodge::linalg::multigrid
