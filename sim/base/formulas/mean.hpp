// Means of formulas over boxes: over the face or the cell that a value of the grid stands for.
//
//   mean = 1/|box| integral of f over the box at time t
//
// A formula that is smooth in the box takes Gauss points along each axis that it depends on: 3,
// exact for polynomials up to degree 5, or 2 (degree 3) where it depends on t and is evaluated in
// every step. One that does not depend on x, y, z takes 1 point. A piecewise one is subdivided
// where interval.hpp finds branches:
//
//   branches across one axis     bisection: jumps and kinks are exact to 2^-30 of the range of f in
//                                the box, to 2^-14 (6e-5) in every step
//   across several (the corner   bisections as lines, summed over panels of 3 Gauss points that are
//   of a window, a round         halved until an error estimate is below 1e-6 of the range in two
//   opening)                     directions, 4e-3 in three, 1e-3 and 1e-2 in every step
//
// The latter errors concern boxes with a corner or a curved edge alone, and change sign from box to
// box.
// Noise, which has no mean but 0, stays the value at `place`. All of it is a function of the box
// alone: no state, no memory, the same on host and device, bits that do not depend on processes.
#pragma once

#include "sim/base/formulas/interval.hpp"

namespace hodge::sim {

// Equal bounds: a point. `place` is where the value lies in the box: coordinates along which
// nothing varies are taken there.
struct MeanBox {
  double lower[3] = {}, upper[3] = {}, place[3] = {};
};

struct Subdivision {
  double line;       // smallest piece of a bisection, part of the box
  int sure, depth;   // halvings of panels: those made at once, and at most
  double tolerance;  // of the range, for what the panels of a box add up to
  int open;          // most pieces of a line in which branches lie, for it to be sharp
};

// By the number of axes that branches depend on, and for formulas of t.
HODGE_HD inline Subdivision subdivision(int axes, bool in_every_step) {
  if (in_every_step) {
    if (axes == 1) return {0x1p-14, 0, 0, 0.0, 0};
    return axes == 2 ? Subdivision{0x1p-14, 0, 8, 1e-3, 4} : Subdivision{0x1p-8, 0, 2, 1e-2, 2};
  }
  if (axes == 1) return {0x1p-30, 0, 0, 0.0, 0};
  return axes == 2 ? Subdivision{0x1p-26, 2, 20, 1e-6, 8} : Subdivision{0x1p-10, 0, 4, 4e-3, 2};
}

inline constexpr int time_variable = 3;
inline constexpr int most_pieces = 4096;  // of a line; a formula of more branches is sampled ...
inline constexpr double coarse_line = 0x1p-8;  // ... in pieces of this part of the box

// The mean of one formula over one box, as it is being found.
struct MeanOfFormula {
  ProgramView f;
  double place[4];
  int points;        // of Gauss along a smooth axis
  unsigned varying;  // axes along which the box is more than a point and f varies
  int axes = 0;      // along which branches are looked for ...
  int axis[3] = {};  // ... the innermost first
  Subdivision how{};
  double range = 0;  // of f in the box; 0: not known
};

HODGE_HD inline double gauss_point(int points, int i) {
  if (points == 2) return i == 0 ? -0.57735026918962576451 : 0.57735026918962576451;
  return i == 1 ? 0.0 : (i == 0 ? -0.77459666924148337704 : 0.77459666924148337704);
}
HODGE_HD inline double gauss_weight(int points, int i) {
  if (points == 2) return 0.5;
  return i == 1 ? 4.0 / 9.0 : 5.0 / 18.0;
}

// By the points of Gauss along all axes along which the bounds differ.
HODGE_HD HODGE_APART inline double gauss_mean(const MeanOfFormula& m, const double* lower,
                                              const double* upper) {
  int count[3], total = 1;
  double variables[first_extra_variable];
  variables[time_variable] = m.place[time_variable];
  for (int e = 0; e < 3; ++e) {
    count[e] = upper[e] > lower[e] ? m.points : 1;
    total *= count[e];
    variables[e] = lower[e];
  }
  double sum = 0;
  for (int k = 0; k < total; ++k) {
    double weight = 1;
    for (int e = 0, left = k; e < 3; left /= count[e++]) {
      if (count[e] == 1) continue;
      const int i = left % count[e];
      variables[e] =
          0.5 * (lower[e] + upper[e]) + 0.5 * (upper[e] - lower[e]) * gauss_point(m.points, i);
      weight *= gauss_weight(m.points, i);
    }
    sum += weight * evaluate(m.f, variables, m.place);
  }
  return sum;
}

HODGE_HD inline IntervalValue bounds_in(const MeanOfFormula& m, const double* lower,
                                        const double* upper) {
  return evaluate_interval(m.f, lower, upper, m.place);
}

// The halvings of a stretch of an axis, from its lower end on.
struct Bisection {
  double from, length;
  int depth = 0;
  long long index = 0;
  bool done = false;

  HODGE_HD double share() const { return std::ldexp(1.0, -depth); }
  HODGE_HD double lower() const { return from + length * (static_cast<double>(index) * share()); }
  HODGE_HD double upper() const {
    return from + length * (static_cast<double>(index + 1) * share());
  }
  HODGE_HD void halve() {
    ++depth;
    index *= 2;
  }
  // To the piece after this one.
  HODGE_HD void go_on() {
    ++index;
    while (depth > 0 && index % 2 == 0) {
      index /= 2;
      --depth;
    }
    done = depth == 0;
  }
};

// A mean that stands only where `is_sharp`: where all branches lie at points of the inner axes,
// whatever the coordinates along the outer ones are.
struct PartialMean {
  double value = 0;
  bool is_sharp = true;
};

// Pieces of axis[0] in which every branch is decided, for all of the box along the other axes.
HODGE_HD HODGE_APART inline PartialMean mean_of_line(const MeanOfFormula& m, const double* low,
                                                     const double* up, double smallest,
                                                     int most_open) {
  const int a = m.axis[0];
  double lower[4] = {low[0], low[1], low[2], m.place[time_variable]};
  double upper[4] = {up[0], up[1], up[2], m.place[time_variable]};
  PartialMean mean;
  int open = 0;
  for (Bisection at{low[a], up[a] - low[a]}; !at.done; at.go_on()) {
    for (;; at.halve()) {
      lower[a] = at.lower();
      upper[a] = at.upper();
      const IntervalValue found = bounds_in(m, lower, upper);
      if (!found.undecided) break;
      const double spread = found.bounds.upper - found.bounds.lower;
      if (at.share() > smallest && !(spread * at.share() <= smallest * m.range)) continue;
      if (++open > most_open) return {0.0, false};
      lower[a] = upper[a] = 0.5 * (lower[a] + upper[a]);
      break;
    }
    mean.value += at.share() * gauss_mean(m, lower, upper);
  }
  return mean;
}

// The same along axis[Level] and all inner axes.
template <int Level>
struct Panels {
  // Branches at points of all these axes.
  HODGE_HD static PartialMean sharp(const MeanOfFormula& m, const double* low, const double* up) {
    const int a = m.axis[Level];
    double lower[3] = {low[0], low[1], low[2]}, upper[3] = {up[0], up[1], up[2]};
    PartialMean mean;
    int open = 0;
    for (Bisection at{low[a], up[a] - low[a]}; !at.done; at.go_on()) {
      PartialMean inner;
      for (;; at.halve()) {
        lower[a] = at.lower();
        upper[a] = at.upper();
        inner = Panels<Level - 1>::sharp(m, lower, upper);
        if (inner.is_sharp) break;
        if (at.share() > m.how.line) continue;
        if (++open > m.how.open) return {0.0, false};
        inner.value = gauss_mean(m, lower, upper);
        break;
      }
      mean.value += at.share() * inner.value;
    }
    return mean;
  }

  // Any branches.
  HODGE_HD static double any(const MeanOfFormula& m, const double* low, const double* up) {
    const int a = m.axis[Level];
    double lower[3] = {low[0], low[1], low[2]}, upper[3] = {up[0], up[1], up[2]};
    double mean = 0;
    for (Bisection at{low[a], up[a] - low[a]}; !at.done; at.go_on()) {
      for (;; at.halve()) {
        lower[a] = at.lower();
        upper[a] = at.upper();
        const PartialMean inner = Panels<Level - 1>::sharp(m, lower, upper);
        if (inner.is_sharp) {
          mean += at.share() * inner.value;
          break;
        }
        if (at.depth < m.how.sure) continue;
        const double middle = 0.5 * (lower[a] + upper[a]);
        if (m.axes == 2 && at.depth < m.how.depth && one_half_is_sharp(m, lower, upper, middle))
          continue;
        const double halves = 0.5 * (slices(m, lower, upper, lower[a], middle) +
                                     slices(m, lower, upper, middle, upper[a]));
        const double change = halves - slices(m, lower, upper, lower[a], upper[a]);
        const double error = (change < 0 ? -change : change) * at.share();
        if (at.depth < m.how.depth && !(error <= m.how.tolerance * m.range)) continue;
        mean += at.share() * halves;
        break;
      }
    }
    return mean;
  }

  // An edge across axis[Level] lies in the other half then: no error estimate sees that surely.
  HODGE_HD static bool one_half_is_sharp(const MeanOfFormula& m, const double* low,
                                         const double* up, double middle) {
    const int a = m.axis[Level];
    double lower[3] = {low[0], low[1], low[2]}, upper[3] = {up[0], up[1], up[2]};
    upper[a] = middle;
    if (Panels<Level - 1>::sharp(m, lower, upper).is_sharp) return true;
    lower[a] = middle;
    upper[a] = up[a];
    return Panels<Level - 1>::sharp(m, lower, upper).is_sharp;
  }

  // By 3 points of Gauss along axis[Level] between two of its coordinates.
  HODGE_HD static double slices(const MeanOfFormula& m, const double* low, const double* up,
                                double from, double to) {
    const int a = m.axis[Level];
    double lower[3] = {low[0], low[1], low[2]}, upper[3] = {up[0], up[1], up[2]};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      lower[a] = upper[a] = 0.5 * (from + to) + 0.5 * (to - from) * gauss_point(3, i);
      sum += gauss_weight(3, i) * Panels<Level - 1>::any(m, lower, upper);
    }
    return sum;
  }
};

template <>
struct Panels<0> {
  HODGE_HD static PartialMean sharp(const MeanOfFormula& m, const double* low, const double* up) {
    return mean_of_line(m, low, up, m.how.line, m.how.open);
  }
  HODGE_HD static double any(const MeanOfFormula& m, const double* low, const double* up) {
    const PartialMean mean = mean_of_line(m, low, up, m.how.line, most_pieces);
    return mean.is_sharp ? mean.value : mean_of_line(m, low, up, coarse_line, most_pieces).value;
  }
};

// The axes that branches depend on: first those along which one lies on the line through the
// middle.
HODGE_HD inline void order_axes(MeanOfFormula& m, const double* lower, const double* upper) {
  for (int pass = 0; pass < 2; ++pass)
    for (int e = 0; e < 3; ++e) {
      if ((m.varying & m.f.traits.branches_along & (1u << e)) == 0) continue;
      double low[4], up[4];
      for (int d = 0; d < 3; ++d)
        low[d] = up[d] = lower[d] < upper[d] ? 0.5 * (lower[d] + upper[d]) : lower[d];
      low[e] = lower[e];
      up[e] = upper[e];
      low[time_variable] = up[time_variable] = m.place[time_variable];
      if (bounds_in(m, low, up).undecided == (pass == 0)) m.axis[m.axes++] = e;
    }
}

HODGE_HD inline double mean_of_pieces(MeanOfFormula& m, const double* lower, const double* upper) {
  const double spread =
      bounds_in(m, lower, upper).bounds.upper - bounds_in(m, lower, upper).bounds.lower;
  m.range = spread < 1e300 ? spread : 0.0;
  order_axes(m, lower, upper);
  m.how = subdivision(m.axes, m.points == 2);
  if (m.axes == 1) return Panels<0>::any(m, lower, upper);
  if (m.axes == 2) return Panels<1>::any(m, lower, upper);
  return Panels<2>::any(m, lower, upper);
}

// What smooth formulas get: their mean by Gauss, or their value at the place of the box.
enum class Smooth { mean, at_place };

// Errors: none; no number where f has none at one of the points.
HODGE_HD inline double mean_of(const ProgramView& f, const MeanBox& box, double t,
                               Smooth smooth = Smooth::mean) {
  MeanOfFormula m{f, {box.place[0], box.place[1], box.place[2], t}, 3, 0};
  if ((f.traits.depends_on >> time_variable & 1u) != 0) m.points = 2;
  double lower[4], upper[4];
  for (int e = 0; e < 3; ++e) {
    const bool varies = (f.traits.depends_on >> e & 1u) != 0 && box.lower[e] < box.upper[e];
    if (varies) m.varying |= 1u << e;
    lower[e] = varies ? box.lower[e] : box.place[e];
    upper[e] = varies ? box.upper[e] : box.place[e];
  }
  lower[time_variable] = upper[time_variable] = t;
  if (m.varying == 0) return evaluate(f, m.place);
  if ((m.varying & f.traits.branches_along) == 0 || !bounds_in(m, lower, upper).undecided)
    return smooth == Smooth::mean ? gauss_mean(m, lower, upper) : evaluate(f, m.place);
  return mean_of_pieces(m, lower, upper);
}

// What a value of the grid is given: the mean where f is piecewise in the box, and where it is
// smooth the value at the place. That differs from the mean in second order, as the schemes do, and
// keeps what they compute exactly: their values are values at points (a parabola between walls is
// exact to rounding at points, and off by h^2/24 u'' in its means).
HODGE_HD inline double value_over(const ProgramView& f, const MeanBox& box, double t) {
  return mean_of(f, box, t, Smooth::at_place);
}

}  // namespace hodge::sim
