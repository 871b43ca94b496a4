#include "sim/flow/systems.hpp"

#include "sim/assembly/unknowns.hpp"
#include "sim/fields/velocity.hpp"
#include "sim/grid/metrics.hpp"

namespace hodge::sim {
namespace {

template <int Dim>
std::vector<SystemSize> sizes(const Boundaries& boundaries, const Grid& grid) {
  const Layout<Dim> layout = layout_of<Dim>(grid);
  const SideKinds<Dim> sides = side_kinds<Dim>(boundaries);
  const auto size = [](const char* name, const Unknowns<Dim>& unknowns) {
    return SystemSize{name, unknowns.box.size(), nonzero_count(unknowns)};
  };
  std::vector<SystemSize> all;
  for (int d = 0; d < Dim; ++d)
    all.push_back(size(velocity_names[d], unknowns_at(d, layout, sides)));
  all.push_back(size("pressure", cell_unknowns(layout, sides)));
  return all;
}

}  // namespace

std::vector<SystemSize> system_sizes(const Boundaries& boundaries, const Grid& grid) {
  return grid.dim() == 2 ? sizes<2>(boundaries, grid) : sizes<3>(boundaries, grid);
}

}  // namespace hodge::sim
