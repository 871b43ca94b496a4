#include "sim/discrete/bodies/body_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

constexpr int wanted_margin = 4, least_margin = 2;  // cells between a body and the faces of its box

int around(int i, int n) {
  return ((i % n) + n) % n;
}

// The cells of an axis that a body has, on a periodic axis those beyond its widest gap.
void find_range(const std::vector<bool>& has, bool periodic, int& lower, int& upper) {
  const int n = static_cast<int>(has.size());
  const auto first = std::find(has.begin(), has.end(), true) - has.begin();
  const auto last = has.rend() - std::find(has.rbegin(), has.rend(), true);
  lower = static_cast<int>(first);
  upper = static_cast<int>(last);
  if (!periodic) return;
  int widest = n - (upper - lower);  // the gap across the seam
  for (int i = lower, gap = 0; i < upper; ++i) {
    gap = has[static_cast<std::size_t>(i)] ? 0 : gap + 1;
    if (gap <= widest) continue;
    widest = gap;
    lower = i + 1;
  }
  if (lower != first) upper = lower + n - widest;
}

double edge_of(const Axis& axis, int i) {
  const int n = axis.cells(), turns = i >= n ? i / n : i < 0 ? -((n - 1 - i) / n) : 0;
  if (i == n) return axis.upper();
  return axis.edges[static_cast<std::size_t>(i - turns * n)] + turns * axis.length();
}

// The middle of the body's cells, with those beyond the seam of a periodic axis where they go on.
void add_cells(const Grid& grid, std::span<const std::uint8_t> bodies, std::span<const CutCell> cut,
               std::vector<BodyFrame>& frames) {
  std::size_t cell = 0;
  auto next = cut.begin();
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    const bool is_cut = next != cut.end() && next->cell == cell;
    const double part = is_cut ? (next++)->solid : 1.0;
    const int body = bodies[cell++];
    if (body == 0) return;
    BodyFrame& frame = frames[static_cast<std::size_t>(body - 1)];
    const double volume = part * face_area(grid, -1, c);
    frame.volume += volume;
    for (int d = 0; d < grid.dim(); ++d) {
      const double turn = c[d] < frame.cells.lower[d] ? grid.axis(d).length() : 0;
      frame.centroid[d] += volume * (grid.axis(d).centre(c[d]) + turn);
    }
  });
  for (BodyFrame& frame : frames)
    for (int d = 0; d < grid.dim() && frame.volume > 0; ++d) frame.centroid[d] /= frame.volume;
}

std::vector<BodyFrame> frames_of(const Grid& grid, const Problem& problem,
                                 std::span<const std::uint8_t> bodies,
                                 std::span<const CutCell> cut) {
  std::vector<BodyFrame> frames;
  std::vector<std::array<std::vector<bool>, 3>> has;
  for (const std::string& name : solid_names(problem.solids)) {
    frames.push_back({.name = name});
    has.emplace_back();
    for (int d = 0; d < 3; ++d) has.back()[d].resize(static_cast<std::size_t>(grid.cells(d)));
  }
  std::size_t cell = 0;
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    if (const int body = bodies[cell++]; body != 0)
      for (int d = 0; d < 3; ++d)
        has[static_cast<std::size_t>(body - 1)][d][static_cast<std::size_t>(c[d])] = true;
  });
  for (std::size_t k = 0; k < frames.size(); ++k)
    for (int d = 0; d < 3; ++d)
      find_range(has[k][d], d < grid.dim() && problem.boundaries.periodic(d),
                 frames[k].cells.lower[d], frames[k].cells.upper[d]);
  add_cells(grid, bodies, cut, frames);
  return frames;
}

struct Surroundings {
  const Grid& grid;
  const Problem& problem;
  std::span<const std::uint8_t> bodies;
  const std::vector<BodyFrame>& frames;

  // Another body with cells in the box, or beside it; none: an empty name.
  std::string other_body(const CellRange& box, std::size_t body) const {
    Box<3> beside{};
    for (int d = 0; d < 3; ++d) {
      const int n = grid.cells(d);
      const bool periodic = d < grid.dim() && problem.boundaries.periodic(d);
      beside.lower[d] = box.lower[d] - 1;
      beside.upper[d] = box.upper[d] + 1;
      if (!periodic) {
        beside.lower[d] = std::max(beside.lower[d], 0);
        beside.upper[d] = std::min(beside.upper[d], n);
      } else if (beside.upper[d] - beside.lower[d] > n) {
        beside.upper[d] = beside.lower[d] + n;
      }
    }
    std::string found;
    for_each_on_host(beside, [&](const Index<3>& c) {
      std::size_t cell = 0;
      for (int d = 2; d >= 0; --d)
        cell = cell * static_cast<std::size_t>(grid.cells(d)) +
               static_cast<std::size_t>(around(c[d], grid.cells(d)));
      const std::size_t here = bodies[cell];
      if (here != 0 && here != body + 1) found = frames[here - 1].name;
    });
    return found;
  }

  bool reaches(const CellRange& cells, int d, int side) const {
    return side == 0 ? cells.lower[d] == 0 : cells.upper[d] == grid.cells(d);
  }
  bool ends_in_passed_side(const CellRange& box) const {
    for (const auto [axis, side] : sides_of_box(grid.dim()))
      if (!problem.boundaries.periodic(axis) && reaches(box, axis, side) &&
          !problem.boundaries.sides[axis][side].traits().is_closed())
        return true;
    return false;
  }

  // Why a box cannot be that of the body; empty: it can.
  std::string complaint(const CellRange& box, std::size_t body) const {
    if (frames[body].volume == 0) return "other bodies have all cells of it";
    const CellRange& of = frames[body].cells;
    for (int d = 0; d < grid.dim(); ++d) {
      const int n = grid.cells(d);
      const auto& sides = problem.boundaries.sides[d];
      if (problem.boundaries.periodic(d)) {
        if (box.upper[d] - box.lower[d] == n) continue;
      } else {
        if (box.lower[d] < 0 || box.upper[d] > n)
          return fmt::format("it leaves the box of the flow along {}", axis_names[d]);
        for (int side = 0; side < 2; ++side)
          if (reaches(box, d, side) && !sides[side].traits().is_closed() &&
              !(reaches(of, d, side) && has_sharp_solids(problem.solids)))
            return fmt::format("it reaches {}, through which fluid passes", side_name(d, side));
      }
      const bool below = !problem.boundaries.periodic(d) && box.lower[d] == 0;
      const bool above = !problem.boundaries.periodic(d) && box.upper[d] == n;
      if ((!below && of.lower[d] - box.lower[d] < least_margin) ||
          (!above && box.upper[d] - of.upper[d] < least_margin))
        return fmt::format("it has less than {} cells between its faces and {} along {}",
                           least_margin, frames[body].name, axis_names[d]);
    }
    const std::string other = other_body(box, body);
    return other.empty() ? "" : fmt::format("{} is in it or beside it", other);
  }

  CellRange with_margin(std::size_t body, int margin) const {
    CellRange box = frames[body].cells;
    for (int d = 0; d < grid.dim(); ++d) {
      const int n = grid.cells(d);
      box.lower[d] -= margin;
      box.upper[d] += margin;
      if (problem.boundaries.periodic(d)) {
        if (box.upper[d] - box.lower[d] >= n) box.lower[d] = 0, box.upper[d] = n;
        continue;
      }
      const int inside[2] = {problem.boundaries.sides[d][0].traits().is_closed() ? 0 : 1,
                             n - (problem.boundaries.sides[d][1].traits().is_closed() ? 0 : 1)};
      box.lower[d] = std::max(box.lower[d], std::min(inside[0], frames[body].cells.lower[d]));
      box.upper[d] = std::min(box.upper[d], std::max(inside[1], frames[body].cells.upper[d]));
    }
    return box;
  }

  void take_default_box(BodyFrame& frame, std::size_t body) const {
    for (int margin = wanted_margin; margin >= least_margin; --margin) {
      const CellRange box = with_margin(body, margin);
      frame.without_box = complaint(box, body);
      if (!frame.without_box.empty()) continue;
      frame.box = box;
      return;
    }
  }
};

// The face of the grid that is nearest to x; on a periodic axis it may be an image of one.
int nearest_face(const Axis& axis, bool periodic, double x) {
  constexpr double most_turns = 1000;
  const double turns =
      periodic ? std::clamp(std::floor((x - axis.lower()) / axis.length()), -most_turns, most_turns)
               : 0.0;
  const double inside = x - turns * axis.length();
  const int n = axis.cells(), before = static_cast<int>(turns) * n;
  if (!periodic && inside < axis.lower() - 0.5 * axis.widths.front()) return -1;
  if (!periodic && inside > axis.upper() + 0.5 * axis.widths.back()) return n + 1;
  const auto above = std::ranges::lower_bound(axis.edges, inside);
  if (above == axis.edges.begin()) return before;
  if (above == axis.edges.end()) return before + n;
  const bool lower = inside - above[-1] < *above - inside;
  return before + static_cast<int>(above - axis.edges.begin()) - (lower ? 1 : 0);
}

CellRange given_box(const Grid& grid, const Problem& problem, const BodyBox& given,
                    const CellRange& body) {
  CellRange box = body;
  for (int d = 0; d < grid.dim(); ++d) {
    const bool periodic = problem.boundaries.periodic(d);
    const int n = grid.cells(d);
    box.lower[d] = nearest_face(grid.axis(d), periodic, given.lower[d]);
    box.upper[d] = nearest_face(grid.axis(d), periodic, given.upper[d]);
    if (!periodic) continue;
    if (box.upper[d] - box.lower[d] >= n) box.lower[d] = 0, box.upper[d] = n;
    // The image that has the body.
    while (box.lower[d] > body.lower[d]) box.lower[d] -= n, box.upper[d] -= n;
    while (box.upper[d] < body.upper[d]) box.lower[d] += n, box.upper[d] += n;
  }
  return box;
}

void take_given_boxes(const Surroundings& at, const ForceSettings& forces,
                      std::vector<BodyFrame>& frames) {
  for (std::size_t i = 0; i < forces.boxes.size(); ++i) {
    const BodyBox& given = forces.boxes[i];
    const std::string key = fmt::format("forces.boxes[{}]", i);
    const auto found = std::ranges::find(frames, given.body, &BodyFrame::name);
    if (found == frames.end()) {
      std::vector<std::string> names;
      for (const BodyFrame& frame : frames) names.push_back(frame.name);
      throw KeyError(key + ".body", fmt::format("{}.body is {}, expected the name of a body: {}",
                                                key, quote(given.body), join(names)));
    }
    const auto body = static_cast<std::size_t>(found - frames.begin());
    const CellRange box = given_box(at.grid, at.problem, given, found->cells);
    if (const std::string why = at.complaint(box, body); !why.empty())
      throw KeyError(key, fmt::format("{} is no box around {} alone: {}", key, given.body, why));
    found->box = box;
    found->without_box.clear();
  }
}

}  // namespace

Point BodyFrame::box_lower(const Grid& grid) const {
  Point x{};
  for (int d = 0; d < grid.dim(); ++d) x[d] = edge_of(grid.axis(d), box->lower[d]);
  return x;
}

Point BodyFrame::box_upper(const Grid& grid) const {
  Point x{};
  for (int d = 0; d < grid.dim(); ++d) x[d] = edge_of(grid.axis(d), box->upper[d]);
  return x;
}

std::vector<BodyFrame> body_frames(const Grid& grid, const Problem& problem,
                                   std::span<const std::uint8_t> bodies,
                                   std::span<const CutCell> cut,
                                   const std::optional<ForceSettings>& forces) {
  if (bodies.empty()) return {};
  std::vector<std::uint8_t> touched(bodies.begin(), bodies.end());
  for (const CutCell& cell : cut) touched[cell.cell] = cell.body;
  std::vector<BodyFrame> frames = frames_of(grid, problem, touched, cut);
  const Surroundings at{grid, problem, touched, frames};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const CellRange& cells = frames[k].cells;
    for (int d = 0; d < grid.dim(); ++d)
      frames[k].middle[d] =
          0.5 * (edge_of(grid.axis(d), cells.lower[d]) + edge_of(grid.axis(d), cells.upper[d]));
    frames[k].about = forces && forces->about ? *forces->about : frames[k].centroid;
    at.take_default_box(frames[k], k);
  }
  if (forces) take_given_boxes(at, *forces, frames);
  for (BodyFrame& frame : frames)
    frame.box_ends_in_passed_side = frame.box && at.ends_in_passed_side(*frame.box);
  return frames;
}

}  // namespace hodge::sim
