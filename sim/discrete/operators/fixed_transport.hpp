// A transport operator as a pass over several locations takes it: what pays where the compiler
// knows it is a type.
#pragma once

#include <optional>
#include <type_traits>

#include "sim/discrete/grid/uniform_grid.hpp"
#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// f(grid, scheme, solids, coefficient): constants with the schemes of with_fixed_scheme(), values
// with all others and where the coefficient varies. Equal cells without solids have a grid of their
// own, `uniform`. `Location`: one of the pass.
template <int Location, int Dim, class F>
void with_fixed_transport(const TransportOperator<Dim>& on,
                          const std::optional<UniformGrid<Dim>>& uniform, F f) {
  const bool solids = on.bodies.any();
  if (on.coefficient.varies()) return f(on.grid, on.scheme, solids, on.coefficient);
  with_fixed_scheme<Location>(on.scheme, [&](auto scheme) {
    const UnitCoefficient one;
    if constexpr (std::is_same_v<decltype(scheme), Convection>)
      f(on.grid, scheme, solids, one);
    else if (solids)
      f(on.grid, scheme, FixedFlag<true>{}, one);
    else if (uniform)
      f(*uniform, scheme, FixedFlag<false>{}, one);
    else
      f(on.grid, scheme, FixedFlag<false>{}, one);
  });
}

// The operator of a location. `Solids`: bool or FixedFlag.
template <class Location, int Dim, class Grid, class Scheme, class Solids, class Coefficient>
HODGE_HD TransportOperator<Dim, Location, Scheme, Grid, Coefficient> transport_of(
    const TransportOperator<Dim>& on, const Grid& grid, const Scheme& scheme, const Solids& solids,
    const Coefficient& coefficient) {
  return {grid,        on.sides,       solids ? on.bodies : BodyView<Dim>{},
          {},          on.diffusivity, scheme,
          coefficient, on.side_flows};
}

}  // namespace hodge::sim
