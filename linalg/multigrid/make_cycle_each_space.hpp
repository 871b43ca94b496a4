// The bodies of make_grid_cycle() and make_aggregation_cycle().
#pragma once

#include "linalg/multigrid/aggregation_cycle.hpp"
#include "linalg/multigrid/grid_cycle.hpp"
#include "linalg/space/this_space.hpp"

namespace hodge::linalg {

namespace multigrid {

template <int Dim, class Space, class V, class T>
std::unique_ptr<MultigridCycle<Space, V>> grid_cycle_of(const MultigridSettings& settings,
                                                        const CsrMatrix<Space, V>& a) {
  auto cycle = std::make_unique<GridCycle<Dim, Space, V, T>>(settings, a);
  if (!cycle->fits()) return nullptr;
  return cycle;
}

template <class Space, class V, class T>
std::unique_ptr<MultigridCycle<Space, V>> grid_cycle_of(const MultigridSettings& settings,
                                                        const CsrMatrix<Space, V>& a) {
  return a.pattern().grid()->shape.dim == 2 ? grid_cycle_of<2, Space, V, T>(settings, a)
                                            : grid_cycle_of<3, Space, V, T>(settings, a);
}

}  // namespace multigrid

template <class Space, class V>
std::unique_ptr<MultigridCycle<Space, V>> make_grid_cycle(const MultigridSettings& settings,
                                                          const CsrMatrix<Space, V>& a) {
  if (a.pattern().grid() == nullptr) return nullptr;
  if (settings.precision == "double")
    return multigrid::grid_cycle_of<Space, V, double>(settings, a);
  return multigrid::grid_cycle_of<Space, V, float>(settings, a);
}

template <class Space, class V>
std::unique_ptr<MultigridCycle<Space, V>> make_aggregation_cycle(const MultigridSettings& settings,
                                                                 const CsrMatrix<Space, V>& a) {
  return std::make_unique<multigrid::AggregationCycle<Space, V>>(settings, a);
}

#define HODGE_MULTIGRID(V)                                                       \
  template std::unique_ptr<MultigridCycle<ThisSpace, V>> make_grid_cycle(        \
      const MultigridSettings&, const CsrMatrix<ThisSpace, V>&);                 \
  template std::unique_ptr<MultigridCycle<ThisSpace, V>> make_aggregation_cycle( \
      const MultigridSettings&, const CsrMatrix<ThisSpace, V>&);
HODGE_MULTIGRID(double)
HODGE_MULTIGRID(float)
#undef HODGE_MULTIGRID

}  // namespace hodge::linalg
