// A location, a convection scheme, and flags that the compiler knows. Kernels are compiled once for
// each component and for cells: their axes are then constants, so that metrics and coefficients
// stay in registers, and schemes that are not in use leave no code.
#pragma once

#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/operators/side_values.hpp"

namespace hodge::sim {

template <Convection Value>
struct FixedScheme {
  HODGE_HD constexpr operator Convection() const { return Value; }
};

template <bool Value>
struct FixedFlag {
  HODGE_HD constexpr operator bool() const { return Value; }
};

// f(Fixed<location>), of at_cells or a component.
template <int Dim, int Candidate = at_cells, class F>
void with_fixed_location(int location, F f) {
  if (location == Candidate) return f(Fixed<Candidate>{});
  if constexpr (Candidate + 1 < Dim) with_fixed_location<Dim, Candidate + 1>(location, f);
}

// f(FixedScheme) of the default scheme, f(scheme) of all others. Of scalars, at cells, van_leer is
// a default, too.
template <int Location = 0, class F>
void with_fixed_scheme(Convection scheme, F f) {
  if constexpr (Location == at_cells)
    if (scheme == Convection::van_leer) return f(FixedScheme<Convection::van_leer>{});
  if (scheme == Convection::central) return f(FixedScheme<Convection::central>{});
  f(scheme);
}

}  // namespace hodge::sim
