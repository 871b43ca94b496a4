#include "sim/flow/systems.hpp"

#include <algorithm>

#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

// size_of(location, unknowns) of the velocity components and of the cells.
template <int Dim, class SizeOf>
std::vector<FlowSystem> systems_of(const Boundaries& boundaries, const Grid& grid,
                                   const SizeOf& size_of) {
  const Layout<Dim> layout = layout_of<Dim>(grid);
  const SideKinds<Dim> sides = side_kinds<Dim>(boundaries);
  std::vector<FlowSystem> all;
  for (int d = 0; d < Dim; ++d) all.push_back(size_of(d, unknowns_at(d, layout, sides)));
  all.push_back(size_of(at_cells, cell_unknowns(layout, sides)));
  return all;
}

const char* name_of(int location) {
  return location == at_cells ? "pressure" : velocity_names[static_cast<std::size_t>(location)];
}

template <int Dim>
std::vector<FlowSystem> sizes(const Boundaries& boundaries, const Grid& grid) {
  std::vector<Unknowns<Dim>> seen;
  return systems_of<Dim>(boundaries, grid, [&](int location, const Unknowns<Dim>& unknowns) {
    const auto like = std::find_if(seen.begin(), seen.end(), [&](const Unknowns<Dim>& other) {
      return same_rows(unknowns, other);
    });
    const FlowSystem system{name_of(location), unknowns.box.size(), nonzero_count(unknowns),
                            static_cast<std::size_t>(like - seen.begin())};
    seen.push_back(unknowns);
    return system;
  });
}

// The points of a location that are in the fluid; of a face both its cells are, and the one that it
// has where it is in an open side.
template <int Dim>
class FluidPoints {
 public:
  FluidPoints(const Layout<Dim>& layout, const std::vector<std::uint8_t>& bodies)
      : cells_(layout.interior()), bodies_(bodies) {}

  bool contains(int location, const Index<Dim>& c, const Unknowns<Dim>& unknowns) const {
    if (location == at_cells) return is_fluid(c);
    const bool has_upper = c[location] < cells_.upper[location];
    const bool is_first = c[location] == cells_.lower[location];
    if (has_upper && !is_fluid(c)) return false;
    if (is_first && !unknowns.periodic[location]) return true;
    return is_fluid(with(c, location, (is_first ? cells_.upper[location] : c[location]) - 1));
  }

 private:
  bool is_fluid(const Index<Dim>& c) const { return bodies_[cells_.position(c)] == 0; }

  Box<Dim> cells_;
  const std::vector<std::uint8_t>& bodies_;
};

// No two have the same rows.
template <int Dim>
std::vector<FlowSystem> fluid_sizes(const Problem& problem, const Grid& grid) {
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, problem);
  const FluidPoints<Dim> fluid(layout_of<Dim>(grid), bodies);
  std::size_t position = 0;
  return systems_of<Dim>(
      problem.boundaries, grid, [&](int location, const Unknowns<Dim>& unknowns) {
        FlowSystem size{name_of(location), 0, 0, position++};
        for_each_on_host(unknowns.box, [&](const Index<Dim>& c) {
          if (!fluid.contains(location, c, unknowns)) return;
          ++size.rows;
          ++size.nonzeros;
          for (const auto [axis, side] : sides_of_box(Dim))
            if (unknowns.inside(axis, side, c) &&
                fluid.contains(location, unknowns.neighbour(axis, side, c), unknowns))
              ++size.nonzeros;
        });
        return size;
      });
}

}  // namespace

std::vector<FlowSystem> fluid_system_sizes(const Problem& problem, const Grid& grid) {
  if (problem.solids.empty()) return system_sizes(problem.boundaries, grid);
  return grid.dim() == 2 ? fluid_sizes<2>(problem, grid) : fluid_sizes<3>(problem, grid);
}

std::vector<FlowSystem> system_sizes(const Boundaries& boundaries, const Grid& grid) {
  return grid.dim() == 2 ? sizes<2>(boundaries, grid) : sizes<3>(boundaries, grid);
}

linalg::Choices velocity_choices(const Problem& problem, const Grid& grid) {
  const std::vector<FlowSystem> systems = system_sizes(problem.boundaries, grid);
  const bool shares = problem.solids.empty() && systems[systems.size() - 2].like == 0;
  return shares ? linalg::Choices::kept : linalg::Choices::forgotten;
}

}  // namespace hodge::sim
