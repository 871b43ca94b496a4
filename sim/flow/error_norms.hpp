// Distance of a computed state from an exact solution, on the host.
//
//   velocity_l2^2 = sum_d sum_faces V (u_d - exact_d)^2 / box volume,   V of the control volumes
//   pressure_l2^2 = sum_cells V (e - mean of e)^2 / box volume,         e = p - exact
#pragma once

#include <array>
#include <vector>

#include "linalg/space.hpp"
#include "sim/flow/flow.hpp"
#include "sim/grid/metrics.hpp"

namespace hodge::sim {

// Padded values of a state.
template <int Dim>
struct HostState {
  std::array<std::vector<double>, Dim> velocity;
  std::vector<double> pressure;
};

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Boundaries& boundaries, const HostState<Dim>& state,
                       const ExactSolution& exact, double t);

}  // namespace hodge::sim
