// Distance of a computed state from an exact solution, on the host.
//
//   velocity_l2^2 = sum_d sum_faces V (u_d - exact_d)^2 / box volume,   V of the control volumes
//   pressure_l2^2 = sum_cells V (e - mean of e)^2 / box volume,         e = p - exact
//   scalar l2^2   = sum_cells V (c - exact)^2 / box volume
//
// What the problem has no exact solution of stays 0 or is left out.
#pragma once

#include <array>
#include <vector>

#include "linalg/space/space.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

// Padded values of a state.
template <int Dim>
struct HostState {
  std::array<std::vector<double>, Dim> velocity;
  std::vector<double> pressure;
  std::vector<std::vector<double>> scalars;  // of the problem, in its order
};

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Problem& problem, const HostState<Dim>& state,
                       double t);

}  // namespace hodge::sim
