// A transport operator as a pass over several locations takes it: what pays where the compiler
// knows it is a type.
#pragma once

#include <optional>
#include <type_traits>

#include "sim/discrete/grid/uniform_grid.hpp"
#include "sim/discrete/operators/transport.hpp"

namespace hodge::sim {

// f(grid, scheme, solids): constants with central convection, values with all others. Equal cells
// without solids have a grid of their own, `uniform`.
template <int Dim, class F>
void with_fixed_transport(const TransportOperator<Dim>& on,
                          const std::optional<UniformGrid<Dim>>& uniform, F f) {
  const bool solids = on.bodies.any();
  with_fixed_scheme(on.scheme, [&](auto scheme) {
    if constexpr (std::is_same_v<decltype(scheme), Convection>)
      f(on.grid, scheme, solids);
    else if (solids)
      f(on.grid, scheme, FixedFlag<true>{});
    else if (uniform)
      f(*uniform, scheme, FixedFlag<false>{});
    else
      f(on.grid, scheme, FixedFlag<false>{});
  });
}

// The operator of a location. `Solids`: bool or FixedFlag.
template <class Location, int Dim, class Grid, class Scheme, class Solids>
HODGE_HD TransportOperator<Dim, Location, Scheme, Grid> transport_of(
    const TransportOperator<Dim>& on, const Grid& grid, const Scheme& scheme,
    const Solids& solids) {
  return {grid,   on.sides,     solids ? on.bodies : BodyView<Dim>{}, {}, on.diffusivity,
          scheme, on.side_flows};
}

}  // namespace hodge::sim
