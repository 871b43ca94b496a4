#include "sim/discrete/bodies/staircase.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

// How far from a point the cells are that its entry depends on.
constexpr int below = 2, above = 1;

// The bodies of the cells of a padded layout and of those around it.
template <int Dim>
class PaddedCells {
 public:
  PaddedCells(const Layout<Dim>& layout, const std::vector<std::uint8_t>& cells,
              const Boundaries& boundaries)
      : box_(layout.padded()) {
    for (int d = 0; d < Dim; ++d) box_.lower[d] -= below, box_.upper[d] += above;
    const Box<Dim> whole = layout.whole_box();
    body_.reserve(static_cast<std::size_t>(box_.size()));
    for_each_on_host(box_, [&](const Index<Dim>& c) {
      Index<Dim> inner = layout.in_whole(c);
      for (int d = 0; d < Dim; ++d)
        inner[d] = inner_cell(inner[d], whole.upper[d], boundaries.periodic(d));
      body_.push_back(cells[static_cast<std::size_t>(whole.position(inner))]);
    });
  }

  int body(const Index<Dim>& c) const { return body_[static_cast<std::size_t>(box_.position(c))]; }
  bool solid(const Index<Dim>& c) const { return body(c) != 0; }
  bool blocked(int d, const Index<Dim>& c) const { return solid(c) || solid(c.shifted(d, -1)); }
  bool buried(int d, const Index<Dim>& c) const { return solid(c) && solid(c.shifted(d, -1)); }

 private:
  Box<Dim> box_;
  std::vector<std::uint8_t> body_;
};

// visit(axis, side, the point beside c there)
template <int Dim, class Visit>
void for_each_beside(const Index<Dim>& c, Visit visit) {
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) visit(e, side, c.shifted(e, side == 0 ? -1 : 1));
}

template <int Dim>
BodyPoint<Dim> body_point(const PaddedCells<Dim>& cells, const Index<Dim>& c) {
  BodyPoint<Dim> point{};
  point.fluid = cells.solid(c) ? 0.0 : 1.0;
  point.body = cells.body(c);
  point.excluded[at_cells + 1] = cells.solid(c);
  for (int d = 0; d < Dim; ++d) {
    point.excluded[d + 1] = cells.blocked(d, c);
    point.open[d] = point.excluded[d + 1] ? 0.0 : 1.0;
    point.stiffness[d] = 0.0;
    point.row[d] = -1;
  }
  point.piece = -1;
  for_each_beside(c, [&](int e, int side, const Index<Dim>& there) {
    point.beyond[at_cells + 1][e][side].slope = 1.0;
    for (int d = 0; d < Dim; ++d)
      if (d != e && cells.buried(d, there)) point.beyond[d + 1][e][side].slope = -1.0;
  });
  return point;
}

// Of all that body_point looks at: points with the same have the same entry.
template <int Dim>
std::uint64_t pattern_of(const PaddedCells<Dim>& cells, const Index<Dim>& c) {
  auto pattern = static_cast<std::uint64_t>(cells.body(c));
  const auto add = [&](bool bit) { pattern = 2 * pattern + (bit ? 1 : 0); };
  for (int d = 0; d < Dim; ++d) add(cells.blocked(d, c));
  for_each_beside(c, [&](int e, int, const Index<Dim>& there) {
    for (int d = 0; d < Dim; ++d) add(d != e && cells.buried(d, there));
  });
  return pattern;
}

template <int Dim>
BodyPoints<Dim> points_of(const Layout<Dim>& layout, const PaddedCells<Dim>& cells) {
  BodyPoints<Dim> points;
  points.entries.resize(layout.size());
  std::unordered_map<std::uint64_t, int> entry_of;
  const auto view = view_of(layout, points.entries.data());
  for_each_on_host(layout.padded(), [&](const Index<Dim>& c) {
    const auto [entry, is_new] =
        entry_of.try_emplace(pattern_of(cells, c), static_cast<int>(points.table.size()));
    if (is_new) points.table.push_back(body_point(cells, c));
    view(c) = entry->second;
  });
  return points;
}

}  // namespace

template <int Dim>
BodyPoints<Dim> staircase(const Layout<Dim>& layout, const std::vector<std::uint8_t>& cells,
                          const Boundaries& boundaries) {
  if (std::ranges::all_of(cells, [](std::uint8_t body) { return body == 0; })) return {};
  return points_of(layout, PaddedCells<Dim>(layout, cells, boundaries));
}

template BodyPoints<2> staircase(const Layout<2>&, const std::vector<std::uint8_t>&,
                                 const Boundaries&);
template BodyPoints<3> staircase(const Layout<3>&, const std::vector<std::uint8_t>&,
                                 const Boundaries&);

}  // namespace hodge::sim
