// The body of make_multigrid_cycle().
#pragma once

#include "linalg/base/choose.hpp"
#include "linalg/multigrid/aggregation_cycle.hpp"
#include "linalg/multigrid/grid_cycle.hpp"
#include "linalg/space/this_space.hpp"

namespace hodge::linalg {

namespace multigrid {

// Null if `a` couples cells that are not neighbours on the grid, or if a process has a part of a
// layer.
template <int Dim, class T, class Space, class V>
std::unique_ptr<MultigridCycle<Space, V>> grid_cycle(const MultigridSettings& settings,
                                                     const CsrMatrix<Space, V>& a) {
  auto cycle = std::make_unique<GridCycle<Dim, Space, V, T>>(settings, a);
  if (!cycle->fits()) return nullptr;
  return cycle;
}

}  // namespace multigrid

template <class Space, class V>
std::unique_ptr<MultigridCycle<Space, V>> make_multigrid_cycle(const MultigridSettings& settings,
                                                               const CsrMatrix<Space, V>& a) {
  using namespace multigrid;
  if (a.pattern().grid() != nullptr) {
    std::unique_ptr<MultigridCycle<Space, V>> cycle;
    with_constant<2, 3>(a.pattern().grid()->shape.dim, [&](auto dim) {
      cycle = settings.precision == "double" ? grid_cycle<dim.value, double>(settings, a)
                                             : grid_cycle<dim.value, float>(settings, a);
    });
    if (cycle) return cycle;
  }
  if (a.pattern().sharing()) return nullptr;
  return std::make_unique<AggregationCycle<Space, V>>(settings, a);
}

#define HODGE_MULTIGRID(V)                                                     \
  template std::unique_ptr<MultigridCycle<ThisSpace, V>> make_multigrid_cycle( \
      const MultigridSettings&, const CsrMatrix<ThisSpace, V>&);
HODGE_MULTIGRID(double)
HODGE_MULTIGRID(float)
#undef HODGE_MULTIGRID

}  // namespace hodge::linalg
